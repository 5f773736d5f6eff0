/* SPDX-License-Identifier: Apache-2.0 */
#include "places.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

void places_clear(struct places *p)
{
        p->n = 0;
        p->n_again = 0;
        p->n_sorted = 0;
        buf_clear(&p->text);
}

void places_release(struct places *p)
{
        free(p->nodes);
        free(p->again);
        free(p->sorted);
        buf_release(&p->text);
        *p = (struct places)PLACES_INIT;
}

static int keep_text(struct places *p, const char *s)
{
        int at = (int)p->text.len;

        if (!s)
                return -1;
        buf_add(&p->text, s, strlen(s) + 1);
        return at;
}

static int add(struct places *p, struct place_node node)
{
        if (node.parent >= 0)
                node.index = p->nodes[node.parent].children++;
        MEM_GROW(p->nodes, p->n, p->cap);
        p->nodes[p->n] = node;
        return p->n++;
}

int places_add(struct places *p, int parent, const char *key, struct place at_key,
               struct place at_value, const char *raw)
{
        return add(p, (struct place_node){ .parent = parent,
                                           .key = keep_text(p, key),
                                           .raw = keep_text(p, raw),
                                           .at_key = at_key,
                                           .at_value = at_value });
}

void places_add_again(struct places *p, int node, struct place at)
{
        MEM_GROW(p->again, p->n_again, p->cap_again);
        p->again[p->n_again++] = (struct place_again){ node, at };
}

/* Everything below a node has a parent that is the node or behind it. */
int places_size(const struct places *p, int node)
{
        int end = node + 1;

        while (end < p->n && p->nodes[end].parent >= node)
                end++;
        return end - node;
}

void places_copy_below(struct places *p, int from, int to)
{
        int n = places_size(p, from), shift = to - from;

        p->nodes[to].raw = p->nodes[from].raw;
        for (int i = from + 1; i < from + n; i++) {
                struct place_node copy = p->nodes[i];

                copy.parent += shift;
                copy.children = 0;
                (void)add(p, copy);
        }
}

int places_copy_member(struct places *p, int from, int parent)
{
        struct place_node copy = p->nodes[from];

        copy.parent = parent;
        copy.children = 0;
        int me = add(p, copy);

        places_copy_below(p, from, me);
        return me;
}

/* --- looking up ----------------------------------------------------------------------------- */

/* Before, at or behind the child (key or index) of `parent`. */
static int compare_to(const struct places *p, const struct place_node *n, int parent,
                      const char *key, size_t len, int index)
{
        if (n->parent != parent)
                return n->parent < parent ? -1 : 1;
        if (!key || n->key < 0) {
                bool named = n->key >= 0;

                return named != (key != NULL) ? (named ? 1 : -1)
                       : n->index != index    ? (n->index < index ? -1 : 1)
                                              : 0;
        }
        const char *is = p->text.s + n->key;
        int order = strncmp(is, key, len);

        return order ? order : is[len] != '\0';
}

static int compare(const struct places *p, int a, int b)
{
        const struct place_node *to = &p->nodes[b];
        const char *key = to->key >= 0 ? p->text.s + to->key : NULL;
        int order = compare_to(p, &p->nodes[a], to->parent, key, key ? strlen(key) : 0, to->index);

        return order ? order : a - b;
}

/* Heap sort: qsort() has no way to hand `p` to the comparison without a global. */
static void sift(const struct places *p, int *heap, int at, int n)
{
        for (int child; (child = 2 * at + 1) < n; at = child) {
                if (child + 1 < n && compare(p, heap[child], heap[child + 1]) < 0)
                        child++;
                if (compare(p, heap[at], heap[child]) >= 0)
                        return;
                int swap = heap[at];

                heap[at] = heap[child];
                heap[child] = swap;
        }
}

static void sort(struct places *p)
{
        if (p->cap_sorted < p->n) {
                p->cap_sorted = p->n;
                p->sorted = mem_resize(p->sorted, (size_t)p->n, sizeof *p->sorted);
        }
        for (int i = 0; i < p->n; i++)
                p->sorted[i] = i;
        for (int i = p->n / 2; i-- > 0;)
                sift(p, p->sorted, i, p->n);
        for (int i = p->n; i-- > 1;) {
                int last = p->sorted[0];

                p->sorted[0] = p->sorted[i];
                p->sorted[i] = last;
                sift(p, p->sorted, 0, i);
        }
        p->n_sorted = p->n;
}

int places_child(struct places *p, int node, const char *key, size_t key_len, int index)
{
        if (p->n_sorted != p->n)
                sort(p);
        int low = 0, high = p->n_sorted; /* the last one that is not behind is before high */

        while (low < high) {
                int middle = low + (high - low) / 2;
                const struct place_node *n = &p->nodes[p->sorted[middle]];

                if (compare_to(p, n, node, key, key_len, index) <= 0)
                        low = middle + 1;
                else
                        high = middle;
        }
        if (low == 0)
                return -1;
        int found = p->sorted[low - 1];

        return compare_to(p, &p->nodes[found], node, key, key_len, index) == 0 ? found : -1;
}

/* Go down from *node along the path; false where it ends early. */
static bool descend(struct places *p, const struct path *path, int *node)
{
        if (!path)
                return true;
        if (!descend(p, path->up, node))
                return false;
        const char *key = path->key;

        if (key && !*key && !path->opaque)
                return true;
        do {
                size_t len = !key ? 0 : path->opaque ? strlen(key) : strcspn(key, ".");
                int child = places_child(p, *node, key, len, path->index);

                if (child < 0)
                        return false;
                *node = child;
                key = key && key[len] ? key + len + 1 : NULL;
        } while (key);
        return true;
}

int places_find(struct places *p, const struct path *base, const struct path *path, bool *exact)
{
        int node = 0;

        *exact = false;
        if (!p || p->n == 0)
                return -1;
        *exact = descend(p, base, &node) && descend(p, path, &node);
        return node;
}

struct place places_at(struct places *p, const struct path *base, const struct path *path)
{
        bool exact;
        int node = places_find(p, base, path, &exact);

        if (node < 0)
                return (struct place){ 0, 0 };
        const struct place_node *n = &p->nodes[node];

        return n->at_key.line ? n->at_key : n->at_value;
}

const char *places_raw(struct places *p, const struct path *base, const struct path *path)
{
        bool exact;
        int node = places_find(p, base, path, &exact);

        return node >= 0 && exact && p->nodes[node].raw >= 0 ? p->text.s + p->nodes[node].raw
                                                             : NULL;
}
