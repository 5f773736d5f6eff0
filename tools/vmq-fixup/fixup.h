/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fixup - vmq-fixup's work on one VM's units, and what it knows of the whole stream.
 *
 * Nothing is where somebody looks for it before the last item has come in: only then is it known
 * that no two VMs write the same file or listen on the same port. Until then what is to be written,
 * and who wants which name, is on the disk, so that memory does not grow with the stream. How that
 * is done for each way out is bundle.h's, tar.h's or folder.h's business.
 */
#ifndef VMQ_FIXUP_H
#define VMQ_FIXUP_H

#include <jv.h>
#include <stdbool.h>

#include "bundle.h"
#include "folder.h"
#include "share.h"
#include "stage.h"

struct fixup {
        const char *output_dir;
        bool tar, prune;

        struct share share;   /* who writes which file */
        struct bundle bundle; /* the item at hand as part of a bundle */
        struct spool out;     /* bundle or tar */
        struct folder folder;
        size_t written; /* VMs that went through */
};

void fixup_open(struct fixup *self);
void fixup_release(struct fixup *self);

/* Options that contradict each other (struct vmq_stage.start). */
int fixup_start(struct vmq_run *run);

/* Put the lines of step 7 into item.units; make them fit for a bundle if that is what is wanted. */
void fixup_each(jv *item, struct vmq_run *run);

/* Hold names and ports of the item's units against those of the VMs before, and lay the units by.
 */
void fixup_write(const jv *item, struct vmq_run *run);

/* The last VM has come in: hand over what was laid by. */
void fixup_finish(struct vmq_run *run);

#endif
