/* SPDX-License-Identifier: Apache-2.0 */
#include "share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "mem.h"
#include "names.h"
#include "ports.h"
#include "unit.h"

/* The kinds of the claims' keys; ports.c has others. */
enum { A_POD = 'P', A_FILE = 'F' };

/* ---- notes: who it was -------------------------------------------------------------------------
 */

struct note {
        size_t number;
        unsigned line;
        int index;
};

static void write_note(struct buf *out, const struct owner *owner)
{
        const struct note n = { .number = owner->number,
                                .line = owner->line,
                                .index = owner->index };

        buf_clear(out);
        buf_add(out, (const char *)&n, sizeof n);
        buf_add(out, owner->file, strlen(owner->file) + 1);
        buf_adds(out, owner->text);
}

static void read_note(const struct buf *note, struct owner *owner)
{
        struct note n;
        const char *file = note->s + sizeof n;

        memcpy(&n, note->s, sizeof n);
        *owner = (struct owner){ .number = n.number,
                                 .line = n.line,
                                 .index = n.index,
                                 .file = file,
                                 .text = file + strlen(file) + 1 };
}

static enum claim find(const struct share *s, char kind, const char *name, struct buf *note,
                       struct owner *owner)
{
        enum claim got = claims_find(&s->claims, kind, name, note);

        if (got == CLAIM_TAKEN)
                read_note(note, owner);
        return got;
}

enum claim share_find_pod(const struct share *s, const char *pod, struct buf *note,
                          struct owner *owner)
{
        return find(s, A_POD, pod, note, owner);
}

enum claim share_find_file(const struct share *s, const char *file, struct buf *note,
                           struct owner *owner)
{
        return find(s, A_FILE, file, note, owner);
}

/* "FILE:LINE" */
static void describe(const char *file, unsigned line, struct buf *out)
{
        buf_adds(out, file);
        if (line)
                buf_addf(out, ":%u", line);
}

/* ---- names -------------------------------------------------------------------------------------
 */

char *share_pod(struct ref units)
{
        int pod = unit_index(units, ".pod");
        const char *name = ref_text(ref_item(units, pod < 0 ? 0 : pod), "name");

        return mem_strndup(name, (size_t)(name_extension(name) - name));
}

static bool may_share(const char *name)
{
        return strcmp(name_extension(name), ".volume") == 0;
}

/* The number of the file for this VM, or a report of who has it. `first` is the first number that
 * this VM has given. */
static bool settle_taken(struct share *s, struct ref unit, int index, size_t first,
                         const struct buf *note, struct vmq_run *run)
{
        BUF_AUTO struct buf by = BUF_INIT;
        const char *name = ref_text(unit, "name");
        struct owner owner;

        read_note(note, &owner);
        if (may_share(name) && owner.number < first && ref_eq(ref_get(unit, "text"), owner.text)) {
                s->number[index] = NOT_WRITTEN;
                return true;
        }
        s->clashed = true;
        describe(owner.file, owner.line, &by);
        diag_report(run->diag, VMQ_UNIT_CLASH, AT(AT_INDEX(AT(NULL, "units"), index), "name"),
                    "%s is written by %s too, so nothing is written; rename one of the VMs, or "
                    "convert them into folders of their own",
                    name, by.s);
        return false;
}

static bool take_file(struct share *s, struct ref unit, int index, size_t first,
                      struct vmq_run *run)
{
        BUF_AUTO struct buf note = BUF_INIT;
        BUF_AUTO struct buf had = BUF_INIT;
        const char *name = ref_text(unit, "name");
        const struct owner us = { .number = s->n,
                                  .file = run->diag->file,
                                  .line = run->diag->line,
                                  .index = index,
                                  .text = may_share(name) ? ref_text(unit, "text") : "" };

        write_note(&note, &us);
        switch (claims_take(&s->claims, A_FILE, name, note.s, note.len, &had)) {
        case CLAIM_FREE:
                s->number[index] = s->n++;
                return true;
        case CLAIM_TAKEN:
                return settle_taken(s, unit, index, first, &had, run);
        case CLAIM_FAILED:
                break;
        }
        vmq_fail_temporary(run);
        return false;
}

/* One report will do: all files of a VM are named after it. */
static bool take_files(struct share *s, struct ref units, struct vmq_run *run)
{
        size_t first = s->n, n = (size_t)ref_len(units);

        if (n > s->cap) {
                s->number = mem_resize(s->number, n, sizeof *s->number);
                s->cap = n;
        }
        REF_EACH(unit, units)
                if (!take_file(s, unit.item, unit.i, first, run))
                        return false;
        return true;
}

static bool take_pod(struct share *s, struct ref units, struct vmq_run *run)
{
        BUF_AUTO struct buf note = BUF_INIT;
        MEM_AUTO char *pod = share_pod(units);
        const struct owner us = { .file = run->diag->file, .line = run->diag->line, .text = "" };

        write_note(&note, &us);
        if (claims_take(&s->claims, A_POD, pod, note.s, note.len, NULL) != CLAIM_FAILED)
                return true;
        vmq_fail_temporary(run);
        return false;
}

/* ---- ports -------------------------------------------------------------------------------------
 */

static bool take_port(struct share *s, const char *value, int index, const char *by,
                      struct vmq_run *run)
{
        BUF_AUTO struct buf other = BUF_INIT;

        switch (ports_take(&s->claims, value, by, &other)) {
        case CLAIM_FREE:
                return true;
        case CLAIM_TAKEN:
                s->clashed = true;
                diag_report(run->diag, VMQ_PORT_CLASH, AT_INDEX(AT(NULL, "units"), index),
                            "port %s is published by %s too, so nothing is written; give each VM "
                            "ports of its own (--vnc-port, --console-port)",
                            value, other.s);
                return true;
        case CLAIM_FAILED:
                break;
        }
        vmq_fail_temporary(run);
        return false;
}

static bool take_ports_of(struct share *s, struct ref unit, int index, const char *by,
                          struct vmq_run *run)
{
        BUF_AUTO struct buf why = BUF_INIT;
        UNIT_AUTO struct unit u = UNIT_INIT;
        const char *text = ref_text(unit, "text");
        const char *section = name_section(name_extension(ref_text(unit, "name")));
        bool good = true;

        if (!section || !strstr(text, "PublishPort") || !unit_read(&u, text, strlen(text), &why))
                return true;
        for (size_t i = unit_find(&u, section, "PublishPort", 0); good && i < u.n;
             i = unit_next(&u, section, "PublishPort", i))
                good = take_port(s, u.lines[i].value, index, by, run);
        return good;
}

static bool take_ports(struct share *s, struct ref units, struct vmq_run *run)
{
        BUF_AUTO struct buf by = BUF_INIT;

        describe(run->diag->file, run->diag->line, &by);
        REF_EACH(unit, units)
                if (!take_ports_of(s, unit.item, unit.i, by.s, run))
                        return false;
        return true;
}

bool share_take(struct share *s, struct ref units, struct vmq_run *run)
{
        return take_files(s, units, run) && take_pod(s, units, run) && take_ports(s, units, run);
}

void share_release(struct share *s)
{
        claims_release(&s->claims);
        free(s->number);
        *s = (struct share)SHARE_INIT;
}
