/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

const struct field *schema_field(const struct type *type, const char *name)
{
        for (size_t i = 0; i < type->n_fields; i++)
                if (strcmp(type->fields[i].name, name) == 0)
                        return &type->fields[i];
        return NULL;
}

const char *schema_kind_name(enum field_kind kind)
{
        static const char *const names[] = {
                [FIELD_TEXT] = "text",         [FIELD_BOOL] = "boolean",
                [FIELD_INT32] = "int32",       [FIELD_INT64] = "int64",
                [FIELD_UINT32] = "uint32",     [FIELD_UINT64] = "uint64",
                [FIELD_QUANTITY] = "quantity", [FIELD_INT_OR_STRING] = "int32 or text",
                [FIELD_TIME] = "time",         [FIELD_OBJECT] = "object",
                [FIELD_ANY] = "any value",
        };

        return names[kind];
}

/* --- docs/fields.md ------------------------------------------------------------------------- */

/* Types in the order in which they are met, each once. */
struct types {
        struct {
                const struct type *type;
        } * all;
        size_t n, cap;
};

static void collect(struct types *t, const struct type *type)
{
        for (size_t i = 0; i < t->n; i++)
                if (t->all[i].type == type)
                        return;
        MEM_GROW(t->all, t->n, t->cap);
        t->all[t->n++].type = type;
        for (size_t i = 0; i < type->n_fields; i++)
                if (type->fields[i].type)
                        collect(t, type->fields[i].type);
}

/* The type's name, linked to its section. */
static void print_link(const struct type *type, struct buf *out)
{
        buf_addf(out, "[%s](#", type->name);
        for (const char *p = type->name; *p; p++)
                if (isalnum((unsigned char)*p))
                        buf_addc(out, (char)tolower((unsigned char)*p));
        buf_addc(out, ')');
}

static void print_kind(const struct field *f, struct buf *out)
{
        if (f->flags & F_LIST)
                buf_adds(out, "list of ");
        else if (f->flags & F_MAP)
                buf_adds(out, "map of ");
        if (f->type)
                print_link(f->type, out);
        else
                buf_adds(out, schema_kind_name(f->kind));
}

static void add_note(struct buf *out, bool *any, const char *text)
{
        buf_addf(out, "%s%s", *any ? "; " : " ", text);
        *any = true;
}

static void print_notes(const struct field *f, struct buf *out)
{
        bool any = false;

        if (f->flags & F_REQUIRED)
                add_note(out, &any, "required");
        if (f->flags & F_SERVER)
                add_note(out, &any, "the API server's, dropped");
        if (f->flags & F_MAX_256)
                add_note(out, &any, "256 at most");
        if (F_SINCE_OF(f->flags)) {
                add_note(out, &any, "since KubeVirt 1.");
                buf_addf(out, "%u", F_SINCE_OF(f->flags));
        }
        for (const char *const *word = f->words; word && *word; word++) {
                if (word == f->words)
                        add_note(out, &any, f->flags & F_LAX ? "known: " : "one of: ");
                buf_addf(out, "%s`%s`", word == f->words ? "" : ", ", *word);
        }
}

static void print_type(const struct type *type, struct buf *out)
{
        buf_addf(out, "\n## %s\n\n", type->name);
        if (type->n_fields == 0) {
                buf_adds(out, "No fields: `{}` chooses it.\n");
                return;
        }
        buf_adds(out, "| field | type | |\n|---|---|---|\n");
        for (size_t i = 0; i < type->n_fields; i++) {
                const struct field *f = &type->fields[i];

                buf_addf(out, "| `%s` | ", f->name);
                print_kind(f, out);
                buf_adds(out, " |");
                print_notes(f, out);
                buf_adds(out, " |\n");
        }
}

void schema_print_fields(struct buf *out)
{
        struct types t = { NULL, 0, 0 };

        buf_adds(out,
                 "# Fields\n\n"
                 "Every field of a VirtualMachine and a VirtualMachineInstance that vmq knows: "
                 "those "
                 "of\nKubeVirt 1.9, in the order of its Go files. What is not here is refused as "
                 "unknown.\nThis page is what `vmq-validate --list-fields` prints, from the tables "
                 "in "
                 "`common/types/`.\n\n"
                 "*required*: the API server refuses an object without it. *one of*: other values "
                 "are "
                 "refused.\n*known*: other values pass with a warning.\n");
        collect(&t, &type_virtual_machine);
        collect(&t, &type_virtual_machine_instance);
        for (size_t i = 0; i < t.n; i++)
                print_type(t.all[i].type, out);
        free(t.all);
}
