/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "names.h"

#define MOST_NAMED 3 /* files that one message names */

/* The kinds of the claims' keys; share.c and ports.c have others. */
enum {
        STALE = 'S',   /* a file that this run does not make for a pod that it does make */
        FOREIGN = 'O', /* ... and that another pod has too */
};

void record_line(struct buf *out, const char *pod, const char *file)
{
        buf_adds(out, pod);
        buf_addc(out, ' ');
        buf_adds(out, file);
        buf_addc(out, '\n');
}

/* One reading of the record. */
struct reading {
        struct transaction *t;
        struct share *share;
        struct vmq_run *run;
        struct spool *out;
        struct buf *why;
        bool prune;
        bool stale; /* a stale file was found */

        /* The pod at hand: lines of one stand together. */
        struct buf pod;
        bool ours;       /* this run writes it */
        struct buf note; /* ... and this is what owner's texts are in */
        struct owner owner;
        struct buf left; /* its files that stay, by name, for a message */
        int n_left;
};

static bool no_temporary(struct reading *r)
{
        buf_addf(r->why, "temporary file: %s", strerror(errno));
        return false;
}

/* CLAIM_TAKEN, CLAIM_FREE as a bool; false after a failure, with `why`. */
static bool is_taken(struct reading *r, enum claim got, bool *taken)
{
        *taken = got == CLAIM_TAKEN;
        return got != CLAIM_FAILED || no_temporary(r);
}

/* ---- walking over the lines --------------------------------------------------------------------
 */

static bool leave_pod(struct reading *r)
{
        const struct vmq_run *run = r->run;

        if (r->n_left == 0)
                return true;
        if (r->n_left > MOST_NAMED)
                buf_addf(&r->left, " and %d more", r->n_left - MOST_NAMED);
        diag_begin(run->diag, r->owner.file, r->owner.line, NULL, NULL);
        diag_report(run->diag, VMQ_STALE_UNITS, NULL,
                    "left of an earlier run in %s: %s; --prune removes them", r->t->path,
                    r->left.s);
        bool good = !diag_failed(run->diag);

        if (!good)
                vmq_worsen(r->run, VMQ_EXIT_REFUSED);
        diag_flush(run->diag);
        buf_clear(&r->left);
        r->n_left = 0;
        return good;
}

static bool enter_pod(struct reading *r, const char *pod)
{
        if (r->pod.len && strcmp(r->pod.s, pod) == 0)
                return true;
        if (!leave_pod(r))
                return false;
        buf_clear(&r->pod);
        buf_adds(&r->pod, pod);
        return is_taken(r, share_find_pod(r->share, pod, &r->note, &r->owner), &r->ours);
}

static bool each_line(struct reading *r, FILE *file,
                      bool (*each)(struct reading *r, const char *name))
{
        char *text = NULL;
        size_t size = 0;
        ssize_t len;
        bool good = true;

        while (good && (len = getline(&text, &size, file)) > 0) {
                char *name = strchr(text, ' ');

                if (text[len - 1] == '\n')
                        text[len - 1] = '\0';
                if (name)
                        *name++ = '\0';
                if (name && name_is_good(name)) {
                        good = enter_pod(r, text) && each(r, name);
                } else {
                        buf_addf(r->why, "%s/" TRANSACTION_RECORD " is damaged; remove it",
                                 r->t->path);
                        good = false;
                }
        }
        free(text);
        if (good && ferror(file)) {
                buf_addf(r->why, "%s/" TRANSACTION_RECORD ": %s", r->t->path, strerror(errno));
                good = false;
        }
        buf_clear(&r->pod);
        return good && leave_pod(r);
}

/* ---- first: what is in the way, and what is left over ------------------------------------------
 */

/* A file of another pod, that this run has too. */
static bool compare(struct reading *r, const char *name, const struct owner *us)
{
        struct diag *d = r->run->diag;
        bool same;

        if (!transaction_same(r->t, name, &same, r->why))
                return false;
        if (same)
                return true;
        diag_begin(d, us->file, us->line, NULL, NULL);
        diag_report(d, VMQ_UNIT_CLASH, AT(AT_INDEX(AT(NULL, "units"), us->index), "name"),
                    "%s in %s was written for %s, so nothing is written; rename the VM, or use "
                    "another folder",
                    name, r->t->path, r->pod.s);
        vmq_worsen(r->run, VMQ_EXIT_REFUSED);
        diag_flush(d);
        return false;
}

static bool look(struct reading *r, const char *name)
{
        BUF_AUTO struct buf note = BUF_INIT;
        struct owner us;
        bool made;

        if (!is_taken(r, share_find_file(r->share, name, &note, &us), &made))
                return false;
        if (made)
                return r->ours || compare(r, name, &us);
        if (!r->ours || !transaction_has(r->t, name))
                return true;
        r->stale = true;
        return claims_take(&r->share->claims, STALE, name, "", 0, NULL) != CLAIM_FAILED ||
               no_temporary(r);
}

/* ---- then: which of those left over are another pod's too --------------------------------------
 */

static bool look_again(struct reading *r, const char *name)
{
        bool stale;

        if (r->ours)
                return true;
        if (!is_taken(r, claims_find(&r->share->claims, STALE, name, NULL), &stale))
                return false;
        return !stale ||
               claims_take(&r->share->claims, FOREIGN, name, "", 0, NULL) != CLAIM_FAILED ||
               no_temporary(r);
}

/* ---- at last: what stays of the record ---------------------------------------------------------
 */

static bool keep_line(struct reading *r, const char *name)
{
        BUF_AUTO struct buf line = BUF_INIT;

        record_line(&line, r->pod.s, name);
        return spool_append(r->out, line.s, line.len) || no_temporary(r);
}

static bool keep(struct reading *r, const char *name)
{
        bool stale, foreign;

        if (!r->ours)
                return keep_line(r, name);
        if (!is_taken(r, claims_find(&r->share->claims, STALE, name, NULL), &stale) ||
            !is_taken(r, claims_find(&r->share->claims, FOREIGN, name, NULL), &foreign))
                return false;
        if (!stale || foreign)
                return true;
        if (r->prune)
                return transaction_remove(r->t, name, r->why);
        if (r->n_left++ < MOST_NAMED)
                buf_addf(&r->left, "%s%s", r->n_left > 1 ? ", " : "", name);
        return keep_line(r, name);
}

bool record_renew(struct transaction *t, struct share *share, bool prune, struct vmq_run *run,
                  struct spool *out, struct buf *why)
{
        struct reading r = { .t = t,
                             .share = share,
                             .run = run,
                             .out = out,
                             .why = why,
                             .prune = prune,
                             .pod = BUF_INIT,
                             .note = BUF_INIT,
                             .left = BUF_INIT };
        FILE *file;

        if (!transaction_open(t, TRANSACTION_RECORD, &file, why))
                return false;
        if (!file)
                return true;
        bool good = each_line(&r, file, look);

        rewind(file);
        good = good && (!r.stale || each_line(&r, file, look_again));
        rewind(file);
        good = good && each_line(&r, file, keep);
        (void)fclose(file);
        buf_release(&r.pod);
        buf_release(&r.note);
        buf_release(&r.left);
        return good;
}
