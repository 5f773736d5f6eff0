/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle.h"

#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "mem.h"
#include "names.h"
#include "ref.h"
#include "unit.h"

#define SEPARATOR "---\n"

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

/* Append the unit as Podman is to find it, with its companions taken in; false after a report. */
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
        buf_adds(out, "# FileName=");
        buf_add(out, name, (size_t)(extension - name));
        buf_addc(out, '\n');
        unit_print(&u, out);
        return true;
}

bool bundle_make(struct bundle *b, struct ref units, struct diag *d)
{
        struct fold f;
        bool good = true;
        size_t n = (size_t)ref_len(units);

        if (n > b->cap) {
                b->end = mem_resize(b->end, n, sizeof *b->end);
                b->cap = n;
        }
        buf_clear(&b->text);
        fold_start(&f, units, d);
        REF_EACH(unit, units) {
                if (name_section(name_extension(ref_text(unit.item, "name"))))
                        good = add_unit(&f, unit.item, AT_INDEX(AT(NULL, "units"), unit.i),
                                        &b->text) &&
                               good;
                b->end[unit.i] = b->text.len;
        }
        return fold_end(&f) && good;
}

bool bundle_add(const struct bundle *b, struct spool *out, struct ref units,
                const struct share *share)
{
        size_t begin = 0;

        for (int i = 0; i < ref_len(units); begin = b->end[i++]) {
                size_t len = b->end[i] - begin;

                if (!len || share->number[i] == NOT_WRITTEN)
                        continue;
                if ((spool_length(out) && !spool_append(out, SEPARATOR, strlen(SEPARATOR))) ||
                    !spool_append(out, b->text.s + begin, len))
                        return false;
        }
        return true;
}

void bundle_release(struct bundle *b)
{
        buf_release(&b->text);
        free(b->end);
        *b = (struct bundle)BUNDLE_INIT;
}
