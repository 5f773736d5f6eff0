/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transaction - changing many files of one folder, all or none (folder.h says how).
 *
 * What is to come is put into a folder of its own (room.h). A file that is as it should be already
 * is left alone, so that nothing at all is written where nothing has changed.
 */
#ifndef VMQ_TRANSACTION_H
#define VMQ_TRANSACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "buf.h"
#include "room.h"
#include "spool.h"

#define TRANSACTION_RECORD ".vmq-units" /* the folder's own file, changed along with the others */

struct transaction {
        const char *path;     /* of the folder, for messages; borrowed */
        int dir;              /* the folder; -1: it is to be made */
        int above;            /* what it is to be made in; -1: it is there */
        bool made;            /* by us */
        struct room room;     /* the new files */
        struct spool journal; /* what is to be done, line by line */
        struct spool kept;    /* which files were left alone */
};

/* clang-format off */
#define TRANSACTION_INIT { .dir = -1, .above = -1, .room = ROOM_INIT, .journal = SPOOL_INIT, .kept = SPOOL_INIT }
/* clang-format on */

/* Functions that return bool say "what: why" in `why` where it is false. */

/* Open the folder, or prepare to make it. Others may be at work on it too. */
bool transaction_begin(struct transaction *t, const char *path, struct buf *why);

/* The file is to have this content and mode. No name comes twice. The files appear in the order of
 * these calls. */
bool transaction_put(struct transaction *t, const char *name, mode_t mode, const char *bytes,
                     size_t len, struct buf *why);
bool transaction_put_spool(struct transaction *t, const char *name, mode_t mode,
                           const struct spool *content, struct buf *why);

/* The file is to go, if it is there. */
bool transaction_remove(struct transaction *t, const char *name, struct buf *why);

/* Lock the folder, if it is there (waiting for another run), and settle what a killed run left.
 * From here on the folder's files are what they were when this transaction is committed. Fails if
 * another run has changed a file that was left alone. */
bool transaction_lock(struct transaction *t, struct buf *why);

/* A file of the folder for reading; NULL in *file if there is none. Symbolic links are not
 * followed. */
bool transaction_open(const struct transaction *t, const char *name, FILE **file, struct buf *why);

bool transaction_has(const struct transaction *t, const char *name);

/* Has the folder's file, if there is one, the very content that was put under its name? */
bool transaction_same(const struct transaction *t, const char *name, bool *same, struct buf *why);

/*
 * Make it so; the folder is locked. After a failure nothing has changed, or `why` says that it
 * has, or that the next run will complete it. With *again the folder has been made by somebody else
 * since transaction_lock(), so that that is due again, and so is what followed from it.
 */
bool transaction_commit(struct transaction *t, bool *again, struct buf *why);

/* Give up what is not committed, and unlock. Nothing happens after a commit but that. */
void transaction_end(struct transaction *t);

#endif
