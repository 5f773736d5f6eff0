/* SPDX-License-Identifier: Apache-2.0 */
#include "folder.h"

#include <errno.h>
#include <string.h>

#include "mem.h"
#include "names.h"
#include "record.h"

/* ---- as the VMs come in ------------------------------------------------------------------------
 */

static bool put_unit(struct folder *f, struct ref unit, size_t number, struct buf *why)
{
        const char *name = ref_text(unit, "name"), *text = ref_text(unit, "text");

        return number == NOT_WRITTEN ||
               transaction_put(&f->t, name, name_mode(name, ref_text(unit, "mode")), text,
                               strlen(text), why);
}

static bool put_units(struct folder *f, struct ref units, const struct share *share,
                      struct buf *why)
{
        for (int pods = 0; pods <= 1; pods++)
                REF_EACH(unit, units) {
                        bool pod = strcmp(name_extension(ref_text(unit.item, "name")), ".pod") == 0;

                        if (pod == pods && !put_unit(f, unit.item, share->number[unit.i], why))
                                return false;
                }
        return true;
}

static bool no_temporary(struct buf *why)
{
        buf_addf(why, "temporary file: %s", strerror(errno));
        return false;
}

static bool add_lines(struct folder *f, struct ref units, struct buf *why)
{
        BUF_AUTO struct buf lines = BUF_INIT;
        MEM_AUTO char *pod = share_pod(units);

        REF_EACH(unit, units)
                record_line(&lines, pod, ref_text(unit.item, "name"));
        return spool_append(&f->lines, lines.s, lines.len) || no_temporary(why);
}

void folder_add(struct folder *f, const char *name, struct ref units, const struct share *share,
                struct vmq_run *run)
{
        BUF_AUTO struct buf why = BUF_INIT;

        if (!f->open) {
                f->open = true;
                if (!transaction_begin(&f->t, name, &why)) {
                        vmq_fail(run, "%s", why.s);
                        return;
                }
        }
        if (!put_units(f, units, share, &why) || !add_lines(f, units, &why))
                vmq_fail(run, "%s", why.s);
}

/* ---- at the end --------------------------------------------------------------------------------
 */

/* With *again the folder has been made by somebody else meanwhile, and is to be looked at. */
static bool finish(struct folder *f, struct share *share, bool prune, struct vmq_run *run,
                   bool *again, struct buf *why)
{
        struct spool record = SPOOL_INIT;
        bool good = transaction_lock(&f->t, why) &&
                    record_renew(&f->t, share, prune, run, &record, why) &&
                    (spool_append_spool(&record, &f->lines) || no_temporary(why)) &&
                    transaction_put_spool(&f->t, TRANSACTION_RECORD, 0644, &record, why) &&
                    transaction_commit(&f->t, again, why);

        spool_release(&record);
        return good;
}

void folder_finish(struct folder *f, struct share *share, bool prune, struct vmq_run *run)
{
        BUF_AUTO struct buf why = BUF_INIT;
        bool again = false, good;

        do
                good = finish(f, share, prune, run, &again, &why);
        while (good && again);
        if (!good && why.len)
                vmq_fail(run, "%s", why.s);
}

void folder_release(struct folder *f)
{
        if (f->open)
                transaction_end(&f->t);
        spool_release(&f->lines);
        *f = (struct folder)FOLDER_INIT;
}
