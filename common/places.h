/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places - where in the file each field of a document stands, for messages.
 *
 * A reader adds a node for every value as it meets it (a parent before its children); a message
 * looks its path up. Costs a few words per field and nothing where no message is made.
 */
#ifndef VMQ_PLACES_H
#define VMQ_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "path.h"

/* A place in a file; line and column from 1, columns in characters. Line 0: unknown. */
struct place {
        unsigned line, column;
};

struct place_node {
        int next_sibling, first_child, last_child; /* indices into nodes; -1: none */
        int key;                                   /* offset of the key in text; -1: in a list */
        int raw;                                   /* offset of the scalar as it was written; -1 */
        int index;                                 /* place among its siblings, from 0 */
        struct place at_key, at_value;
};

struct places {
        struct place_node *nodes;
        int n, cap;
        struct buf text;
};

/* clang-format off */
#define PLACES_INIT { .nodes = NULL, .n = 0, .cap = 0, .text = BUF_INIT }
/* clang-format on */

void places_clear(struct places *p);
void places_release(struct places *p);

/* Add the value at `at` below node `parent` (-1: the root, which is node 0) and return its node.
 * key: the member's name, NULL in a list, and where it stands. raw: the text of a plain scalar as
 * it was written (`on`, `0x1F`), NULL where the value is its own text. */
int places_add(struct places *p, int parent, const char *key, struct place at_key,
               struct place at_value, const char *raw);

/* The node of a path. `base` stands in front of it (NULL: nothing does). Where the path goes on
 * below the last field that is there, *exact is false and the node is that field's. -1: no nodes. */
int places_find(const struct places *p, const struct path *base, const struct path *path,
                bool *exact);

/* Where a message about the path points: at the key of a member, at the value of an element. */
struct place places_at(const struct places *p, const struct path *base, const struct path *path);

/* The scalar at the path as it was written; NULL if it is its own text, or not there. */
const char *places_raw(const struct places *p, const struct path *base, const struct path *path);

#endif
