/* SPDX-License-Identifier: Apache-2.0 */
/*
 * folder - the units as files, so that whatever happens a VM's files are all old or all new.
 *
 * A folder of plain files can't be changed in one step, so it is done as databases do it:
 *
 *   1. lock the folder; finish or undo what a run before left (transaction.h);
 *   2. write every file under a temporary name (.vmq-new-N) and sync it. Up to here nothing that
 *      Podman reads has changed: a full disk or a kill leaves the folder as it was;
 *   3. write the journal (.vmq-journal), which says what N is to be called and what is to be
 *      removed. With its appearance everything is decided;
 *   4. rename all files, in a process of its own, so that a kill of vmq-fixup is not felt here; the
 *      .pod files last, without which nothing of a VM starts;
 *   5. remove the journal.
 *
 * What a machine that loses power in step 4 leaves, the next run completes before anything else.
 *
 * The folder remembers in .vmq-units, lines "POD FILE", which files are whose. By that, files of an
 * earlier run that this one does not make are told about, or removed with --prune, and a file of
 * another pod is never overwritten.
 */
#ifndef VMQ_FOLDER_H
#define VMQ_FOLDER_H

#include "fixup.h"

/* Write all VMs' files into self->output_dir, which is made if it is not there. */
void folder_write(const struct fixup *self, struct vmq_run *run);

#endif
