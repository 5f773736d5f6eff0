/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json - JSON text to libjq values and back, without loss.
 *
 * libjq 1.6 (Debian 12) keeps every number as a double: 9007199254740993 comes back as ...992, and
 * 1e16 is printed as 1e+16, which Go refuses to read into an integer. So the project reads and
 * prints JSON itself:
 *   - a whole number that a double can't hold keeps its digits (json_bigint);
 *   - whole numbers are printed as whole numbers, others as Go prints them;
 *   - members are printed in the order in which they were set;
 *   - a NUL inside a text, and nesting beyond JSON_DEPTH, are errors;
 *   - so are more than JSON_MEMBERS members of one object: an older libjq hashes keys with a seed
 *     that everybody knows, so keys can be made that all collide;
 *   - bytes that are no UTF-8 are errors, not replaced.
 */
#ifndef VMQ_JSON_H
#define VMQ_JSON_H

#include <jv.h>
#include <stdbool.h>

#include "buf.h"
#include "input.h"
#include "keys.h"
#include "places.h"

#define JSON_DEPTH   256                /* levels of nesting that are read */
#define JSON_MEMBERS 10000              /* members of one object that are read */
#define JSON_EXACT   9007199254740992.0 /* 2^53: beyond it a double skips whole numbers */

/* What is wrong with a text, and where (lines and columns from 1). */
struct json_error {
        char text[160];
        struct place at;
};

/* How values are read. Every part may be NULL. */
struct json_reading {
        /* Emptied, and filled with the place of every field, and of every key that an object has
         * twice (of which the last value counts). */
        struct places *places;
        struct keys *keys; /* where the keys of objects are taken from */
        /*
         * An outermost object whose first member is a number of this name is a work item. What
         * follows has no places, since messages are about what the item was made from, and the name
         * must not come again.
         */
        const char *mark;
        /*
         * Members of a work item that nobody will look into, NULL at the end. One that is an object
         * or a list becomes its own text, as json_print() would print it (but a key that is there
         * twice stays so): a view of it is set and of no kind, and it is printed as what it is.
         */
        const char *const *unread;
        bool forget; /* the texts too: null is in their place */
};

/*
 * Read the next value of a stream of JSON texts with nothing or white space between them. Returns 1
 * and *ret (owned by the caller), 0 at the end of the input, -1 with *err where the text is no
 * JSON, is too large or could not be read (in->error). Never reads past the end of a value that
 * ends with a bracket, so the first value of a pipe is there before the second is sent.
 */
int json_next(struct input *in, jv *ret, const struct json_reading *how, struct json_error *err);

/* Append the value's text, without spaces or line break. */
void json_print(const jv *v, struct buf *out);

/* Append a text in quotes. */
void json_print_text(const char *s, size_t len, struct buf *out);

/* The value's text as a string value. */
jv json_text(const jv *v);

/* A whole number, exact whatever its size. */
jv json_int(long long n);

/* The same from its digits ("-" and decimal digits without leading zeros), of any length. */
jv json_int_digits(const char *digits, size_t len);

/* What libjq has no value for is kept as its JSON text: a whole number that no double holds, and
 * what nobody looks into (unread). Begin the text in an empty buffer; make it a value, owned by the
 * caller. */
void json_keep_begin(struct buf *text);
jv json_keep(const struct buf *text);

/* The text of such a value, borrowed from it; NULL for every other one. */
const char *json_kept(const jv *v);

/* The digits of a whole number that no double holds; NULL for every other value. The text is
 * borrowed from v. */
const char *json_bigint(const jv *v);

/* The value of such digits; fallback if it does not fit. */
long long json_parse_int(const char *digits, long long fallback);

#endif
