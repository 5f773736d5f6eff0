/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"

enum { CHUNK = 65536, LINE_MOST = 1024 /* kept before a mark, to show a line whole */ };

void input_open(struct input *in, int fd, size_t limit)
{
        *in = (struct input){ .fd = fd,
                              .limit = limit,
                              .line = 1,
                              .column = 1,
                              .mark_line = 1,
                              .mark_column = 1,
                              .whole = true };
}

void input_open_text(struct input *in, const char *text, size_t len, size_t limit)
{
        input_open(in, -1, limit);
        in->end = len <= limit; /* else the limit is met where it would have been */
        in->len = in->end ? len : limit;
        in->cap = in->len;
        in->data = mem_resize(NULL, in->len + 1, 1);
        memcpy(in->data, text, in->len);
}

void input_close(struct input *in)
{
        free(in->data);
        *in = (struct input){ .fd = -1, .end = true };
}

void input_mark(struct input *in)
{
        size_t from = in->pos;

        while (from > in->keep && in->pos - from < LINE_MOST && in->data[from - 1] != '\n')
                from--;
        in->whole = in->column == 1 || (from > 0 && in->data[from - 1] == '\n') ||
                    (from == in->keep && in->whole);
        in->keep = from;
        in->mark = in->pos;
        in->mark_line = in->line;
        in->mark_column = in->column;
}

void input_rewind(struct input *in)
{
        in->pos = in->mark;
        in->line = in->mark_line;
        in->column = in->mark_column;
}

/* Room for a chunk: what need not be kept goes when it is half of the memory, so that a byte is
 * moved once or twice in its life. */
static void make_room(struct input *in)
{
        if (in->cap - in->len >= CHUNK)
                return;
        if (in->keep >= in->cap / 2 && in->keep) {
                memmove(in->data, in->data + in->keep, in->len - in->keep);
                in->mark -= in->keep;
                in->pos -= in->keep;
                in->len -= in->keep;
                in->keep = 0;
        } else {
                in->cap = in->cap ? in->cap * 2 : (size_t)2 * CHUNK;
                in->data = mem_resize(in->data, in->cap, 1);
        }
}

bool input_fill(struct input *in)
{
        if (in->end || in->error || in->too_large)
                return false;
        if (in->len - in->mark >= in->limit) {
                in->too_large = true;
                return false;
        }
        while (in->cap - in->len < CHUNK)
                make_room(in);
        ssize_t n;

        do
                n = read(in->fd, in->data + in->len, CHUNK);
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

void input_skip_bom(struct input *in)
{
        if (input_peek(in) == 0xEF && input_peek_at(in, 1) == 0xBB && input_peek_at(in, 2) == 0xBF)
                in->pos += 3;
}

const char *input_line(const struct input *in, unsigned line, size_t *len)
{
        if (!in->data || line < in->mark_line)
                return NULL;
        const char *end = in->data + in->len;
        const char *p = in->data + (line == in->mark_line ? in->keep : in->mark);

        if (line == in->mark_line && !in->whole)
                return NULL;
        for (unsigned at = in->mark_line; p && at < line; at++) {
                p = memchr(p, '\n', (size_t)(end - p));
                if (p)
                        p++;
        }
        if (!p)
                return NULL;
        const char *nl = memchr(p, '\n', (size_t)(end - p));

        *len = (size_t)((nl ? nl : end) - p);
        if (*len && p[*len - 1] == '\r')
                --*len;
        return p;
}
