/* SPDX-License-Identifier: Apache-2.0 */
#include "buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

void buf_reserve(struct buf *b, size_t room)
{
        if (b->cap - b->len > room)
                return;
        if (room > SIZE_MAX / 4 || b->len > SIZE_MAX / 4)
                mem_die();
        size_t cap = b->cap ? b->cap : 128; /* most of all never need more */

        while (cap < b->len + room + 1)
                cap *= 2;
        b->s = mem_resize(b->cap ? b->s : NULL, cap, 1);
        b->cap = cap;
        b->s[b->len] = '\0';
}

void buf_add(struct buf *b, const char *bytes, size_t len)
{
        buf_reserve(b, len);
        if (len)
                memcpy(b->s + b->len, bytes, len);
        b->len += len;
        b->s[b->len] = '\0';
}

void buf_adds(struct buf *b, const char *s)
{
        buf_add(b, s, strlen(s));
}

static void __attribute__((format(printf, 2, 0)))
add_formatted(struct buf *b, const char *fmt, va_list ap)
{
        va_list again;

        va_copy(again, ap);
        buf_reserve(b, 60); /* mostly enough */
        int n = vsnprintf(b->s + b->len, b->cap - b->len, fmt, ap);

        if (n > 0 && (size_t)n >= b->cap - b->len) {
                b->s[b->len] = '\0';
                buf_reserve(b, (size_t)n);
                (void)vsnprintf(b->s + b->len, (size_t)n + 1, fmt, again);
        }
        if (n > 0)
                b->len += (size_t)n;
        va_end(again);
}

/* Most formats only put texts together, which needs no vsnprintf(). */
void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
        for (;;) {
                size_t n = strcspn(fmt, "%");

                buf_add(b, fmt, n);
                fmt += n;
                if (!*fmt)
                        return;
                if (fmt[1] != 's')
                        break;
                const char *text = va_arg(ap, const char *);

                buf_adds(b, text ? text : "(null)"); /* as vsnprintf() has it */
                fmt += 2;
        }
        add_formatted(b, fmt, ap);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        buf_vaddf(b, fmt, ap);
        va_end(ap);
}

void buf_clear(struct buf *b)
{
        b->len = 0;
        if (b->cap)
                b->s[0] = '\0';
}

char *buf_detach(struct buf *b)
{
        buf_reserve(b, 0);
        char *s = b->s;

        *b = (struct buf)BUF_INIT;
        return s;
}

void buf_release(struct buf *b)
{
        if (b->cap)
                free(b->s);
        *b = (struct buf)BUF_INIT;
}
