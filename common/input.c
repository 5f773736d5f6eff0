/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"

enum { CHUNK = 65536 };

void input_open(struct input *in, int fd, size_t limit)
{
        *in = (struct input){ .fd = fd, .limit = limit, .line = 1, .column = 1, .mark_line = 1 };
}

void input_close(struct input *in)
{
        free(in->data);
        *in = (struct input){ .fd = -1, .end = true };
}

void input_mark(struct input *in)
{
        in->len -= in->pos;
        if (in->len)
                memmove(in->data, in->data + in->pos, in->len);
        in->pos = 0;
        in->mark_line = in->line;
}

bool input_fill(struct input *in)
{
        if (in->end || in->error || in->too_large)
                return false;
        if (in->len >= in->limit) {
                in->too_large = true;
                return false;
        }
        if (in->cap - in->len < CHUNK / 4) {
                in->cap = in->cap ? in->cap * 2 : CHUNK;
                in->data = mem_resize(in->data, in->cap, 1);
        }
        ssize_t n;

        do
                n = read(in->fd, in->data + in->len, in->cap - in->len);
        while (n < 0 && errno == EINTR);
        if (n < 0)
                in->error = errno;
        if (n == 0)
                in->end = true;
        if (n <= 0)
                return false;
        in->len += (size_t)n;
        return true;
}

const char *input_line(const struct input *in, unsigned line, size_t *len)
{
        const char *p = in->data, *end = in->data + in->len;

        if (!p || line < in->mark_line)
                return NULL;
        for (unsigned at = in->mark_line; at < line; at++) {
                p = memchr(p, '\n', (size_t)(end - p));
                if (!p)
                        return NULL;
                p++;
        }
        const char *nl = memchr(p, '\n', (size_t)(end - p));

        *len = (size_t)((nl ? nl : end) - p);
        if (*len && p[*len - 1] == '\r')
                --*len;
        return p;
}
