/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claims - who was the first to want something, in a stream of any length.
 *
 * A hash table with a note for every key. Both lie in spools, so that the memory it takes does not
 * grow with the stream. Keys come from VMs, so the hash is a keyed one (SipHash-2-4): nobody can
 * choose keys that all collide. The table's order is seen by nobody, so its key may be random.
 */
#ifndef VMQ_CLAIMS_H
#define VMQ_CLAIMS_H

#include <stdint.h>

#include "buf.h"
#include "spool.h"

struct claims {
        struct spool records; /* struct record, key and note, one behind the other */
        struct spool table;   /* struct slot[slots] */
        size_t n, slots;
        uint64_t secret[2];
};

/* clang-format off */
#define CLAIMS_INIT { .records = SPOOL_INIT, .table = SPOOL_INIT }
/* clang-format on */

enum claim {
        CLAIM_FREE,   /* the key was nobody's */
        CLAIM_TAKEN,  /* it was somebody's before */
        CLAIM_FAILED, /* the temporary file could not be read or written: errno */
};

/* Is the key of this kind taken? Its note replaces the text of `note` (NULL: not wanted). */
enum claim claims_find(const struct claims *c, char kind, const char *key, struct buf *note);

/* The same, and if it is free take it with a note of len bytes. `had` is the note of who was
 * first. */
enum claim claims_take(struct claims *c, char kind, const char *key, const void *note, size_t len,
                       struct buf *had);

void claims_release(struct claims *c);

#endif
