/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bundle - all units as one text that `podman quadlet install FILE.quadlets` takes (Podman 5.8,
 * pkg/domain/infra/abi/quadlet.go, parseMultiQuadletFile): each unit behind a line
 * "# FileName=" with its name less the extension, "---" between them. Podman tells the extension by
 * the first section that is one of a unit type.
 *
 * A bundle has no room for other files, so they are folded into the unit that refers to them:
 *   EnvironmentFile=F.env                       its lines, as Environment=
 *   Entrypoint=SHELL, Exec=/P ..., Volume=./F.sh:/P:...   Exec=-c 'the script' /P ...
 */
#ifndef VMQ_BUNDLE_H
#define VMQ_BUNDLE_H

#include "fixup.h"

/* Write the bundle of all VMs to standard output; nothing of a VM that can't be folded, with a
 * report. Failures to write: vmq_fail(). */
void bundle_write(const struct fixup *self, struct vmq_run *run);

#endif
