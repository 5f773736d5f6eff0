/* SPDX-License-Identifier: Apache-2.0 */
#include "validate.h"

#include <stdio.h>

#include "check.h"
#include "schema.h"

static const char *const classes[] = {
        [DIAG_ERROR] = "error",
        [DIAG_STRICT] = "error; --validate=warn makes it a warning, --validate=ignore nothing",
        [DIAG_ADMISSION] = "error; --admission=warn makes it a warning",
        [DIAG_WARNING] = "warning",
        [DIAG_NOTE] = "note",
};

static int explain(const char *text)
{
        enum diag_code code = diag_code_of(text);

        if (code == DIAG_CODES) {
                fprintf(stderr,
                        "vmq-validate: --explain: no message has the code '%s'; "
                        "vmq-validate --list-codes prints them all\n",
                        text);
                return VMQ_EXIT_USAGE;
        }
        const struct diag_info *info = &diag_infos[code];

        printf("VMQ%04d: %s\nSeverity: %s.\n\n%s\n", info->number, info->title,
               classes[info->class], info->reason);
        if (info->example)
                printf("\n%s\n", info->example);
        return VMQ_EXIT_OK;
}

/* One line a code: number, severity, title. */
static int list_codes(void)
{
        static const char *const words[] = { "error", "strict", "admission", "warning", "note" };

        for (int i = 0; i < DIAG_CODES; i++)
                printf("VMQ%04d\t%s\t%s\n", diag_infos[i].number, words[diag_infos[i].class],
                       diag_infos[i].title);
        return VMQ_EXIT_OK;
}

/* docs/fields.md. */
static int list_fields(void)
{
        BUF_AUTO struct buf page = BUF_INIT;

        schema_print_fields(&page);
        (void)fwrite(page.s, 1, page.len, stdout);
        return VMQ_EXIT_OK;
}

int validate_start(struct vmq_run *run)
{
        const struct validate *v = run->self;

        if (v->explain)
                return explain(v->explain);
        if (v->list_codes)
                return list_codes();
        if (v->list_fields)
                return list_fields();
        return -1;
}

void validate_each(jv *item, struct vmq_run *run)
{
        check_vm(item, run->settings, run->diag);
        check_done(item);
}
