/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transaction - changing several files of one folder, all or none (folder.h says how).
 */
#ifndef VMQ_TRANSACTION_H
#define VMQ_TRANSACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

#define TRANSACTION_RECORD ".vmq-units" /* the folder's own file, changed along with the others */

struct transaction {
        const char *path; /* of the folder, for messages; borrowed */
        int dir;          /* the folder, locked; -1: not open */
        bool made;        /* by us */
        size_t staged;
        struct buf journal;
        struct buf late; /* the end of the journal */
};

/* All functions return false with "what: why" in `why`. */

/* Open, or make, and lock the folder (waiting for another run), and settle what a killed run left.
 */
bool transaction_begin(struct transaction *t, const char *path, struct buf *why);

/* The content of a file of the folder; nothing if there is none. Symbolic links are not followed.
 */
bool transaction_read(const struct transaction *t, const char *name, struct buf *out,
                      struct buf *why);

bool transaction_has(const struct transaction *t, const char *name);

/* The file is to have this content and mode. late: it appears after all that are not. */
bool transaction_put(struct transaction *t, const char *name, mode_t mode, const char *bytes,
                     size_t len, bool late, struct buf *why);

/* The file is to go, if it is there. */
void transaction_remove(struct transaction *t, const char *name);

/* Make it so. After a failure nothing has changed, or the next run will complete it: `why` says. */
bool transaction_commit(struct transaction *t, struct buf *why);

/* Give up what is not committed, and unlock. Nothing happens after a commit but that. */
void transaction_end(struct transaction *t);

#endif
