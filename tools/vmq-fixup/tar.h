/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tar - the units as a POSIX tar stream: the same bytes every time (owner 0, time 0).
 */
#ifndef VMQ_TAR_H
#define VMQ_TAR_H

#include "fixup.h"

/* Write all VMs' files to standard output, a shared one once. Failures: vmq_fail(). */
void tar_write(const struct fixup *self, struct vmq_run *run);

#endif
