/* SPDX-License-Identifier: Apache-2.0 */
#include "ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

static const struct ref absent; /* JV_KIND_INVALID is 0 */

/* Give back the reference that libjq handed out: `of`, which it is from, still holds its own. */
static struct ref borrow(struct ref of, jv v)
{
        struct ref r = { .v = v, .keys = of.keys };

        if (!jv_is_valid(v)) {
                jv_free(v);
                return absent;
        }
        jv_free(v);
        return r;
}

struct ref ref_none(void)
{
        return absent;
}

struct ref ref_of(const jv *v)
{
        return (struct ref){ .v = *v };
}

struct ref ref_with(const jv *v, struct keys *keys)
{
        return (struct ref){ .v = *v, .keys = keys };
}

static struct ref get(struct ref r, const char *key, size_t len)
{
        if (jv_get_kind(r.v) != JV_KIND_OBJECT)
                return absent;
        return borrow(r, jv_object_get(jv_copy(r.v), keys_get(r.keys, key, len)));
}

struct ref ref_get(struct ref r, const char *key)
{
        return get(r, key, strlen(key));
}

struct ref ref_at(struct ref r, const char *path)
{
        for (;;) {
                size_t n = strcspn(path, ".");

                r = get(r, path, n);
                if (!path[n])
                        return r;
                path += n + 1;
        }
}

struct ref ref_item(struct ref r, int i)
{
        if (i < 0 || jv_get_kind(r.v) != JV_KIND_ARRAY)
                return absent;
        return borrow(r, jv_array_get(jv_copy(r.v), i)); /* invalid behind the end */
}

int ref_len(struct ref r)
{
        switch (jv_get_kind(r.v)) {
        case JV_KIND_ARRAY:
                return jv_array_length(jv_copy(r.v));
        case JV_KIND_OBJECT:
                return jv_object_length(jv_copy(r.v));
        default:
                return 0;
        }
}

jv_kind ref_kind(struct ref r)
{
        jv_kind kind = jv_get_kind(r.v);

        if (kind != JV_KIND_STRING || !json_kept(&r.v))
                return kind;
        return json_bigint(&r.v) ? JV_KIND_NUMBER : JV_KIND_INVALID;
}

bool ref_is_set(struct ref r)
{
        return jv_is_valid(r.v) && jv_get_kind(r.v) != JV_KIND_NULL;
}

const char *ref_str(struct ref r)
{
        if (jv_get_kind(r.v) != JV_KIND_STRING)
                return NULL;
        const char *s = jv_string_value(r.v);

        return *s || !json_kept(&r.v) ? s : NULL; /* what is kept has a NUL in front */
}

const char *ref_text(struct ref r, const char *path)
{
        const char *s = ref_str(ref_at(r, path));

        return s ? s : "";
}

bool ref_eq(struct ref r, const char *s)
{
        const char *is = ref_str(r);

        return is && strcmp(is, s) == 0;
}

long long ref_int(struct ref r, long long fallback)
{
        const char *big = json_bigint(&r.v);

        if (big)
                return json_parse_int(big, fallback);
        if (jv_get_kind(r.v) != JV_KIND_NUMBER)
                return fallback;
        double d = jv_number_value(r.v);

        return d == floor(d) && fabs(d) <= JSON_EXACT ? (long long)d : fallback;
}

bool ref_bool(struct ref r, bool fallback)
{
        switch (jv_get_kind(r.v)) {
        case JV_KIND_TRUE:
                return true;
        case JV_KIND_FALSE:
                return false;
        default:
                return fallback;
        }
}

jv ref_copy(struct ref r)
{
        return jv_copy(r.v);
}

struct ref ref_find(struct ref list, const char *key, const char *value)
{
        struct ref found = absent;
        jv name = keys_get(list.keys, key, strlen(key));

        REF_EACH(c, list) {
                if (jv_get_kind(c.item.v) == JV_KIND_OBJECT &&
                    ref_eq(borrow(list, jv_object_get(jv_copy(c.item.v), jv_copy(name))), value)) {
                        found = c.item;
                        break;
                }
        }
        jv_free(name);
        return found;
}

static void load(struct ref_cursor *c)
{
        if (jv_get_kind(c->of.v) == JV_KIND_OBJECT) {
                if (!jv_object_iter_valid(c->of.v, c->iter))
                        return;
                jv key = jv_object_iter_key(c->of.v, c->iter);

                c->key = jv_string_value(key);
                jv_free(key);
                c->item = borrow(c->of, jv_object_iter_value(c->of.v, c->iter));
        } else if (c->i < c->n) {
                c->item = borrow(c->of, jv_array_get(jv_copy(c->of.v), c->i));
        }
}

struct ref_cursor ref_first(struct ref of)
{
        struct ref_cursor c = { .of = of };

        if (jv_get_kind(of.v) == JV_KIND_ARRAY)
                c.n = ref_len(of);
        if (jv_get_kind(of.v) == JV_KIND_OBJECT)
                c.iter = jv_object_iter(of.v);
        load(&c);
        return c;
}

bool ref_more(const struct ref_cursor *c)
{
        if (jv_get_kind(c->of.v) == JV_KIND_OBJECT)
                return jv_object_iter_valid(c->of.v, c->iter);
        return c->i < c->n;
}

void ref_step(struct ref_cursor *c)
{
        c->i++;
        if (jv_get_kind(c->of.v) == JV_KIND_OBJECT)
                c->iter = jv_object_iter_next(c->of.v, c->iter);
        load(c);
}
