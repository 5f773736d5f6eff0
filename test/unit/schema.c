/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include <stdbool.h>

#include "check.h"

struct seen {
        const struct type *types[400];
        size_t n;
};

static bool is_sound(const struct type *type, const struct field *f)
{
        return schema_field(type, f->name) == f && /* no name twice */
               (f->kind == FIELD_OBJECT) == (f->type != NULL) &&
               !(f->flags & F_LIST && f->flags & F_MAP) &&
               (!f->words || (f->kind == FIELD_TEXT && f->words[0])) &&
               (!(f->flags & F_MAX_256) || f->flags & F_LIST);
}

static bool is_new(const struct type *type, struct seen *seen)
{
        for (size_t i = 0; i < seen->n; i++)
                if (seen->types[i] == type)
                        return false;
        CHECK(seen->n < ARRAY_LEN(seen->types));
        seen->types[seen->n++] = type;
        return true;
}

static void check_type(const struct type *type, struct seen *seen)
{
        if (!is_new(type, seen))
                return;
        CHECK(*type->name);
        CHECK(type->n_fields <= 64); /* the walk keeps a bit for each */
        for (size_t i = 0; i < type->n_fields; i++) {
                CHECK(is_sound(type, &type->fields[i]));
                if (type->fields[i].type)
                        check_type(type->fields[i].type, seen);
        }
}

static void test_tables(void)
{
        struct seen seen = { { NULL }, 0 };

        check_type(&type_virtual_machine, &seen);
        check_type(&type_virtual_machine_instance, &seen);
        CHECK(seen.n == 215); /* as many Go structs */
}

static void test_field(void)
{
        const struct field *spec = schema_field(&type_virtual_machine, "spec");

        CHECK(spec && spec->flags & F_REQUIRED);
        CHECK_STR(spec->type->name, "VirtualMachineSpec");
        CHECK(!schema_field(&type_virtual_machine, "Spec"));
        CHECK(!schema_field(&type_virtual_machine, ""));
}

/* How rows look on the page. The whole of it is held against docs/fields.md in test/fields.bats. */
static void test_page(void)
{
        static const char *const lines[] = {
                "\n## VirtualMachine\n",
                "\n| `spec` | [VirtualMachineSpec](#virtualmachinespec) | required |\n",
                "\n| `generation` | int64 | the API server's, dropped |\n",
                "\n| `labels` | map of text | |\n",
                "\n| `disks` | list of [Disk](#disk) | 256 at most |\n",
                "\n| `guest` | quantity | |\n",
                "\n| `serviceAccountName` | text | since KubeVirt 1.9 |\n",
                "\n| `rebootPolicy` | text | one of: `Reboot`, `Terminate` |\n",
                "\n| `tray` | text | known: `open`, `closed` |\n",
                "\n## InterfaceMasquerade\n\nNo fields: `{}` chooses it.\n",
        };
        BUF_AUTO struct buf page = BUF_INIT;

        schema_print_fields(&page);
        for (size_t i = 0; i < ARRAY_LEN(lines); i++)
                if (!strstr(page.s, lines[i]))
                        CHECK_STR(NULL, lines[i]);
}

int main(void)
{
        test_tables();
        test_field();
        test_page();
        return 0;
}
