/* SPDX-License-Identifier: Apache-2.0 */
/*
 * folder - the units as files, so that whatever happens a VM's files are all old or all new.
 *
 * A folder that is not there is made beside its place, with all files, and renamed. One that is
 * there can't be changed in one step, so it is done as databases do it:
 *
 *   1. as the VMs come in, write what is not there already into a folder of their own inside the
 *      folder (room.h), where Podman does not look. Others may do the same at the same time;
 *   2. at the end of the stream lock the folder, and finish or undo what a killed run left;
 *   3. hold the new names against those that the folder remembers, and sync all new files. Up to
 *      here nothing that Podman reads has changed: a full disk or a kill leaves it as it was;
 *   4. write the journal (journal.h). With its appearance everything is decided;
 *   5. rename all files, in a process of its own, so that a kill of vmq-fixup is not felt here. One
 *      VM comes after the other, and of each the .pod file last, without which nothing of it
 *      starts;
 *   6. remove the journal.
 *
 * What a machine that loses power in step 5 leaves, the next run completes before anything else.
 *
 * The folder remembers in .vmq-units, lines "POD FILE", which files are whose. By that, files of an
 * earlier run that this one does not make are told about, or removed with --prune, and a file of
 * another pod is never overwritten. It is read and written line by line: a folder may have any
 * number of units.
 */
#ifndef VMQ_FOLDER_H
#define VMQ_FOLDER_H

#include <stdbool.h>

#include "share.h"
#include "spool.h"
#include "transaction.h"

struct folder {
        bool open;
        struct transaction t;
        struct spool lines; /* the new ones of .vmq-units */
};

/* clang-format off */
#define FOLDER_INIT { .t = TRANSACTION_INIT, .lines = SPOOL_INIT }
/* clang-format on */

/* Lay the files of a VM by for the folder of this name, which is made if it is not there. `share`
 * has their numbers. Failures: vmq_fail(). */
void folder_add(struct folder *f, const char *name, struct ref units, const struct share *share,
                struct vmq_run *run);

/* Put all of them in place; with prune, remove what earlier runs wrote for these VMs. Failures:
 * vmq_fail(), or a report. */
void folder_finish(struct folder *f, struct share *share, bool prune, struct vmq_run *run);

/* Forget what was not put in place. */
void folder_release(struct folder *f);

#endif
