/* SPDX-License-Identifier: Apache-2.0 */
#include "validate.h"

#include <stdio.h>

#include "check.h"
#include "schema.h"

/* What the class of a code means to the user. */
static const struct {
        const char *word, *text;
} classes[] = {
        [DIAG_ERROR] = { "error", "error" },
        [DIAG_STRICT] = { "strict", "error; --validate=warn makes it a warning, --validate=ignore "
                                    "nothing" },
        [DIAG_ADMISSION] = { "admission", "error; --admission=warn makes it a warning" },
        [DIAG_HOST] = { "host", "error when the VM is converted; a warning of vmq-validate, unless "
                                "--for-host is given" },
        [DIAG_WARNING] = { "warning", "warning" },
        [DIAG_NOTE] = { "note", "note" },
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
               classes[info->class].text, info->reason);
        if (info->example)
                printf("\n%s\n", info->example);
        return VMQ_EXIT_OK;
}

/* The codes in the order of their numbers; `order` has room for all. */
static void sort_codes(int order[DIAG_CODES])
{
        for (int i = 0; i < DIAG_CODES; i++) {
                int k = i;

                for (; k > 0 && diag_infos[order[k - 1]].number > diag_infos[i].number; k--)
                        order[k] = order[k - 1];
                order[k] = i;
        }
}

/* docs/diagnostics.md. */
static int list_codes(void)
{
        int order[DIAG_CODES];

        sort_codes(order);
        printf("# Messages\n\nEvery message of the vmq programs has a code, which stays the same. "
               "`vmq-validate --explain CODE`\nprints its entry, `--no-warn=CODE` mutes it where "
               "it is "
               "a warning or a note. Severities:\n\n");
        for (size_t i = 0; i < ARRAY_LEN(classes); i++)
                printf("- *%s*: %s\n", classes[i].word, classes[i].text);
        printf("\nThis page is what `vmq-validate --list-codes` prints.\n");
        for (int i = 0; i < DIAG_CODES; i++) {
                const struct diag_info *info = &diag_infos[order[i]];

                printf("\n## VMQ%04d: %s\n\n*%s* %s\n", info->number, info->title,
                       classes[info->class].word, info->reason);
                if (info->example)
                        printf("\n```yaml\n%s\n```\n", info->example);
        }
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

        run->diag->style.host_warns = !v->for_host;
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
        struct validate *v = run->self;

        check_vm(item, run->settings, run->keys, run->diag);
        if (!check_together(&v->stream, ref_with(item, run->keys), run->settings, run->diag))
                vmq_fail_temporary(run);
        check_done(item);
}
