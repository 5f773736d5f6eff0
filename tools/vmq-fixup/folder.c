/* SPDX-License-Identifier: Apache-2.0 */
#include "folder.h"

#include <string.h>

#include "jvx.h"
#include "mem.h"
#include "names.h"
#include "ref.h"
#include "transaction.h"

#define MOST_NAMED 3 /* files that one message names */

/* The folder's memory: {POD: {FILE: true}}. */
static bool read_record(const struct transaction *t, jv *record, struct buf *why)
{
        BUF_AUTO struct buf text = BUF_INIT;

        if (!transaction_read(t, TRANSACTION_RECORD, &text, why))
                return false;
        for (char *rest = text.s, *line; (line = strtok_r(NULL, "\n", &rest));) {
                char *file = strchr(line, ' ');

                if (file)
                        *file++ = '\0';
                if (!file || !name_is_good(file)) {
                        buf_addf(why, "%s/" TRANSACTION_RECORD " is damaged; remove it", t->path);
                        return false;
                }
                JVX_AUTO jv files = jvx_detach(record, line);

                jvx_set(&files, file, jv_true());
                jvx_set(record, line, jvx_take(&files));
        }
        return true;
}

static void print_record(struct ref record, struct buf *out)
{
        REF_EACH(owner, record)
                REF_EACH(file, owner.item)
                        buf_addf(out, "%s %s\n", owner.key, file.key);
}

/* {FILE: POD} of the record's pods that are none of this run's. */
static jv list_foreign(struct ref record, struct ref ours)
{
        JVX_AUTO jv foreign = jv_object();

        REF_EACH(owner, record)
                if (!ref_is_set(ref_get(ours, owner.key)))
                        REF_EACH(file, owner.item)
                                jvx_set(&foreign, file.key, jv_string(owner.key));
        return jvx_take(&foreign);
}

/* The run at hand: what is to become of the folder. */
struct plan {
        const struct fixup *self;
        struct vmq_run *run;
        struct transaction *t;
        jv before; /* the record as it was */
        jv after; /* as it will be: this run's pods with what they write, the others as they were */
        jv foreign; /* list_foreign() */
        bool good;
};

static void put_unit(struct plan *p, size_t vm, struct ref unit, const struct path *at,
                     struct buf *why)
{
        const char *name = ref_text(unit, "name"), *text = ref_text(unit, "text");
        const char *other = ref_str(ref_get(ref_of(&p->foreign), name));
        BUF_AUTO struct buf there = BUF_INIT;

        if (!fixup_writes(p->self, vm, name) || !p->good)
                return;
        if (other && transaction_read(p->t, name, &there, why) && there.len &&
            strcmp(there.s, text) != 0) {
                diag_report(
                        p->run->diag, VMQ_UNIT_CLASH, AT(at, "name"),
                        "%s in %s was written for %s, so nothing is written; rename the VM, or use "
                        "another folder",
                        name, p->t->path, other);
                p->good = false;
                return;
        }
        p->good = transaction_put(p->t, name, name_mode(name, ref_text(unit, "mode")), text,
                                  strlen(text), strcmp(name_extension(name), ".pod") == 0, why);
}

/* Tell of, or remove, what an earlier run wrote for the VM. */
static void retire(struct plan *p, const struct fixup_vm *vm, jv *files)
{
        BUF_AUTO struct buf names = BUF_INIT;
        int n = 0;

        REF_EACH(file, ref_get(ref_of(&p->before), vm->owner)) {
                bool wanted = ref_is_set(ref_get(ref_of(&p->self->owners), file.key)) ||
                              ref_is_set(ref_get(ref_of(&p->foreign), file.key));

                if (wanted || !transaction_has(p->t, file.key))
                        continue;
                if (p->self->prune) {
                        transaction_remove(p->t, file.key);
                        continue;
                }
                jvx_set(files, file.key, jv_true());
                if (n++ < MOST_NAMED)
                        buf_addf(&names, "%s%s", n > 1 ? ", " : "", file.key);
        }
        if (n > MOST_NAMED)
                buf_addf(&names, " and %d more", n - MOST_NAMED);
        if (n)
                diag_report(p->run->diag, VMQ_STALE_UNITS, NULL,
                            "left of an earlier run in %s: %s; --prune removes them", p->t->path,
                            names.s);
}

static void plan_vm(struct plan *p, size_t i, struct buf *why)
{
        const struct fixup_vm *vm = &p->self->vms[i];
        JVX_AUTO jv files = jv_object();

        diag_begin(p->run->diag, vm->file, vm->line, NULL, NULL);
        REF_EACH(unit, ref_of(&vm->units)) {
                put_unit(p, i, unit.item, AT_INDEX(AT(NULL, "units"), unit.i), why);
                jvx_set(&files, ref_text(unit.item, "name"), jv_true());
        }
        if (p->good)
                retire(p, vm, &files);
        if (diag_failed(p->run->diag)) {
                vmq_worsen(p->run, VMQ_EXIT_REFUSED);
                p->good = false;
        }
        diag_flush(p->run->diag);
        jvx_set(&p->after, vm->owner, jvx_take(&files));
}

static bool carry_out(struct plan *p, struct buf *why)
{
        BUF_AUTO struct buf record = BUF_INIT;

        if (!read_record(p->t, &p->before, why))
                return false;
        JVX_AUTO jv ours = jv_object();

        for (size_t i = 0; i < p->self->n; i++)
                jvx_set(&ours, p->self->vms[i].owner, jv_true());
        p->foreign = list_foreign(ref_of(&p->before), ref_of(&ours));
        p->after = jv_copy(p->before);
        for (size_t i = 0; i < p->self->n && p->good; i++)
                plan_vm(p, i, why);
        if (!p->good)
                return false;
        print_record(ref_of(&p->after), &record);
        return transaction_put(p->t, TRANSACTION_RECORD, 0644, record.s, record.len, true, why) &&
               transaction_commit(p->t, why);
}

void folder_write(const struct fixup *self, struct vmq_run *run)
{
        BUF_AUTO struct buf why = BUF_INIT;
        struct transaction t;
        struct plan p = { .self = self, .run = run, .t = &t, .good = true };

        p.before = jv_object();
        p.after = p.foreign = jv_invalid();

        if (!transaction_begin(&t, self->output_dir, &why) || !carry_out(&p, &why))
                if (why.len)
                        vmq_fail(run, "%s", why.s);
        transaction_end(&t);
        jvx_release(&p.before);
        jvx_release(&p.after);
        jvx_release(&p.foreign);
}
