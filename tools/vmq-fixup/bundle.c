/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fold.h"
#include "names.h"
#include "ref.h"
#include "unit.h"

/* The first section by which Podman would tell a unit's type; NULL if there is none. */
static const char *typing_section(const struct unit *u)
{
        for (size_t i = 0; i < u->n; i++) {
                BUF_AUTO struct buf extension = BUF_INIT;

                if (u->lines[i].kind != UNIT_SECTION)
                        continue;
                buf_addf(&extension, ".%s", u->lines[i].key);
                for (char *p = extension.s; *p; p++)
                        if (*p >= 'A' && *p <= 'Z')
                                *p = (char)(*p - 'A' + 'a');
                const char *section = name_section(extension.s);

                if (section)
                        return section;
        }
        return NULL;
}

static bool add_unit(struct fold *f, struct ref unit, const struct path *at, struct buf *out)
{
        BUF_AUTO struct buf why = BUF_INIT;
        UNIT_AUTO struct unit u = UNIT_INIT;
        const char *name = ref_text(unit, "name"), *text = ref_text(unit, "text");
        const char *extension = name_extension(name), *want = name_section(extension);

        if (!unit_read(&u, text, strlen(text), &why)) {
                diag_report(f->diag, VMQ_UNIT_TEXT, AT(at, "text"),
                            "%s: %s; check the stage that wrote it", name, why.s);
                return false;
        }
        const char *got = typing_section(&u);

        if (!got || strcmp(got, want) != 0) {
                diag_report(f->diag, VMQ_UNIT_TEXT, AT(at, "text"),
                            "%s begins with no [%s] section, by which Podman would know it in a "
                            "bundle; use --output-dir",
                            name, want);
                return false;
        }
        if (!fold_into(f, &u, at))
                return false;
        buf_addf(out, "%s# FileName=%.*s\n", out->len ? "---\n" : "", (int)(extension - name),
                 name);
        unit_print(&u, out);
        return true;
}

/* Append the units of one VM; false after a report. */
static bool add_vm(const struct fixup *self, size_t vm, struct diag *d, struct buf *out)
{
        struct fold f;
        bool good = true;

        fold_start(&f, ref_of(&self->vms[vm].units), d);
        REF_EACH(unit, f.units) {
                const char *name = ref_text(unit.item, "name");

                if (name_section(name_extension(name)) && fixup_writes(self, vm, name))
                        good = add_unit(&f, unit.item, AT_INDEX(AT(NULL, "units"), unit.i), out) &&
                               good;
        }
        return fold_end(&f) && good;
}

void bundle_write(const struct fixup *self, struct vmq_run *run)
{
        BUF_AUTO struct buf out = BUF_INIT;
        struct diag *d = run->diag;

        for (size_t i = 0; i < self->n; i++) {
                BUF_AUTO struct buf vm = BUF_INIT;

                diag_begin(d, self->vms[i].file, self->vms[i].line, NULL, NULL);
                if (add_vm(self, i, d, &vm))
                        buf_addf(&out, "%s%s", out.len ? "---\n" : "", vm.s);
                else
                        vmq_worsen(run, VMQ_EXIT_REFUSED);
                diag_flush(d);
        }
        if (!vmq_write_all(STDOUT_FILENO, out.s, out.len))
                vmq_fail(run, "standard output: %s", strerror(errno));
}
