/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keys - names of members as libjq wants them, made once and not for each look into an object.
 *
 * libjq takes the key of a lookup as a value of its own: a copy on the heap, whose UTF-8 it checks
 * and which it hashes. The same few hundred names are looked for in every item, so the last ones
 * are kept, in a table of fixed size. A reader that takes its keys from here has them shared by all
 * objects that it makes.
 */
#ifndef VMQ_KEYS_H
#define VMQ_KEYS_H

#include <jv.h>
#include <stddef.h>

enum { KEYS_SLOTS = 512, KEYS_LONGEST = 64 /* bytes of a name that is kept */ };

struct keys {
        struct key_slot {
                jv name;
                const char *text; /* of name; NULL: the slot is empty */
                size_t len;
        } slots[KEYS_SLOTS];
};

#define KEYS_INIT                                                                                  \
        {                                                                                          \
                .slots = { { .text = NULL } }                                                      \
        }

/* `len` bytes as a string value, which is the caller's to release. It is made anew where keys is
 * NULL and where the name is long. */
jv keys_get(struct keys *keys, const char *text, size_t len);

void keys_release(struct keys *keys);

#endif
