/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input - the bytes of a file or pipe, with as much of the past as the current document needs.
 *
 * The readers (json.h, yaml.h) take bytes from here; what they took since input_mark() stays, so
 * that a message can show the line it is about. How much may be kept bounds a document's size.
 */
#ifndef VMQ_INPUT_H
#define VMQ_INPUT_H

#include <stdbool.h>
#include <stddef.h>

struct input {
        int fd;
        char *data; /* kept from the mark on */
        size_t pos; /* the next byte to be taken, from data */
        size_t len; /* bytes in data */
        size_t cap;
        size_t limit;  /* bytes that one document may have */
        unsigned line; /* of the byte at pos, from 1 */
        size_t column; /* the same, in characters */
        unsigned mark_line; /* line of data[0] */
        int error;     /* errno of a read that failed */
        bool end;      /* nothing comes after data[len - 1] */
        bool too_large;
};

/* Read from the descriptor, which stays the caller's. */
void input_open(struct input *in, int fd, size_t limit);
void input_close(struct input *in);

/* Let go of everything before pos. */
void input_mark(struct input *in);

/* Read on: more bytes behind data[len - 1]. False at the end, on failure (error) and beyond the
 * limit (too_large). data may move. */
bool input_fill(struct input *in);

/* The next byte without taking it; -1 where there is none. */
static inline int input_peek(struct input *in)
{
        if (in->pos == in->len && !input_fill(in))
                return -1;
        return (unsigned char)in->data[in->pos];
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

/* The text of a line (from 1) if it is still kept, without its line break; NULL if it is not.
 * *len is its length in bytes. */
const char *input_line(const struct input *in, unsigned line, size_t *len);

#endif
