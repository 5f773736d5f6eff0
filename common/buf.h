/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buf - text that grows.
 *
 * Invariant: s is NUL-terminated at s[len] as soon as anything was added; before that it is "".
 * The text may hold NUL bytes of its own; len counts them.
 */
#ifndef VMQ_BUF_H
#define VMQ_BUF_H

#include <stdarg.h>
#include <stddef.h>

struct buf {
        char *s;
        size_t len;
        size_t cap; /* 0: s is not allocated */
};

/* clang-format off */
#define BUF_INIT { .s = (char *)"", .len = 0, .cap = 0 }
/* clang-format on */

/* A local that is released at the end of its scope: BUF_AUTO struct buf b = BUF_INIT; */
#define BUF_AUTO __attribute__((cleanup(buf_release)))

/* Append. None of them fails. */
void buf_add(struct buf *b, const char *bytes, size_t len);
void buf_adds(struct buf *b, const char *s);
static inline void buf_addc(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vaddf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

static inline void buf_addc(struct buf *b, char c)
{
        if (b->cap - b->len < 2) { /* true of an empty one */
                buf_add(b, &c, 1);
                return;
        }
        b->s[b->len++] = c;
        b->s[b->len] = '\0';
}

/* Make room for `room` more bytes behind b->s + b->len, to be filled in by the caller. */
void buf_reserve(struct buf *b, size_t room);

/* Empty the text, keep the memory. */
void buf_clear(struct buf *b);

/* Hand the text to the caller, who releases it with free(); b is empty again. */
char *buf_detach(struct buf *b);

/* Release the memory; b is empty and may be used again. */
void buf_release(struct buf *b);

#endif
