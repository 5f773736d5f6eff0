/* SPDX-License-Identifier: Apache-2.0 */
#include "jvx.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "ref.h"

#define STEP_SIZE 128 /* bytes of the longest field name, with its NUL */

jv jvx_get(const jv *obj, const char *key)
{
        return ref_copy(ref_get(ref_of(obj), key));
}

/* Make *v an empty container of that kind unless it is one already. */
static void become(jv *v, jv_kind kind)
{
        if (jv_get_kind(*v) == kind)
                return;
        jv_free(*v);
        *v = kind == JV_KIND_ARRAY ? jv_array() : jv_object();
}

void jvx_set(jv *obj, const char *key, jv val)
{
        if (!jv_is_valid(val)) {
                jv_free(val);
                return;
        }
        become(obj, JV_KIND_OBJECT);
        *obj = jv_object_set(*obj, jv_string(key), val);
}

/* The member, moved out; null stays in its place. `key` is borrowed. */
static jv detach(jv *obj, const jv *key)
{
        if (!jvx_is(obj, JV_KIND_OBJECT))
                return jv_invalid();
        jv child = jv_object_get(jv_copy(*obj), jv_copy(*key));

        if (jv_is_valid(child)) {
                *obj = jv_object_set(*obj, jv_copy(*key), jv_null());
                return child;
        }
        jv_free(child);
        return jv_invalid();
}

/* Put it back, if it is there. */
static void put_back(jv *obj, const jv *key, jv *child)
{
        if (jv_is_valid(*child))
                *obj = jv_object_set(*obj, jv_copy(*key), jvx_take(child));
}

void jvx_set_default(jv *obj, const char *key, jv val)
{
        if (ref_is_set(ref_get(ref_of(obj), key)))
                jv_free(val);
        else
                jvx_set(obj, key, val);
}

void jvx_del(jv *obj, const char *key)
{
        if (jvx_is(obj, JV_KIND_OBJECT))
                *obj = jv_object_delete(*obj, jv_string(key));
}

jv jvx_detach(jv *obj, const char *key)
{
        JVX_AUTO jv name = jv_string(key);

        return detach(obj, &name);
}

/* The first step of a dotted path; *rest is what follows its dot, NULL if it is the last. */
static const char *first_step(const char *path, char key[static STEP_SIZE], const char **rest)
{
        size_t n = strcspn(path, ".");

        assert(n < STEP_SIZE);
        memcpy(key, path, n);
        key[n] = '\0';
        *rest = path[n] ? path + n + 1 : NULL;
        return key;
}

/* Do `leaf` to the last step of the path, with every object on the way taken out, edited and put
 * back. Where `make` is false, a missing step ends the walk. */
static void edit_at(jv *obj, const char *path, bool make, void (*leaf)(jv *, const char *, jv),
                    jv val)
{
        char step[STEP_SIZE];
        const char *rest, *key = first_step(path, step, &rest);

        if (!rest) {
                leaf(obj, key, val);
                return;
        }
        JVX_AUTO jv name = jv_string(key);
        JVX_AUTO jv child = detach(obj, &name);

        if (!jvx_is(&child, JV_KIND_OBJECT) && !make) {
                put_back(obj, &name, &child);
                jv_free(val);
                return;
        }
        edit_at(&child, rest, make, leaf, val);
        become(obj, JV_KIND_OBJECT);
        put_back(obj, &name, &child);
}

void jvx_edit_at(jv *obj, const char *path, void (*edit)(jv *, void *), void *arg)
{
        char step[STEP_SIZE];
        const char *rest, *key = first_step(path, step, &rest);
        JVX_AUTO jv name = jv_string(key);
        JVX_AUTO jv child = detach(obj, &name);

        if (!jv_is_valid(child) || jvx_is(&child, JV_KIND_NULL))
                return;
        if (rest)
                jvx_edit_at(&child, rest, edit, arg);
        else
                edit(&child, arg);
        put_back(obj, &name, &child);
}

struct each {
        void (*edit)(jv *, void *);
        void *arg;
};

static void edit_items(jv *list, void *arg)
{
        const struct each *each = arg;
        int n = ref_len(ref_of(list));

        for (int i = 0; jvx_is(list, JV_KIND_ARRAY) && i < n; i++) {
                JVX_AUTO jv item = jvx_detach_item(list, i);

                each->edit(&item, each->arg);
                jvx_set_item(list, i, jvx_take(&item));
        }
}

void jvx_each_at(jv *obj, const char *path, void (*edit)(jv *, void *), void *arg)
{
        jvx_edit_at(obj, path, edit_items, &(struct each){ edit, arg });
}

static void leaf_del(jv *obj, const char *key, jv val)
{
        jv_free(val);
        jvx_del(obj, key);
}

static void leaf_append(jv *obj, const char *key, jv val)
{
        JVX_AUTO jv list = jvx_detach(obj, key);

        jvx_append(&list, val);
        jvx_set(obj, key, jvx_take(&list));
}

void jvx_set_at(jv *obj, const char *path, jv val)
{
        if (jv_is_valid(val))
                edit_at(obj, path, true, jvx_set, val);
        else
                jv_free(val);
}

void jvx_set_default_at(jv *obj, const char *path, jv val)
{
        if (jv_is_valid(val))
                edit_at(obj, path, true, jvx_set_default, val);
        else
                jv_free(val);
}

void jvx_del_at(jv *obj, const char *path)
{
        edit_at(obj, path, false, leaf_del, jv_invalid());
}

void jvx_append_at(jv *obj, const char *path, jv val)
{
        if (jv_is_valid(val))
                edit_at(obj, path, true, leaf_append, val);
        else
                jv_free(val);
}

void jvx_append(jv *arr, jv val)
{
        if (!jv_is_valid(val)) {
                jv_free(val);
                return;
        }
        become(arr, JV_KIND_ARRAY);
        *arr = jv_array_append(*arr, val);
}

void jvx_prepend(jv *arr, jv val)
{
        if (!jv_is_valid(val)) {
                jv_free(val);
                return;
        }
        become(arr, JV_KIND_ARRAY);
        *arr = jv_array_concat(jv_array_append(jv_array(), val), *arr);
}

jv jvx_detach_item(jv *arr, int i)
{
        jv item = ref_copy(ref_item(ref_of(arr), i));

        if (jv_is_valid(item))
                *arr = jv_array_set(*arr, i, jv_null());
        return item;
}

void jvx_set_item(jv *arr, int i, jv val)
{
        assert(jv_is_valid(val));
        *arr = jv_array_set(*arr, i, val);
}

/* The rest of a template and its arguments. */
struct template
{
        const char *p;
        va_list *ap;
};

static jv build_value(struct template *t);

static void skip_space(struct template *t)
{
        while (isspace((unsigned char)*t->p))
                t->p++;
}

/* Step over c if it is next. */
static bool accept(struct template *t, char c)
{
        skip_space(t);
        if (*t->p != c)
                return false;
        t->p++;
        return true;
}

static void expect(struct template *t, char c)
{
        bool there = accept(t, c);

        assert(there);
        (void)there;
}

static jv build_argument(struct template *t)
{
        switch (*t->p++) {
        case 's': {
                const char *s = va_arg(*t->ap, const char *);

                return s ? jv_string(s) : jv_invalid();
        }
        case 'd':
                return json_int(va_arg(*t->ap, int));
        case 'l':
                return json_int(va_arg(*t->ap, long long));
        case 'b':
                return jv_bool(va_arg(*t->ap, int));
        case 'j':
                return va_arg(*t->ap, jv);
        case 'r':
                return ref_copy(va_arg(*t->ap, struct ref));
        default:
                assert(!"jvx_build: unknown % in template");
                return jv_invalid();
        }
}

static jv build_key(struct template *t)
{
        skip_space(t);
        if (accept(t, '%'))
                return build_argument(t);
        if (*t->p == '\'')
                return build_value(t);
        size_t n = strcspn(t->p, ": ");
        jv key = jv_string_sized(t->p, (int)n);

        t->p += n;
        return key;
}

static jv build_object(struct template *t)
{
        jv o = jv_object();

        for (bool more = !accept(t, '}'); more; more = !accept(t, '}')) {
                JVX_AUTO jv key = build_key(t);

                expect(t, ':');
                jv val = build_value(t);

                if (jv_is_valid(val) && jv_is_valid(key))
                        o = jv_object_set(o, jvx_take(&key), val);
                else
                        jv_free(val);
                (void)accept(t, ',');
        }
        return o;
}

static jv build_array(struct template *t)
{
        jv a = jv_array();

        while (!accept(t, ']')) {
                jvx_append(&a, build_value(t));
                (void)accept(t, ',');
        }
        return a;
}

static jv build_word(struct template *t)
{
        size_t n = strcspn(t->p, ",]} ");
        JVX_AUTO jv text = jv_string_sized(t->p, (int)n);

        t->p += n;
        return jv_parse(jv_string_value(text));
}

static jv build_value(struct template *t)
{
        skip_space(t);
        if (accept(t, '{'))
                return build_object(t);
        if (accept(t, '['))
                return build_array(t);
        if (accept(t, '%'))
                return build_argument(t);
        if (accept(t, '\'')) {
                size_t n = strcspn(t->p, "'");
                jv text = jv_string_sized(t->p, (int)n);

                t->p += n + 1;
                return text;
        }
        return build_word(t);
}

jv jvx_build(const char *template, ...)
{
        va_list ap;

        va_start(ap, template);
        struct template t = { .p = template, .ap = &ap };
        jv v = build_value(&t);

        va_end(ap);
        return v;
}
