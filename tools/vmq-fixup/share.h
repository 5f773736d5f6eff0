/* SPDX-License-Identifier: Apache-2.0 */
/*
 * share - what the VMs of a stream share: names of files, and ports of the host.
 *
 * Two VMs can't have the same of either. Volumes are the exception (--volume-names claim): one that
 * two VMs have with the very same text is written once.
 */
#ifndef VMQ_SHARE_H
#define VMQ_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "claims.h"
#include "ref.h"
#include "stage.h"

#define NOT_WRITTEN ((size_t)-1)

struct share {
        struct claims claims;
        size_t n;       /* files to be written so far */
        bool clashed;   /* two VMs want the same: nothing may be written */
        size_t *number; /* by index of the units at hand: the file's number, from 0;
                           NOT_WRITTEN: a VM before writes it */
        size_t cap;
};

/* clang-format off */
#define SHARE_INIT { .claims = CLAIMS_INIT }
/* clang-format on */

/* Who was the first to have a name. The texts are in the note that it was read from. */
struct owner {
        const char *file; /* of the VM */
        unsigned line;
        int index; /* of its units */
        size_t number;
        const char *text; /* of a volume; else "" */
};

/* The VM at hand takes names and ports. False after a report, or vmq_fail(). */
bool share_take(struct share *s, struct ref units, struct vmq_run *run);

/* The pod's name; that of the first unit where there is no pod. The caller frees it. */
char *share_pod(struct ref units);

/* Who has the pod, or the file, of this name? The note is what owner's texts are in. */
enum claim share_find_pod(const struct share *s, const char *pod, struct buf *note,
                          struct owner *owner);
enum claim share_find_file(const struct share *s, const char *file, struct buf *note,
                           struct owner *owner);

void share_release(struct share *s);

#endif
