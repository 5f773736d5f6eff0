/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tar - the units as a POSIX tar stream: the same bytes every time (owner 0, time 0).
 */
#ifndef VMQ_TAR_H
#define VMQ_TAR_H

#include "share.h"
#include "spool.h"

/* Append one VM's files, but for those that a VM before has written; and the end of the archive.
 * False with errno. */
bool tar_add(struct spool *out, struct ref units, const struct share *share);
bool tar_end(struct spool *out);

#endif
