/* SPDX-License-Identifier: Apache-2.0 */
/* What is done with the table of a Pod's fields: a Pod is held against it, and it is printed. */
#include <string.h>

#include "convert.h"
#include "fields.h"

/* ---- types ------------------------------------------------------------------------------------
 */

static bool all_are(struct ref list, jv_kind kind)
{
        REF_EACH(e, list)
                if (ref_kind(e.item) != kind)
                        return false;
        return true;
}

static bool is_amount(struct ref v)
{
        return ref_kind(v) == JV_KIND_STRING || ref_kind(v) == JV_KIND_NUMBER;
}

static bool all_amounts(struct ref map)
{
        REF_EACH(e, map)
                if (!is_amount(e.item))
                        return false;
        return true;
}

static bool has_type(struct ref v, enum type type)
{
        jv_kind kind = ref_kind(v);

        switch (type) {
        case TEXT:
                return kind == JV_KIND_STRING;
        case INT:
                return kind == JV_KIND_NUMBER && ref_int(v, -1) == ref_int(v, -2);
        case BOOL:
                return kind == JV_KIND_TRUE || kind == JV_KIND_FALSE;
        case INT_OR_TEXT:
        case AMOUNT:
                return is_amount(v);
        case TEXTS:
                return kind == JV_KIND_ARRAY && all_are(v, JV_KIND_STRING);
        case INTS:
                return kind == JV_KIND_ARRAY && all_are(v, JV_KIND_NUMBER);
        case MAP:
                return kind == JV_KIND_OBJECT && all_are(v, JV_KIND_STRING);
        case AMOUNTS:
                return kind == JV_KIND_OBJECT && all_amounts(v);
        case OBJECT:
                return kind == JV_KIND_OBJECT;
        case LIST:
                return kind == JV_KIND_ARRAY && all_are(v, JV_KIND_OBJECT);
        case ANY:
                return true;
        }
        return false;
}

static const char *type_name(enum type type)
{
        static const char *const names[] = {
                [TEXT] = "a text",
                [INT] = "a whole number",
                [BOOL] = "true or false",
                [INT_OR_TEXT] = "a number or a text",
                [TEXTS] = "a list of texts",
                [INTS] = "a list of whole numbers",
                [MAP] = "an object of texts",
                [AMOUNTS] = "an object of quantities",
                [AMOUNT] = "a quantity",
                [OBJECT] = "an object",
                [LIST] = "a list of objects",
                [ANY] = "anything",
        };

        return names[type];
}

/* ---- the walk ---------------------------------------------------------------------------------
 */

/* Nothing is asked for: null, false, "", {} or []. */
static bool says_nothing(struct ref v)
{
        switch (ref_kind(v)) {
        case JV_KIND_STRING:
                return *ref_str(v) == '\0';
        case JV_KIND_ARRAY:
        case JV_KIND_OBJECT:
                return ref_len(v) == 0;
        case JV_KIND_TRUE:
        case JV_KIND_NUMBER:
                return false;
        default:
                return true;
        }
}

static void walk(struct convert *c, struct ref object, const struct field *table,
                 const struct path *at);

static void walk_field(struct convert *c, struct ref v, const struct field *f,
                       const struct path *at)
{
        if (!has_type(v, f->type)) {
                diag_report(c->d, VMQ_POD_VALUE, at, "this must be %s", type_name(f->type));
                return;
        }
        if (f->sub && f->type == OBJECT)
                walk(c, v, f->sub, at);
        if (f->sub && f->type == LIST)
                REF_EACH(e, v)
                        walk(c, e.item, f->sub, AT_INDEX(at, e.i));
        if (f->how == GOOD || f->how == QUIET || says_nothing(v))
                return;
        if (f->how == LOST)
                diag_report(c->d, VMQ_POD_FIELD, at, "not honoured; %s", f->why);
        if (f->how == CLUSTER && !c->launcher)
                diag_report(c->d, VMQ_POD_CLUSTER, at, "has no meaning outside a cluster");
}

static void walk(struct convert *c, struct ref object, const struct field *table,
                 const struct path *at)
{
        REF_EACH(m, object) {
                const struct field *f = table;

                if (!ref_is_set(m.item))
                        continue;
                while (f->name && strcmp(f->name, m.key) != 0)
                        f++;
                if (f->name)
                        walk_field(c, m.item, f, AT(at, m.key));
                else
                        diag_report(c->d, VMQ_POD_UNKNOWN, AT_KEY(at, m.key),
                                    "no such field; it is left out");
        }
}

void fields_check(struct convert *c)
{
        walk(c, c->pod, pod_fields, c->at);
}

/* ---- the page ---------------------------------------------------------------------------------
 */

static void print_outcome(const struct field *f, struct buf *out)
{
        static const char *const words[] = {
                [GOOD] = "honoured",
                [CLUSTER] = "*note*: has no meaning outside a cluster",
                [LOST] = "*warning*: not honoured; ",
                [QUIET] = "says nothing about how to run the Pod",
        };

        buf_adds(out, words[f->how]);
        if (f->why)
                buf_adds(out, f->why);
}

/* The fields of a table, each with its whole path: [] is an element of a list, {} one of a map. */
static void print_table(const struct field *f, const char *front, struct buf *out)
{
        static const char *const behind[] = { [TEXTS] = "[]", [INTS] = "[]",    [LIST] = "[]",
                                              [MAP] = "{}",   [AMOUNTS] = "{}", [ANY] = "" };

        for (; f->name; f++) {
                BUF_AUTO struct buf path = BUF_INIT;

                buf_addf(&path, "%s%s%s", front, f->name, behind[f->type] ? behind[f->type] : "");
                if (f->sub) {
                        buf_addc(&path, '.');
                        print_table(f->sub, path.s, out);
                        continue;
                }
                buf_addf(out, "| `%s` | %s | ", path.s, type_name(f->type));
                print_outcome(f, out);
                buf_adds(out, " |\n");
        }
}

void fields_print(struct buf *out)
{
        buf_adds(out,
                 "# Fields of a Pod\n\n"
                 "Every field that a Pod can have, and what `vmq-quadlet` makes of it. Where a "
                 "field is honoured\nonly in part, or a value of it cannot be, a message with "
                 "its path says so. What is not here is\nleft out with a warning. This page is "
                 "what `vmq-quadlet --list-fields` prints, from the table in\n"
                 "`tools/vmq-quadlet/fields.c`.\n\n"
                 "`[]` is an element of a list, `{}` one of a map.\n\n"
                 "| field | value | what becomes of it |\n|---|---|---|\n");
        print_table(pod_fields, "", out);
}
