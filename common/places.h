/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places - where in the file each field of a document stands, for messages.
 *
 * A reader adds a node for every value as it meets it, a parent before its children, so what is
 * below a node follows it directly; a message looks its path up. Costs a few words per field, and
 * an index only once something is looked up.
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
        int parent;   /* -1: the root */
        int children; /* how many */
        int index;    /* among its siblings, from 0 */
        int key;      /* offset of the key in text; -1: in a list */
        int raw;      /* offset of the scalar as it was written; -1 */
        struct place at_key, at_value;
};

/* A key given again: the node of the later one and where that stands. */
struct place_again {
        int node;
        struct place at;
};

#define PLACES_MOST 250000 /* nodes of one document; the readers refuse more */

struct places {
        struct place_node *nodes;
        int n, cap;
        struct buf text;

        struct place_again *again; /* in the order of the document */
        int n_again, cap_again;

        int *sorted; /* nodes by parent and key; made when it is first needed */
        int n_sorted, cap_sorted;
};

/* clang-format off */
#define PLACES_INIT { .text = BUF_INIT }
/* clang-format on */

void places_clear(struct places *p);
void places_release(struct places *p);

/* Add the value at `at` below node `parent` (-1: the root, which is node 0) and return its node.
 * key: the member's name, NULL in a list, and where it stands. raw: the text of a plain scalar as
 * it was written (`on`, `0x1F`), NULL where the value is its own text. */
int places_add(struct places *p, int parent, const char *key, struct place at_key,
               struct place at_value, const char *raw);

/* Note that the key of a node was there before, in the same object. */
void places_add_again(struct places *p, int node, struct place at);

/* Nodes of the value at a node, itself and all that is below. */
int places_size(const struct places *p, int node);

/* Let the value at `from` (an anchor's) stand at `to` as well (an alias's), which is the last node
 * and has no children yet. */
void places_copy_below(struct places *p, int from, int to);

/* The same of one member: `from`, a child of another object, becomes a child of `parent`. Returns
 * its node. */
int places_copy_member(struct places *p, int from, int parent);

/* Member, or element, of a node; -1. Of a key given twice the last one counts. */
int places_child(struct places *p, int node, const char *key, size_t key_len, int index);

/* The node of a path. `base` stands in front of it (NULL: nothing does). Where the path goes on
 * below the last field that is there, *exact is false and the node is that field's. -1: no nodes.
 */
int places_find(struct places *p, const struct path *base, const struct path *path, bool *exact);

/* Where a message about the path points: at the key of a member, at the value of an element. */
struct place places_at(struct places *p, const struct path *base, const struct path *path);

/* The scalar at the path as it was written; NULL if it is its own text, or not there. */
const char *places_raw(struct places *p, const struct path *base, const struct path *path);

#endif
