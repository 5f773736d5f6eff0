/* SPDX-License-Identifier: Apache-2.0 */
#include "places.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

void places_clear(struct places *p)
{
        p->n = 0;
        buf_clear(&p->text);
}

void places_release(struct places *p)
{
        free(p->nodes);
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

static void link_child(struct places *p, int parent, int child)
{
        struct place_node *up = &p->nodes[parent];

        if (up->last_child < 0) {
                up->first_child = child;
        } else {
                p->nodes[up->last_child].next_sibling = child;
                p->nodes[child].index = p->nodes[up->last_child].index + 1;
        }
        up->last_child = child;
}

int places_add(struct places *p, int parent, const char *key, struct place at_key,
               struct place at_value, const char *raw)
{
        int me = p->n;

        MEM_GROW(p->nodes, p->n, p->cap);
        p->nodes[p->n++] = (struct place_node){ .next_sibling = -1,
                                                .first_child = -1,
                                                .last_child = -1,
                                                .key = keep_text(p, key),
                                                .raw = keep_text(p, raw),
                                                .at_key = at_key,
                                                .at_value = at_value };
        if (parent >= 0)
                link_child(p, parent, me);
        return me;
}

/* The child of a node by key (len bytes of it), or by index where key is NULL; -1. */
static int find_child(const struct places *p, int node, const char *key, size_t len, int index)
{
        int last = -1;

        for (int i = p->nodes[node].first_child; i >= 0; i = p->nodes[i].next_sibling) {
                const struct place_node *n = &p->nodes[i];
                const char *is = n->key >= 0 ? p->text.s + n->key : NULL;

                if (!key && n->index == index)
                        return i;
                if (key && is && strlen(is) == len && memcmp(is, key, len) == 0)
                        last = i; /* of a key given twice the last one counts */
        }
        return last;
}

/* Go down from *node along the path; false where it ends early. */
static bool descend(const struct places *p, const struct path *path, int *node)
{
        if (!path)
                return true;
        if (!descend(p, path->up, node))
                return false;
        const char *key = path->key;

        if (key && !*key)
                return true;
        do {
                size_t len = !key ? 0 : path->opaque ? strlen(key) : strcspn(key, ".");
                int child = find_child(p, *node, key, len, path->index);

                if (child < 0)
                        return false;
                *node = child;
                key = key && key[len] ? key + len + 1 : NULL;
        } while (key);
        return true;
}

int places_find(const struct places *p, const struct path *base, const struct path *path,
                bool *exact)
{
        int node = 0;

        *exact = false;
        if (!p || p->n == 0)
                return -1;
        *exact = descend(p, base, &node) && descend(p, path, &node);
        return node;
}

struct place places_at(const struct places *p, const struct path *base, const struct path *path)
{
        bool exact;
        int node = places_find(p, base, path, &exact);

        if (node < 0)
                return (struct place){ 0, 0 };
        const struct place_node *n = &p->nodes[node];

        return n->at_key.line ? n->at_key : n->at_value;
}

const char *places_raw(const struct places *p, const struct path *base, const struct path *path)
{
        bool exact;
        int node = places_find(p, base, path, &exact);

        return node >= 0 && exact && p->nodes[node].raw >= 0 ? p->text.s + p->nodes[node].raw : NULL;
}
