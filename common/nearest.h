/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nearest - the known word that a misspelt one was meant to be.
 *
 *      struct nearest near = nearest_to("memroy");
 *      nearest_try(&near, "memory");
 *      ... near.best is "memory", NULL if no word came near
 */
#ifndef VMQ_NEAREST_H
#define VMQ_NEAREST_H

#include <stddef.h>

struct nearest {
        const char *word; /* as it was written */
        const char *best; /* the first of the nearest; NULL: none */
        size_t distance;  /* of best, or one more than is near enough */
};

struct nearest nearest_to(const char *word);

/* Another candidate. Letter case does not count; one letter changed, left out, put in or swapped
 * with its neighbour counts 1. Near enough is a third of the word's length. */
void nearest_try(struct nearest *n, const char *candidate);

#endif
