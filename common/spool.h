/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool - bytes of which there may be more than memory should hold.
 *
 * The end of them is kept in memory, the rest in a file without a name in $TMPDIR (/var/tmp, /tmp).
 * As long as there are few there is no file. Functions that return bool fail with errno set.
 *
 *      struct spool s = SPOOL_INIT;
 *
 *      spool_append(&s, text, len);
 *      spool_copy(&s, STDOUT_FILENO);
 *      spool_release(&s);
 */
#ifndef VMQ_SPOOL_H
#define VMQ_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

#define SPOOL_MEMORY (((size_t)128 << 10) - 1) /* bytes kept in memory at most */

struct spool {
        struct buf tail; /* the last bytes ... */
        size_t at;       /* ... and how many are before them, in the file; 0: there is none */
        int fd;
};

/* clang-format off */
#define SPOOL_INIT { .tail = BUF_INIT, .at = 0, .fd = -1 }
/* clang-format on */

size_t spool_length(const struct spool *s);

bool spool_append(struct spool *s, const char *bytes, size_t len);

/* Append len zeros, which cost no room on the disk until they are overwritten. */
bool spool_append_zeros(struct spool *s, size_t len);

/* Read, or overwrite, len bytes that are there. */
bool spool_read(const struct spool *s, size_t at, void *bytes, size_t len);
bool spool_write(struct spool *s, size_t at, const void *bytes, size_t len);

/* Append all of another one. */
bool spool_append_spool(struct spool *s, const struct spool *from);

/* Write everything to the descriptor. */
bool spool_copy(const struct spool *s, int fd);

void spool_release(struct spool *s);

#endif
