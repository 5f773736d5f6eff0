/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transaction - changing many files of one folder, all or none (folder.h says how).
 *
 * What is to come is put into a folder of its own inside the folder, .vmq-new-K.d, under numbers.
 * Podman looks into no folder that ends with ".d", and a number is no unit's name. Who works with
 * it has it locked, so that what a killed run left is known by having no lock.
 */
#ifndef VMQ_TRANSACTION_H
#define VMQ_TRANSACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "buf.h"
#include "spool.h"

#define TRANSACTION_RECORD ".vmq-units" /* the folder's own file, changed along with the others */

struct transaction {
        const char *path;     /* of the folder, for messages; borrowed */
        int dir;              /* the folder; -1: not open */
        bool made;            /* by us */
        int room;             /* .vmq-new-K.d, locked; -1: none */
        int k;                /* its number */
        size_t n;             /* one above the highest number that was put */
        struct spool journal; /* what is to be done */
};

/* clang-format off */
#define TRANSACTION_INIT { .dir = -1, .room = -1, .journal = SPOOL_INIT }
/* clang-format on */

/* Functions that return bool say "what: why" in `why` where it is false. */

/* Open, or make, the folder. Others may be at work on it too. */
bool transaction_begin(struct transaction *t, const char *path, struct buf *why);

/* The file is to have this content and mode. Numbers are the caller's, and small. The files appear
 * in the order of these calls. */
bool transaction_put(struct transaction *t, size_t number, const char *name, mode_t mode,
                     const char *bytes, size_t len, struct buf *why);
bool transaction_put_spool(struct transaction *t, size_t number, const char *name, mode_t mode,
                           const struct spool *content, struct buf *why);

/* The file is to go, if it is there. */
bool transaction_remove(struct transaction *t, const char *name, struct buf *why);

/* Lock the folder (waiting for another run), and settle what a killed run left. From here on the
 * folder's files are what they were when this transaction is committed. */
bool transaction_lock(struct transaction *t, struct buf *why);

/* A file of the folder for reading; NULL in *file if there is none. Symbolic links are not
 * followed. */
bool transaction_open(const struct transaction *t, const char *name, FILE **file, struct buf *why);

bool transaction_has(const struct transaction *t, const char *name);

/* Has the folder's file, if there is one, the very content that was put under the number? */
bool transaction_same(const struct transaction *t, const char *name, size_t number, bool *same,
                      struct buf *why);

/* Make it so; the folder is locked. After a failure nothing has changed, or `why` says that it
 * has, or that the next run will complete it. */
bool transaction_commit(struct transaction *t, struct buf *why);

/* Give up what is not committed, and unlock. Nothing happens after a commit but that. */
void transaction_end(struct transaction *t);

#endif
