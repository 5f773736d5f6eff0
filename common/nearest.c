/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include <ctype.h>
#include <string.h>

#define NEAREST_LONGEST 64 /* letters; what is longer is near to nothing */

struct nearest nearest_to(const char *word)
{
        size_t len = strlen(word);

        return (struct nearest){ .word = word, .distance = (len + 2) / 3 + 1 };
}

static size_t min(size_t a, size_t b)
{
        return a < b ? a : b;
}

/* Damerau and Levenshtein's distance, without edits inside a swapped pair. */
static size_t distance(const char *a, size_t la, const char *b, size_t lb)
{
        size_t rows[3][NEAREST_LONGEST + 1];
        size_t *two = rows[0], *last = rows[1], *now = rows[2];

        for (size_t j = 0; j <= lb; j++)
                last[j] = j;
        for (size_t i = 1; i <= la; i++) {
                now[0] = i;
                for (size_t j = 1; j <= lb; j++) {
                        int x = tolower((unsigned char)a[i - 1]),
                            y = tolower((unsigned char)b[j - 1]);

                        now[j] = min(min(last[j], now[j - 1]) + 1, last[j - 1] + (x != y));
                        if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                            y == tolower((unsigned char)a[i - 2]))
                                now[j] = min(now[j], two[j - 2] + 1);
                }
                size_t *spare = two;

                two = last;
                last = now;
                now = spare;
        }
        return last[lb];
}

void nearest_try(struct nearest *n, const char *candidate)
{
        size_t la = strlen(n->word), lb = strlen(candidate);

        if (la > NEAREST_LONGEST || lb > NEAREST_LONGEST)
                return;
        size_t d = distance(n->word, la, candidate, lb);

        if (d < n->distance) {
                n->distance = d;
                n->best = candidate;
        }
}
