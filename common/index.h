/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index - where in a list an element of a name is, found without walking the list: a document may
 * have a hundred thousand of them, and they refer to each other by name.
 *
 * An index is an object, names to positions; an invalid value is an empty one.
 */
#ifndef VMQ_INDEX_H
#define VMQ_INDEX_H

#include <jv.h>

#include "ref.h"

/* The texts at `path` in the elements of a list; of several of one name, the last. No text is
 * the name "". */
jv index_make(struct ref list, const char *path);

/* The same, but of several of one name, the first. */
jv index_first(struct ref list, const char *path);

/* The element of that name; absent if there is none. `list` is the one that the index is of, which
 * may have grown since. */
struct ref index_find(const jv *index, struct ref list, const char *name);

/* Set the position of a name. */
void index_set(jv *index, const char *name, int position);

/* The position of a name; -1: none. */
int index_get(const jv *index, const char *name);

#endif
