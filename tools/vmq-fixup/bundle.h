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

#include <stdbool.h>
#include <stddef.h>

#include "share.h"
#include "spool.h"

/* The units of one VM. */
struct bundle {
        struct buf text; /* one behind the other */
        size_t *end;     /* by index of units: where it ends; companions are empty */
        size_t cap;
};

/* clang-format off */
#define BUNDLE_INIT { .text = BUF_INIT }
/* clang-format on */

/* Make the units of a VM. False after a report of what can't be part of a bundle. */
bool bundle_make(struct bundle *b, struct ref units, struct diag *d);

/* Append those that no VM before has written. False with errno. */
bool bundle_add(const struct bundle *b, struct spool *out, struct ref units,
                const struct share *share);

void bundle_release(struct bundle *b);

#endif
