/* SPDX-License-Identifier: Apache-2.0 */
/* utf8 - the one place that knows how characters are encoded. */
#ifndef VMQ_UTF8_H
#define VMQ_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

/* Bytes of the well-formed UTF-8 character at s (RFC 3629: no surrogates, nothing overlong, at most
 * U+10FFFF), of which at most len may be read; 0 if it is none. */
size_t utf8_length(const char *s, size_t len);

/* All of s is well-formed. */
bool utf8_valid(const char *s, size_t len);

/* How many bytes s begins with that are printable ASCII. Most of all text is such, so it is looked
 * at eight bytes at a time. */
size_t utf8_printable(const char *s, size_t len);

/* The same of those that JSON writes as they are: neither '"' nor '\\'. */
size_t utf8_plain(const char *s, size_t len);

/* Append a character. U+D800 to U+DFFF are the caller's to keep out. */
void utf8_add(struct buf *b, unsigned code_point);

/* Append s for a person to read on one line: control characters, invisible and direction-changing
 * ones and what is no UTF-8 appear as \n, \x1b or \u202e. */
void utf8_add_visible(struct buf *b, const char *s, size_t len);

#endif
