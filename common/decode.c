/* SPDX-License-Identifier: Apache-2.0 */
#include "decode.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "json.h"
#include "jvx.h"
#include "nearest.h"
#include "ref.h"
#include "value.h"

/* The object that the walk is in, and those around it. */
struct level {
        const struct type *type;
        const jv *object;
        const struct path *at;
        const struct level *up;
};

/* One walk over one value. */
struct walk {
        struct diag *d;
        const struct path *root;
        int minor; /* KubeVirt 1.minor */
        const struct level *level;
        struct buf server; /* paths of what is the API server's own */
        unsigned n_server; /* how many */
};

/* *v, of the field's type, in place; false: it is not kept (after a report, if it is an error). */
typedef bool decode_fn(jv *v, const struct field *f, const struct path *at, struct walk *w);

static decode_fn decode_one, decode_field;

static bool is_single(const struct field *f)
{
        return !(f->flags & (F_LIST | F_MAP));
}

/* --- what Go writes ------------------------------------------------------------------------- */

static jv zero_object(const struct type *type);

/* What an unset field of the kind is in Go; invalid where it is null. */
static jv zero_of(const struct field *f)
{
        if (!is_single(f) || f->flags & F_POINTER)
                return jv_invalid();
        switch (f->kind) {
        case FIELD_TEXT:
                return jv_string("");
        case FIELD_BOOL:
                return jv_false();
        case FIELD_QUANTITY:
                return jv_string("0");
        case FIELD_OBJECT:
                return zero_object(f->type);
        case FIELD_TIME:
        case FIELD_ANY:
                return jv_invalid();
        default:
                return jv_number(0);
        }
}

/* Go writes the field whether it is set or not: omitempty does not leave out a struct. */
static bool is_always_written(const struct field *f)
{
        if (f->flags & (F_SERVER | F_POINTER) || !is_single(f))
                return false;
        return f->flags & (F_REQUIRED | F_ALWAYS) || f->kind == FIELD_OBJECT ||
               f->kind == FIELD_QUANTITY || f->kind == FIELD_INT_OR_STRING;
}

static jv zero_object(const struct type *type)
{
        jv o = jv_object();

        for (size_t i = 0; i < type->n_fields; i++)
                if (is_always_written(&type->fields[i]))
                        jvx_set(&o, type->fields[i].name, zero_of(&type->fields[i]));
        return o;
}

/* Nothing that Go's omitempty would write. */
static bool is_left_out(const jv *v, const struct field *f)
{
        if (f->flags & F_REQUIRED)
                return false;
        if (!is_single(f))
                return ref_len(ref_of(v)) == 0;
        if (f->flags & (F_ALWAYS | F_POINTER))
                return false;
        switch (f->kind) {
        case FIELD_TEXT:
                return !*jv_string_value(*v);
        case FIELD_BOOL:
                return jvx_is(v, JV_KIND_FALSE);
        case FIELD_INT32:
        case FIELD_INT64:
        case FIELD_UINT32:
        case FIELD_UINT64:
                return ref_int(ref_of(v), 1) == 0;
        default:
                return false;
        }
}

/* --- unknown fields ------------------------------------------------------------------------- */

/* The field of that name, whatever the case of its letters. */
static const struct field *field_in_any_case(const struct type *type, const char *name)
{
        for (size_t i = 0; i < type->n_fields; i++)
                if (strcasecmp(type->fields[i].name, name) == 0)
                        return &type->fields[i];
        return NULL;
}

/* "disk.readonly" for a readOnly beside the disk: the field that has the name and is one level
 * down, in an object that is there rather than in one that could be. False if there is none. */
static bool advise_below(const struct level *level, const char *name, struct buf *advice)
{
        bool there = false;

        for (size_t i = 0; i < level->type->n_fields && !there; i++) {
                const struct field *f = &level->type->fields[i];
                const struct field *is =
                        f->kind == FIELD_OBJECT && is_single(f) && !(f->flags & F_SERVER)
                                ? field_in_any_case(f->type, name)
                                : NULL;

                if (!is)
                        continue;
                there = ref_kind(ref_get(ref_of(level->object), f->name)) != JV_KIND_INVALID;
                if (!there && advice->len)
                        continue;
                buf_clear(advice);
                buf_addf(advice, "did you mean \"%s.%s\"?", f->name, is->name);
        }
        return advice->len > 0;
}

/* A field of an object around this one, from a line that is indented too far. */
static bool advise_above(const struct level *level, const char *name, struct buf *advice)
{
        for (const struct level *up = level->up; up; up = up->up) {
                if (!schema_field(up->type, name))
                        continue;
                BUF_AUTO struct buf path = BUF_INIT;

                path_print(AT(up->at, name), &path);
                buf_addf(advice, "%s has it: move it up to %s", up->type->name, path.s);
                return true;
        }
        return false;
}

static void advise(const struct level *level, const char *name, struct buf *advice)
{
        struct nearest near = nearest_to(name);

        for (size_t i = 0; i < level->type->n_fields; i++)
                nearest_try(&near, level->type->fields[i].name);
        if (near.distance > 0 &&
            (advise_below(level, name, advice) || advise_above(level, name, advice)))
                return;
        if (near.best)
                buf_addf(advice, "did you mean \"%s\"?", near.best);
        else
                buf_adds(advice,
                         "remove it (vmq-validate --list-fields prints those that there are)");
}

static void report_unknown(const char *name, const struct path *at, struct walk *w)
{
        BUF_AUTO struct buf advice = BUF_INIT;

        if (w->d->n < DIAG_MOST) /* beyond that nobody sees it */
                advise(w->level, name, &advice);
        diag_report(w->d, VMQ_UNKNOWN_FIELD, at, "%s has no such field; %s", w->level->type->name,
                    advice.s);
}

/* --- what is the API server's own ----------------------------------------------------------- */

/* What kubectl notes in metadata.annotations. */
static const char last_applied[] = "kubectl.kubernetes.io/last-applied-configuration";

/* Steps down from the root. */
static unsigned depth_of(const struct path *at, const struct walk *w)
{
        unsigned n = 0;

        for (const struct path *p = at; p && p != w->root; p = p->up)
                n++;
        return n;
}

static void note_server(const jv *v, const struct path *at, struct walk *w)
{
        if (jvx_is(v, JV_KIND_OBJECT) && ref_len(ref_of(v)) == 0)
                return;
        if (w->n_server++ >= 8)
                return;
        BUF_AUTO struct buf path = BUF_INIT;

        path_print(at, &path);
        buf_addf(&w->server, "%s%s", w->server.len ? ", " : "", path.s);
}

/* --- lists and maps ------------------------------------------------------------------------- */

/* An element of the field's list or map: the same kind, alone. */
static struct field element_of(const struct field *f)
{
        struct field e = *f;

        e.flags &= ~(unsigned)(F_LIST | F_MAP | F_POINTER);
        return e;
}

static bool decode_element(jv *v, const struct field *element, const struct path *at,
                           struct walk *w)
{
        if (!jvx_is(v, JV_KIND_NULL))
                return decode_one(v, element, at, w);
        diag_report(w->d, VMQ_EMPTY_ELEMENT, at,
                    "an empty element; write something behind the \"-\", or remove it");
        return false;
}

static bool decode_list(jv *list, const struct field *f, const struct path *at, struct walk *w)
{
        const struct field element = element_of(f);
        int n = ref_len(ref_of(list));

        if (!jvx_is(list, JV_KIND_ARRAY)) {
                value_report(list, "a list", "write \"- \" in front of each element", at, w->d);
                return false;
        }
        if (f->flags & F_MAX_256 && n > 256)
                diag_report(w->d, VMQ_TOO_MANY, at, "%d elements; have 256 at most", n);
        for (int i = 0; i < n; i++) {
                JVX_AUTO jv item = jvx_detach_item(list, i);

                if (!decode_element(&item, &element, AT_INDEX(at, i), w)) {
                        jv_free(item);
                        item = zero_of(&element);
                }
                jvx_set_item(list, i, jvx_take(&item));
        }
        return true;
}

static bool decode_map_member(jv *v, const char *key, const struct field *element,
                              const struct path *at, struct walk *w)
{
        if (depth_of(at, w) == 3 && strcmp(key, last_applied) == 0) {
                note_server(v, at, w);
                return false;
        }
        if (element->flags & F_LOOSE)
                return value_decode_loose_text(v, at, w->d);
        if (!jvx_is(v, JV_KIND_NULL))
                return decode_one(v, element, at, w);
        *v = zero_of(element); /* as Go has it: a request of null is one of "0" */
        return jv_is_valid(*v);
}

/* The members are changed and removed under the iterator, which libjq allows: a slot keeps its
 * number until a member is added. */
static bool decode_map(jv *map, const struct field *f, const struct path *at, struct walk *w)
{
        const struct field element = element_of(f);

        if (!jvx_is(map, JV_KIND_OBJECT)) {
                value_report(map, "a map", "write \"KEY: VALUE\" lines below it", at, w->d);
                return false;
        }
        for (int it = jv_object_iter(*map); jv_object_iter_valid(*map, it);
             it = jv_object_iter_next(*map, it)) {
                JVX_AUTO jv key = jv_object_iter_key(*map, it);
                JVX_AUTO jv v = jv_object_iter_value(*map, it);
                const char *name = jv_string_value(key);

                if (decode_map_member(&v, name, &element, AT_KEY(at, name), w))
                        *map = jv_object_set(*map, jvx_take(&key), jvx_take(&v));
                else
                        *map = jv_object_delete(*map, jvx_take(&key));
        }
        return true;
}

/* --- objects -------------------------------------------------------------------------------- */

static bool report_newer(const struct field *f, const struct path *at, struct walk *w)
{
        unsigned since = F_SINCE_OF(f->flags);

        if ((int)since <= w->minor)
                return false;
        diag_report(w->d, VMQ_NEWER_FIELD, at,
                    "KubeVirt 1.%d does not have this field, which came with 1.%u; it is dropped: "
                    "remove it, or use a launcher image of 1.%u or later",
                    w->minor, since, since);
        return true;
}

/* A key without a value: for `masquerade:` somebody meant to choose it. */
static void report_null(const struct field *f, const struct path *at, struct walk *w)
{
        if (f->kind == FIELD_OBJECT && is_single(f) && f->flags & F_POINTER &&
            !(f->flags & (F_REQUIRED | F_SERVER)))
                diag_report(w->d, VMQ_NULL_OBJECT, at,
                            "has no value and counts as left out; write {} to have it");
}

static bool decode_field(jv *v, const struct field *f, const struct path *at, struct walk *w)
{
        if (jvx_is(v, JV_KIND_NULL)) {
                report_null(f, at, w);
                return false;
        }
        /* The object's own status and metadata, and not that of a template inside it. */
        if (f->flags & F_SERVER && depth_of(at, w) <= 2) {
                if (f->kind == FIELD_OBJECT || f->flags & F_LIST || decode_one(v, f, at, w))
                        note_server(v, at, w);
                return false;
        }
        if (report_newer(f, at, w))
                return false;
        decode_fn *decode = f->flags & F_LIST  ? decode_list
                            : f->flags & F_MAP ? decode_map
                                               : decode_one;

        return decode(v, f, at, w) && !is_left_out(v, f);
}

/* Report what is required and was not among the fields seen (bit i: row i), and put there what Go
 * always writes. */
static void complete(jv *obj, const struct type *type, uint64_t seen, const struct path *at,
                     struct walk *w)
{
        for (size_t i = 0; i < type->n_fields; i++) {
                const struct field *f = &type->fields[i];

                if (f->flags & F_REQUIRED && !(seen >> i & 1))
                        diag_report(w->d, VMQ_MISSING_FIELD, AT(at, f->name),
                                    "is required and missing; add it (%s)",
                                    f->flags & F_LIST  ? "a list"
                                    : f->flags & F_MAP ? "a map"
                                                       : value_wanted(f->kind));
                if (is_always_written(f))
                        jvx_set_default(obj, f->name, zero_of(f));
        }
}

/* The member of *obj at the iterator. Returns its field's row; NULL if it has none or is null. */
static const struct field *decode_member(jv *obj, jv key, int it, const struct path *at,
                                         struct walk *w)
{
        const char *name = jv_string_value(key);
        const struct field *f = schema_field(w->level->type, name);
        JVX_AUTO jv v = jv_object_iter_value(*obj, it);
        bool set = f && !jvx_is(&v, JV_KIND_NULL), keep = false;

        if (f) {
                if (ref_len(ref_of(&v)) > 0) /* ours alone, so that it is changed in place */
                        *obj = jv_object_set(*obj, jv_copy(key), jv_null());
                keep = decode_field(&v, f, at, w);
        } else {
                report_unknown(name, at, w);
        }
        *obj = keep ? jv_object_set(*obj, key, jvx_take(&v)) : jv_object_delete(*obj, key);
        return set ? f : NULL;
}

static bool wrong_object(const jv *v, const struct type *type, const struct path *at,
                         struct walk *w)
{
        bool choice = type->n_fields == 0 || jvx_is(v, JV_KIND_TRUE);

        value_report(v, "an object",
                     choice ? "write {} to have it, leave it out not to"
                            : "write its fields, indented, below it",
                     at, w->d);
        return false;
}

static bool decode_object(jv *obj, const struct type *type, const struct path *at, struct walk *w)
{
        const struct level level = { type, obj, at, w->level };
        uint64_t seen = 0;

        assert(type->n_fields <= 64);
        if (!jvx_is(obj, JV_KIND_OBJECT))
                return wrong_object(obj, type, at, w);
        w->level = &level;
        for (int it = jv_object_iter(*obj); jv_object_iter_valid(*obj, it);
             it = jv_object_iter_next(*obj, it)) {
                JVX_AUTO jv key = jv_object_iter_key(*obj, it);
                const char *name = jv_string_value(key);
                const struct field *set = decode_member(obj, jv_copy(key), it, AT_KEY(at, name), w);

                if (set)
                        seen |= UINT64_C(1) << (set - type->fields);
        }
        w->level = level.up;
        complete(obj, type, seen, at, w);
        return true;
}

static bool decode_one(jv *v, const struct field *f, const struct path *at, struct walk *w)
{
        if (f->kind == FIELD_OBJECT)
                return decode_object(v, f->type, at, w);
        return f->kind == FIELD_ANY || value_decode(v, f, at, w->d);
}

void decode_value(jv *value, const struct type *type, int minor, const struct path *at,
                  struct diag *d)
{
        struct walk w = { .d = d, .root = at, .minor = minor, .server = BUF_INIT };

        if (!decode_object(value, type, at, &w)) {
                jv_free(*value);
                *value = zero_object(type);
        }
        if (w.n_server > 0)
                diag_report(d, VMQ_CLUSTER_FIELDS, at,
                            "left out, since only a cluster keeps them: %s%s", w.server.s,
                            w.n_server > 8 ? " and more" : "");
        buf_release(&w.server);
}
