/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "jvx.h"
#include "nearest.h"
#include "quantity.h"
#include "ref.h"

/* One walk over one document. */
struct walk {
        struct diag *d;
        const struct path *root;
        int minor;         /* KubeVirt 1.minor */
        struct buf server; /* paths of what is the API server's own */
        unsigned n_server; /* how many */
};

/* Where the value at hand stands: for messages, and in d->places (-1: not known). */
struct spot {
        const struct path *at;
        int node;
};

/* *v, of the field's kind, in place; false: it is not kept (after a report, if it is an error). */
typedef bool decode_fn(jv *v, const struct field *f, struct spot s, struct walk *w);

static decode_fn decode_one, decode_object;

const struct field *schema_field(const struct type *type, const char *name)
{
        for (size_t i = 0; i < type->n_fields; i++)
                if (strcmp(type->fields[i].name, name) == 0)
                        return &type->fields[i];
        return NULL;
}

static bool is_single(const struct field *f)
{
        return !(f->flags & (F_LIST | F_MAP));
}

/* --- places --------------------------------------------------------------------------------- */

/* The child of `parent` by key, or the element (key NULL) behind its sibling `after` (-1: the first
 * one). */
static int child_node(struct walk *w, int parent, int after, const char *key)
{
        struct places *p = w->d->places;

        if (parent < 0)
                return -1;
        return places_child(p, parent, key, key ? strlen(key) : 0,
                            after < 0 ? 0 : p->nodes[after].index + 1);
}

/* The scalar as it was written; NULL where it is its own text or nothing is known. */
static const char *raw_text(const struct walk *w, int node)
{
        const struct places *p = w->d->places;

        return node >= 0 && p->nodes[node].raw >= 0 ? p->text.s + p->nodes[node].raw : NULL;
}

/* --- wrong types ---------------------------------------------------------------------------- */

/* What the value is, for a message: `the text "two"`, `the number 4711`, `a list`. */
static void describe(const jv *v, struct buf *out)
{
        BUF_AUTO struct buf text = BUF_INIT;

        switch (ref_kind(ref_of(v))) {
        case JV_KIND_STRING:
                buf_addf(out, "the text \"%.40s%s\"", jv_string_value(*v),
                         strlen(jv_string_value(*v)) > 40 ? "..." : "");
                return;
        case JV_KIND_NUMBER:
                json_print(v, &text);
                buf_addf(out, "the number %.40s%s", text.s, text.len > 40 ? "..." : "");
                return;
        case JV_KIND_ARRAY:
                buf_adds(out, "a list");
                return;
        case JV_KIND_OBJECT:
                buf_adds(out, "an object");
                return;
        default:
                json_print(v, out);
                return;
        }
}

static const struct kind_words {
        const char *name;   /* schema_kind_name() */
        const char *wanted; /* what belongs there */
        const char *advice;
} kind_words[] = {
        [FIELD_TEXT] = { "text", "a text", "write it in quotes" },
        [FIELD_BOOL] = { "boolean", "true or false", "write true or false, without quotes" },
        [FIELD_INT32] = { "int32", "a whole number", "write digits only, without quotes or unit" },
        [FIELD_INT64] = { "int64", "a whole number", "write digits only, without quotes or unit" },
        [FIELD_UINT32] = { "uint32", "a whole number",
                           "write digits only, without quotes or unit" },
        [FIELD_UINT64] = { "uint64", "a whole number",
                           "write digits only, without quotes or unit" },
        [FIELD_QUANTITY] = { "quantity", "a quantity", "write an amount like 500m, 2 or 4Gi" },
        [FIELD_INT_OR_STRING] = { "int32 or text", "a number or a name", "write one of them" },
        [FIELD_TIME] = { "time", "a time", "write it like 2026-01-31T12:00:00Z" },
        [FIELD_OBJECT] = { "object", "an object", "write its fields, indented, below it" },
        [FIELD_ANY] = { "any value", "anything", "write anything" },
};

const char *schema_kind_name(enum field_kind kind)
{
        return kind_words[kind].name;
}

static void report_type(const jv *v, const char *wanted, const char *advice, struct spot s,
                        struct walk *w)
{
        BUF_AUTO struct buf is = BUF_INIT;

        describe(v, &is);
        diag_report(w->d, VMQ_WRONG_TYPE, s.at, "%s where %s belongs; %s", is.s, wanted, advice);
}

static bool wrong_kind(const jv *v, const struct field *f, struct spot s, struct walk *w)
{
        const struct kind_words *k = &kind_words[f->kind];
        bool empty = f->kind == FIELD_OBJECT && (f->type->n_fields == 0 || jvx_is(v, JV_KIND_TRUE));

        report_type(v, k->wanted, empty ? "write {} to have it, leave it out not to" : k->advice, s,
                    w);
        return false;
}

/* --- scalars -------------------------------------------------------------------------------- */

static decode_fn decode_text, decode_bool, decode_integer, decode_quantity, decode_int_or_string,
        decode_time, decode_any;

static decode_fn *const decoders[] = {
        [FIELD_TEXT] = decode_text,         [FIELD_BOOL] = decode_bool,
        [FIELD_INT32] = decode_integer,     [FIELD_INT64] = decode_integer,
        [FIELD_UINT32] = decode_integer,    [FIELD_UINT64] = decode_integer,
        [FIELD_QUANTITY] = decode_quantity, [FIELD_INT_OR_STRING] = decode_int_or_string,
        [FIELD_TIME] = decode_time,         [FIELD_OBJECT] = decode_object,
        [FIELD_ANY] = decode_any,
};

static bool decode_one(jv *v, const struct field *f, struct spot s, struct walk *w)
{
        return decoders[f->kind](v, f, s, w);
}

static bool decode_any(jv *v, const struct field *f, struct spot s, struct walk *w)
{
        (void)v, (void)f, (void)s, (void)w;
        return true;
}

static bool decode_bool(jv *v, const struct field *f, struct spot s, struct walk *w)
{
        return jvx_is(v, JV_KIND_TRUE) || jvx_is(v, JV_KIND_FALSE) || wrong_kind(v, f, s, w);
}

static void check_word(const char *text, const struct field *f, struct spot s, struct walk *w)
{
        BUF_AUTO struct buf all = BUF_INIT;

        if (!f->words || !*text || f->flags & F_RULED)
                return;
        for (const char *const *word = f->words; *word; word++) {
                if (strcmp(*word, text) == 0)
                        return;
                buf_addf(&all, "%s%s", word == f->words ? "" : word[1] ? ", " : " or ", *word);
        }
        diag_report(w->d, f->flags & F_LAX ? VMQ_UNKNOWN_WORD : VMQ_NOT_A_CHOICE, s.at,
                    "\"%.60s\" is not known here; use %s", text, all.s);
}

static bool decode_text(jv *v, const struct field *f, struct spot s, struct walk *w)
{
        jv_kind kind = ref_kind(ref_of(v));

        if (kind != JV_KIND_STRING) {
                if (kind == JV_KIND_ARRAY || kind == JV_KIND_OBJECT)
                        return wrong_kind(v, f, s, w);
                BUF_AUTO struct buf is = BUF_INIT;
                const char *raw = raw_text(w, s.node);
                jv text = raw ? jv_string(raw) : json_text(v);

                describe(v, &is);
                diag_report(w->d, VMQ_TEXT_NEEDED, s.at,
                            "%s where a text belongs; write \"%.60s\", in quotes", is.s,
                            jv_string_value(text));
                jv_free(*v);
                *v = text;
        }
        check_word(jv_string_value(*v), f, s, w);
        return true;
}

/* What a whole number of the kind is between. */
static const struct range {
        const char *min, *max;
} ranges[] = {
        [FIELD_INT32] = { "-2147483648", "2147483647" },
        [FIELD_INT64] = { "-9223372036854775808", "9223372036854775807" },
        [FIELD_UINT32] = { "0", "4294967295" },
        [FIELD_UINT64] = { "0", "18446744073709551615" },
};

/* Compare two whole numbers by their digits; neither has leading zeros. */
static int compare_digits(const char *a, const char *b)
{
        bool minus = *a == '-';

        if (minus != (*b == '-'))
                return minus ? -1 : 1;
        size_t la = strlen(a), lb = strlen(b);
        int sign = la != lb ? (la < lb ? -1 : 1) : strcmp(a, b);

        return minus ? -sign : sign;
}

static bool check_integer(const jv *v, enum field_kind kind, struct spot s, struct walk *w)
{
        BUF_AUTO struct buf digits = BUF_INIT;

        json_print(v, &digits);
        if (strpbrk(digits.s, ".e")) {
                diag_report(w->d, VMQ_NOT_WHOLE, s.at,
                            "%s is not a whole number; write one without a fraction", digits.s);
                return false;
        }
        const struct range *r = &ranges[kind];

        if (compare_digits(digits.s, r->min) >= 0 && compare_digits(digits.s, r->max) <= 0)
                return true;
        diag_report(w->d, VMQ_OUT_OF_RANGE, s.at,
                    "%.40s is out of range; write a number from %s to %s", digits.s, r->min,
                    r->max);
        return false;
}

static bool decode_integer(jv *v, const struct field *f, struct spot s, struct walk *w)
{
        if (ref_kind(ref_of(v)) != JV_KIND_NUMBER)
                return wrong_kind(v, f, s, w);
        return check_integer(v, f->kind, s, w);
}

/* intstr.IntOrString: k8s.io/apimachinery pkg/util/intstr. */
static bool decode_int_or_string(jv *v, const struct field *f, struct spot s, struct walk *w)
{
        switch (ref_kind(ref_of(v))) {
        case JV_KIND_STRING:
                return true;
        case JV_KIND_NUMBER:
                return check_integer(v, FIELD_INT32, s, w);
        default:
                return wrong_kind(v, f, s, w);
        }
}

static bool decode_quantity(jv *v, const struct field *f, struct spot s, struct walk *w)
{
        jv_kind kind = ref_kind(ref_of(v));
        struct quantity q;

        if (kind != JV_KIND_STRING && kind != JV_KIND_NUMBER)
                return wrong_kind(v, f, s, w);
        if (!quantity_of(ref_of(v), &q)) {
                BUF_AUTO struct buf is = BUF_INIT;

                describe(v, &is);
                diag_report(w->d, VMQ_BAD_QUANTITY, s.at,
                            "%s is no quantity; write an amount like 500m, 2 or 4Gi", is.s);
                return false;
        }
        jv_free(*v);
        *v = quantity_text(q);
        return true;
}

/* RFC 3339: 2026-01-31T12:00:00Z, with a fraction of a second, with an offset. Days of the month
 * are not counted: no field that a user writes holds a time. */
static bool is_time(const char *t)
{
        static const char form[] = "dddd-dd-ddTdd:dd:dd";
        size_t n = sizeof form - 1;

        for (size_t i = 0; i < n; i++)
                if (form[i] == 'd' ? !isdigit((unsigned char)t[i]) : t[i] != form[i])
                        return false;
        t += n;
        if (*t == '.') {
                size_t digits = strspn(t + 1, "0123456789");

                if (digits == 0)
                        return false;
                t += 1 + digits;
        }
        if (strcmp(t, "Z") == 0)
                return true;
        return (*t == '+' || *t == '-') && strlen(t) == 6 && strspn(t + 1, "0123456789") == 2 &&
               t[3] == ':' && strspn(t + 4, "0123456789") == 2;
}

static bool decode_time(jv *v, const struct field *f, struct spot s, struct walk *w)
{
        if (ref_kind(ref_of(v)) != JV_KIND_STRING)
                return wrong_kind(v, f, s, w);
        if (is_time(jv_string_value(*v)))
                return true;
        diag_report(w->d, VMQ_BAD_TIME, s.at,
                    "\"%.40s\" is no time; write it like 2026-01-31T12:00:00Z",
                    jv_string_value(*v));
        return false;
}

/* --- texts in maps -------------------------------------------------------------------------- */

/* As strconv.FormatFloat(d, 'g', -1, 64): the fewest digits that read back as d, with an exponent
 * below 1e-4 and from 1e6 on. */
static void print_float(double d, struct buf *out)
{
        char text[40];
        int precision = 0;

        for (; precision < 17; precision++) {
                (void)snprintf(text, sizeof text, "%.*e", precision, d);
                if (strtod(text, NULL) == d)
                        break;
        }
        int exponent = atoi(strchr(text, 'e') + 1);

        if (exponent >= -4 && exponent < 6)
                (void)snprintf(text, sizeof text, "%.*f",
                               precision > exponent ? precision - exponent : 0, d);
        buf_adds(out, text);
}

/* A number written as YAML writes floats (1.10, 1e3), or too long for an integer. */
static bool is_float(const char *raw, const char *digits)
{
        if (strpbrk(digits, ".e"))
                return true;
        if (raw && raw[strspn(raw, "+-")] == '0' && strpbrk(raw, "xXbBoO"))
                raw = NULL;
        return (raw && strpbrk(raw, ".eE")) ||
               compare_digits(digits, ranges[FIELD_INT64].min) < 0 ||
               compare_digits(digits, ranges[FIELD_UINT64].max) > 0;
}

/* What sigs.k8s.io/yaml (yaml.go, convertToJSONableObject) makes of a scalar whose target is a
 * string. */
static void print_go_text(const jv *v, const char *raw, struct buf *out)
{
        BUF_AUTO struct buf digits = BUF_INIT;

        if (jvx_is(v, JV_KIND_NULL))
                return;
        json_print(v, &digits);
        if (ref_kind(ref_of(v)) == JV_KIND_NUMBER && is_float(raw, digits.s))
                print_float(strtod(digits.s, NULL), out);
        else
                buf_adds(out, digits.s);
}

/* A member of a map of texts (labels, annotations). */
static bool decode_map_text(jv *v, const struct field *f, struct spot s, struct walk *w)
{
        jv_kind kind = ref_kind(ref_of(v));

        if (kind == JV_KIND_STRING)
                return true;
        if (kind == JV_KIND_ARRAY || kind == JV_KIND_OBJECT)
                return wrong_kind(v, f, s, w);
        BUF_AUTO struct buf text = BUF_INIT;
        const char *raw = raw_text(w, s.node);

        print_go_text(v, raw, &text);
        if (raw && strcmp(raw, text.s) != 0)
                diag_report(w->d, VMQ_TEXT_MADE, s.at,
                            "%.60s becomes the text \"%s\"; write \"%.60s\", in quotes, to keep it",
                            raw, text.s, raw);
        jv_free(*v);
        *v = jv_string(text.s);
        return true;
}

/* --- what Go writes ------------------------------------------------------------------------- */

static jv zero_object(const struct type *type);

/* What an unset field of the kind is in Go; invalid where it is null. */
static jv zero_of(const struct field *f)
{
        if (!is_single(f) || (f->flags & F_POINTER))
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
        if (f->flags & F_SERVER || !is_single(f) || f->flags & F_POINTER)
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
        if (f->flags & (F_REQUIRED | F_ALWAYS | F_POINTER) && is_single(f))
                return false;
        switch (jv_get_kind(*v)) {
        case JV_KIND_ARRAY:
        case JV_KIND_OBJECT:
                return !is_single(f) && !(f->flags & F_REQUIRED) && ref_len(ref_of(v)) == 0;
        case JV_KIND_STRING:
                return f->kind == FIELD_TEXT && !*jv_string_value(*v) && !json_bigint(v);
        case JV_KIND_NUMBER:
                return f->kind != FIELD_INT_OR_STRING && jv_number_value(*v) == 0;
        default:
                return jvx_is(v, JV_KIND_FALSE);
        }
}

/* --- lists, maps, objects ------------------------------------------------------------------- */

/* An element of the field's list or map: the same kind, alone. */
static struct field element_of(const struct field *f)
{
        struct field e = *f;

        e.flags &= ~(unsigned)(F_LIST | F_MAP | F_POINTER);
        return e;
}

static bool decode_list(jv *list, const struct field *f, struct spot s, struct walk *w)
{
        const struct field element = element_of(f);
        int n = ref_len(ref_of(list)), node = -1;

        if (!jvx_is(list, JV_KIND_ARRAY)) {
                report_type(list, "a list", "write \"- \" in front of each element", s, w);
                return false;
        }
        if (f->flags & F_MAX_256 && n > 256)
                diag_report(w->d, VMQ_TOO_MANY, s.at, "%d elements; have 256 at most", n);
        for (int i = 0; i < n; i++) {
                JVX_AUTO jv item = jvx_detach_item(list, i);
                struct spot at = { AT_INDEX(s.at, i), child_node(w, s.node, node, NULL) };
                bool keep = false;

                node = at.node;
                if (jvx_is(&item, JV_KIND_NULL))
                        diag_report(
                                w->d, VMQ_EMPTY_ELEMENT, at.at,
                                "an empty element; write something behind the \"-\", or remove it");
                else
                        keep = decode_one(&item, &element, at, w);
                jvx_set_item(list, i, keep ? jvx_take(&item) : zero_of(&element));
        }
        return true;
}

/* Steps down from the root. */
static unsigned depth_of(struct spot s, const struct walk *w)
{
        unsigned n = 0;

        for (const struct path *p = s.at; p && p != w->root; p = p->up)
                n++;
        return n;
}

static void drop_server(const jv *v, struct spot s, struct walk *w)
{
        if (jvx_is(v, JV_KIND_NULL) || (jvx_is(v, JV_KIND_OBJECT) && ref_len(ref_of(v)) == 0))
                return;
        if (w->n_server++ >= 8)
                return;
        BUF_AUTO struct buf path = BUF_INIT;

        path_print(s.at, &path);
        buf_addf(&w->server, "%s%s", w->server.len ? ", " : "", path.s);
}

/* What kubectl notes in metadata.annotations. */
static const char last_applied[] = "kubectl.kubernetes.io/last-applied-configuration";

static bool decode_map_member(jv *v, const char *key, const struct field *element, struct spot s,
                              struct walk *w)
{
        if (depth_of(s, w) == 3 && strcmp(key, last_applied) == 0) {
                drop_server(v, s, w);
                return false;
        }
        if (element->kind == FIELD_TEXT)
                return decode_map_text(v, element, s, w);
        if (!jvx_is(v, JV_KIND_NULL))
                return decode_one(v, element, s, w);
        *v = zero_of(element); /* as Go has it: a request of null is one of "0" */
        return jv_is_valid(*v);
}

static bool decode_map(jv *map, const struct field *f, struct spot s, struct walk *w)
{
        const struct field element = element_of(f);
        int node = -1;

        if (!jvx_is(map, JV_KIND_OBJECT)) {
                report_type(map, "a map", "write \"KEY: VALUE\" lines below it", s, w);
                return false;
        }
        for (int it = jv_object_iter(*map); jv_object_iter_valid(*map, it);
             it = jv_object_iter_next(*map, it)) {
                JVX_AUTO jv key = jv_object_iter_key(*map, it);
                JVX_AUTO jv v = jv_object_iter_value(*map, it);
                const char *name = jv_string_value(key);
                struct spot at = { AT_KEY(s.at, name), child_node(w, s.node, node, name) };

                if (at.node >= 0)
                        node = at.node;
                if (decode_map_member(&v, name, &element, at, w))
                        *map = jv_object_set(*map, jvx_take(&key), jvx_take(&v));
                else
                        *map = jv_object_delete(*map, jvx_take(&key));
        }
        return true;
}

static bool decode_field(jv *v, const struct field *f, struct spot s, struct walk *w)
{
        if (jvx_is(v, JV_KIND_NULL))
                return false;
        /* The object's own status and metadata, and not that of a template inside it. */
        if (f->flags & F_SERVER && depth_of(s, w) <= 2) {
                drop_server(v, s, w);
                return false;
        }
        if ((int)F_SINCE_OF(f->flags) > w->minor) {
                diag_report(w->d, VMQ_NEWER_FIELD, s.at,
                            "KubeVirt 1.%d does not have this field, which came with 1.%u; it is "
                            "dropped: remove it, or use a launcher image of 1.%u or later",
                            w->minor, F_SINCE_OF(f->flags), F_SINCE_OF(f->flags));
                return false;
        }
        decode_fn *decode = f->flags & F_LIST  ? decode_list
                            : f->flags & F_MAP ? decode_map
                                               : decode_one;

        return decode(v, f, s, w) && !is_left_out(v, f);
}

/* A field one level down that has the name: domain.memory for a memory beside the domain. */
static const struct field *parent_of(const struct type *type, const char *name)
{
        for (size_t i = 0; i < type->n_fields; i++) {
                const struct field *f = &type->fields[i];

                if (f->kind == FIELD_OBJECT && is_single(f) && !(f->flags & F_SERVER) &&
                    schema_field(f->type, name))
                        return f;
        }
        return NULL;
}

static void report_unknown(const struct type *type, const char *name, struct spot s, struct walk *w)
{
        struct nearest near = nearest_to(name);

        if (w->d->n >= DIAG_MOST) { /* not shown: no need to look for advice */
                diag_report(w->d, VMQ_UNKNOWN_FIELD, s.at, "unknown");
                return;
        }
        for (size_t i = 0; i < type->n_fields; i++)
                nearest_try(&near, type->fields[i].name);
        const struct field *parent = parent_of(type, name);

        if (parent)
                diag_report(w->d, VMQ_UNKNOWN_FIELD, s.at,
                            "%s has no such field; did you mean \"%s.%.60s\"?", type->name,
                            parent->name, name);
        else if (near.best)
                diag_report(w->d, VMQ_UNKNOWN_FIELD, s.at,
                            "%s has no such field; did you mean \"%s\"?", type->name, near.best);
        else
                diag_report(w->d, VMQ_UNKNOWN_FIELD, s.at,
                            "%s has no such field; remove it (vmq-validate --list-fields prints "
                            "those that there are)",
                            type->name);
}

/* Report what is required and was not among the fields seen (bit i: row i), and put there what Go
 * always writes. */
static void complete(jv *obj, const struct type *type, uint64_t seen, struct spot s, struct walk *w)
{
        for (size_t i = 0; i < type->n_fields; i++) {
                const struct field *f = &type->fields[i];

                if (f->flags & F_REQUIRED && !(seen >> i & 1))
                        diag_report(w->d, VMQ_MISSING_FIELD, AT(s.at, f->name),
                                    "is required and missing; add it (%s)",
                                    f->flags & F_LIST  ? "a list"
                                    : f->flags & F_MAP ? "a map"
                                                       : kind_words[f->kind].wanted);
                if (is_always_written(f))
                        jvx_set_default(obj, f->name, zero_of(f));
        }
}

/* One member of an object; true if it is one of the type's fields and set. */
static bool decode_member(jv *obj, jv key, int it, const struct type *type, struct spot s,
                          struct walk *w)
{
        const char *name = jv_string_value(key);
        const struct field *f = schema_field(type, name);
        JVX_AUTO jv v = jv_object_iter_value(*obj, it);
        bool set = f && !jvx_is(&v, JV_KIND_NULL), keep = false;

        if (f) {
                if (ref_len(ref_of(&v)) > 0) /* ours alone, so that it is changed in place */
                        *obj = jv_object_set(*obj, jv_copy(key), jv_null());
                keep = decode_field(&v, f, s, w);
        } else {
                report_unknown(type, name, s, w);
        }
        *obj = keep ? jv_object_set(*obj, key, jvx_take(&v)) : jv_object_delete(*obj, key);
        return set;
}

static bool decode_object(jv *obj, const struct field *f, struct spot s, struct walk *w)
{
        const struct type *type = f->type;
        uint64_t seen = 0;
        int node = -1;

        assert(type->n_fields <= 64);
        if (!jvx_is(obj, JV_KIND_OBJECT))
                return wrong_kind(obj, f, s, w);
        for (int it = jv_object_iter(*obj); jv_object_iter_valid(*obj, it);
             it = jv_object_iter_next(*obj, it)) {
                JVX_AUTO jv key = jv_object_iter_key(*obj, it);
                const char *name = jv_string_value(key);
                const struct field *is = schema_field(type, name);
                struct spot at = { AT_KEY(s.at, name), child_node(w, s.node, node, name) };

                if (at.node >= 0)
                        node = at.node;
                if (decode_member(obj, jv_copy(key), it, type, at, w))
                        seen |= UINT64_C(1) << (is - type->fields);
        }
        complete(obj, type, seen, s, w);
        return true;
}

void schema_decode(jv *value, const struct type *type, int minor, const struct path *at,
                   struct diag *d)
{
        const struct field root = { .name = "", .kind = FIELD_OBJECT, .type = type };
        struct walk w = { .d = d, .root = at, .minor = minor, .server = BUF_INIT };
        bool exact;
        int node = places_find(d->places, d->base, at, &exact);

        if (!decode_object(value, &root, (struct spot){ at, exact ? node : -1 }, &w)) {
                jv_free(*value);
                *value = zero_object(type);
        }
        if (w.n_server > 0)
                diag_report(d, VMQ_CLUSTER_FIELDS, at,
                            "left out, since only a cluster keeps them: %s%s", w.server.s,
                            w.n_server > 8 ? " and more" : "");
        buf_release(&w.server);
}
