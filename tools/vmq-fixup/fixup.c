/* SPDX-License-Identifier: Apache-2.0 */
#include "fixup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jvx.h"
#include "lines.h"
#include "ref.h"
#include "tar.h"

void fixup_open(struct fixup *self)
{
        *self = (struct fixup){
                .share = SHARE_INIT, .bundle = BUNDLE_INIT, .out = SPOOL_INIT, .folder = FOLDER_INIT
        };
}

static int usage(const struct vmq_run *run, const char *text)
{
        fprintf(run->diag->out, "%s: %s; try %s --help\n", run->diag->style.prog, text,
                run->diag->style.prog);
        return VMQ_EXIT_USAGE;
}

int fixup_start(struct vmq_run *run)
{
        const struct fixup *self = run->self;

        if (self->output_dir && self->tar)
                return usage(run, "--output-dir and --tar exclude each other");
        if (self->prune && !self->output_dir)
                return usage(run, "--prune needs --output-dir");
        if (self->output_dir && !*self->output_dir)
                return usage(run, "--output-dir needs the name of a folder");
        if (self->tar && isatty(STDOUT_FILENO))
                return usage(run, "--tar does not write to a terminal");
        return -1;
}

void fixup_each(jv *item, struct vmq_run *run)
{
        struct fixup *self = run->self;
        JVX_AUTO jv units = jvx_detach(item, "units");
        struct ref view = ref_of(&units);

        if (ref_kind(view) != JV_KIND_ARRAY || ref_len(view) == 0)
                diag_report(run->diag, VMQ_NO_UNITS, AT(NULL, "units"),
                            "no units; run vmq-quadlet in front of vmq-fixup");
        else if (lines_check(view, run->diag)) {
                lines_add(&units, run);
                if (!diag_failed(run->diag) && !self->output_dir && !self->tar)
                        bundle_make(&self->bundle, ref_of(&units), run->diag);
        }
        jvx_set(item, "units", jvx_take(&units));
}

static void lay_by(struct fixup *self, struct ref units, struct vmq_run *run)
{
        bool good = true;

        if (self->output_dir)
                folder_add(&self->folder, self->output_dir, units, &self->share, run);
        else if (self->tar)
                good = tar_add(&self->out, units, &self->share);
        else
                good = bundle_add(&self->bundle, &self->out, units, &self->share);
        if (!good)
                vmq_fail_temporary(run);
}

void fixup_write(const jv *item, struct vmq_run *run)
{
        struct fixup *self = run->self;
        struct ref units = ref_get(ref_of(item), "units");

        if (!share_take(&self->share, units, run) || self->share.clashed)
                return;
        lay_by(self, units, run);
        self->written++;
}

void fixup_finish(struct vmq_run *run)
{
        struct fixup *self = run->self;

        if (self->share.clashed || self->written == 0 || run->status >= VMQ_EXIT_SYSTEM)
                return;
        if (self->output_dir)
                folder_finish(&self->folder, &self->share, self->prune, run);
        else if (self->tar && !tar_end(&self->out))
                vmq_fail_temporary(run);
        else if (!spool_copy(&self->out, STDOUT_FILENO))
                vmq_fail(run, "standard output: %s", strerror(errno));
}

void fixup_release(struct fixup *self)
{
        share_release(&self->share);
        bundle_release(&self->bundle);
        spool_release(&self->out);
        folder_release(&self->folder);
}
