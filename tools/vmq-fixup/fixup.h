/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fixup - vmq-fixup's work on one VM's units, and what it knows of the whole stream.
 *
 * Nothing is written before the last item: only then is it known that no two VMs write the same
 * file or listen on the same port. What is written then, and how, is bundle.h's, tar.h's or
 * folder.h's business.
 */
#ifndef VMQ_FIXUP_H
#define VMQ_FIXUP_H

#include <jv.h>
#include <stdbool.h>

#include "ports.h"
#include "stage.h"

/* The units of one VM. */
struct fixup_vm {
        char *owner; /* the pod's name: what the folder remembers the files by */
        char *file;  /* the source of the VM, for messages */
        unsigned line;
        jv units; /* owned */
};

struct fixup {
        const char *output_dir;
        bool tar, prune;

        struct fixup_vm *vms; /* that went through */
        size_t n, cap;
        jv owners; /* file name: {by: "FILE:LINE", vm: index, text: of a volume, which may be
                      shared} */
        struct ports ports; /* published so far */
        bool clashed;       /* two VMs want the same: nothing may be written */
};

/* Options that contradict each other (struct vmq_stage.start). */
int fixup_start(struct vmq_run *run);

/* Put the lines of step 7 into item.units, and hold the names and ports against those of the VMs
 * before. */
void fixup_each(jv *item, struct vmq_run *run);

/* Keep the item's units for fixup_finish(). */
void fixup_keep(const jv *item, struct vmq_run *run);

/* Is it this VM that a file is written for? A shared one is the first VM's. */
bool fixup_writes(const struct fixup *self, size_t vm, const char *name);

/* Write everything. */
void fixup_finish(struct vmq_run *run);

void fixup_release(struct fixup *self);

#endif
