/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input - the bytes of a file or pipe, with as much of the past as the current document needs.
 *
 * The readers (json.h, yaml.h) take bytes from here; what they took since input_mark() stays, so
 * that a message can show the line it is about, and another reader can try its luck from there
 * (input_rewind). How much may be kept bounds a document's size.
 */
#ifndef VMQ_INPUT_H
#define VMQ_INPUT_H

#include <stdbool.h>
#include <stddef.h>

struct input {
        int fd;
        char *data;
        size_t keep; /* what is before it may be dropped: the mark, or the start of its line ... */
        bool whole;  /* ... if that is not too far back */
        size_t mark;
        size_t pos; /* the next byte to be taken */
        size_t len; /* bytes in data */
        size_t cap;
        size_t limit;  /* bytes that one document may have */
        unsigned line; /* of the byte at pos, from 1 */
        size_t column; /* the same, in characters */
        unsigned mark_line;
        size_t mark_column;
        int error; /* errno of a read that failed */
        bool end;  /* nothing comes after data[len - 1] */
        bool too_large;
};

/* Read from the descriptor, which stays the caller's. */
void input_open(struct input *in, int fd, size_t limit);

/* The same from a text, which is copied. */
void input_open_text(struct input *in, const char *text, size_t len, size_t limit);
void input_close(struct input *in);

/* Let go of everything before pos (but for the line that pos is on). */
void input_mark(struct input *in);

/* Go back to the mark. */
void input_rewind(struct input *in);

/* Read on: more bytes behind data[len - 1]. False at the end, on failure (error) and beyond the
 * limit (too_large). data may move, and with it keep, mark, pos and len. */
bool input_fill(struct input *in);

/* The next byte without taking it; -1 where there is none. */
static inline int input_peek(struct input *in)
{
        if (in->pos == in->len && !input_fill(in))
                return -1;
        return (unsigned char)in->data[in->pos];
}

/* The byte n behind that one; reads no further than needed to know it. */
static inline int input_peek_at(struct input *in, size_t n)
{
        while (in->len - in->pos <= n)
                if (!input_fill(in))
                        return -1;
        return (unsigned char)in->data[in->pos + n];
}

/* Step over the byte that input_peek() returned. */
static inline void input_skip(struct input *in)
{
        unsigned char c = (unsigned char)in->data[in->pos++];

        if (c == '\n') {
                in->line++;
                in->column = 1;
        } else if ((c & 0xC0) != 0x80) {
                in->column++;
        }
}

/* Step over a byte order mark, which is no part of any text. */
void input_skip_bom(struct input *in);

/* The text of a line (from 1) if it is still kept, without its line break; NULL if it is not.
 * *len is its length in bytes. */
const char *input_line(const struct input *in, unsigned line, size_t *len);

#endif
