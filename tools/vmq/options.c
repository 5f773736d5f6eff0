/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "buf.h"
#include "exits.h"
#include "mem.h"
#include "settings.h"

enum own { OWN_OUTPUT, OWN_KEEP, OWN_FROM, OWN_TO, OWN_JOBS, OWN_FILES_FROM, OWN_HELP };

static const struct own_option {
        const char *name;
        char letter;
        const char *arg, *help;
} own_options[] = {
        [OWN_OUTPUT] = { "output-dir", 'o', "DIR",
                         "write the units as files into DIR (default: one bundle on standard "
                         "output)" },
        [OWN_KEEP] = { "keep", 'k', "DIR",
                       "keep what each stage made in DIR (validated.json, prepared.json, ...)" },
        [OWN_FROM] = { "from", 0, "STAGE", "start with this stage (default: validate)" },
        [OWN_TO] = { "to", 0, "STAGE", "end with this stage (default: fixup)" },
        [OWN_JOBS] = { "jobs", 'j', "N",
                       "share the files between N pipelines (with --output-dir)" },
        [OWN_FILES_FROM] = { "files-from", 0, "FILE",
                             "read the names of the files and folders, one a line, from FILE (-: "
                             "standard input)" },
        [OWN_HELP] = { "help", 'h', NULL, "print this and exit" },
};

static int usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static int usage_error(const char *fmt, ...)
{
        va_list ap;

        fputs("vmq: ", stderr);
        va_start(ap, fmt);
        vfprintf(stderr, fmt, ap);
        va_end(ap);
        fputs("; try vmq convert --help\n", stderr);
        return VMQ_EXIT_USAGE;
}

static void print_help(void)
{
        printf("usage: vmq convert [OPTION]... FILE|DIR... -o DIR\n"
               "Convert KubeVirt VirtualMachines into Podman Quadlet units.\n"
               "Of a DIR every .yaml, .yml and .json file is taken; - is standard input.\n\n"
               "Options:\n");
        for (size_t i = 0; i < ARRAY_LEN(own_options); i++) {
                const struct own_option *o = &own_options[i];
                char flag[40];

                (void)snprintf(flag, sizeof flag, "%s%s%s", o->name, o->arg ? "=" : "",
                               o->arg ? o->arg : "");
                printf("  %c%c  --%-24s %s\n", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
                       flag, o->help);
        }
        printf("\nSettings of the pipeline:\n");
        for (int i = 0; i < N_SETTINGS; i++) {
                const struct setting_info *s = &setting_infos[i];
                char flag[48];

                (void)snprintf(flag, sizeof flag, "%s%s%s", s->option, s->arg ? "=" : "",
                               s->arg ? s->arg : "");
                printf("     --%-28s %s\n", flag, s->help);
        }
        printf("\nEvery other option goes to the stages that own it: see vmq STAGE --help.\n");
}

static int take_stage(const char *option, const char *text, int *ret)
{
        *ret = stage_of(text);
        if (*ret == N_STAGES)
                return usage_error("--%s: '%s' is no stage", option, text);
        return -1;
}

static int take_jobs(struct options *o, const char *text)
{
        char *end;
        long n = strtol(text, &end, 10);

        if (end == text || *end || n < 1 || n > MOST_JOBS)
                return usage_error("--jobs: '%s' is not a number from 1 to %d", text, MOST_JOBS);
        o->jobs = (int)n;
        return -1;
}

static int take_own(struct options *o, enum own which, const char *text)
{
        switch (which) {
        case OWN_OUTPUT:
                o->output = text;
                return -1;
        case OWN_KEEP:
                o->keep = text;
                return -1;
        case OWN_FROM:
                return take_stage("from", text, &o->from);
        case OWN_TO:
                return take_stage("to", text, &o->to);
        case OWN_JOBS:
                return take_jobs(o, text);
        case OWN_FILES_FROM:
                return inputs_add_list(&o->inputs, text) ? -1 : VMQ_EXIT_SYSTEM;
        case OWN_HELP:
                print_help();
                return VMQ_EXIT_OK;
        }
        return -1;
}

/* The option of ours that arg is ("-o", "-oDIR", "--keep", "--keep=DIR"), with *value behind the
 * name if it is in the same word; ARRAY_LEN(own_options) if none. */
static size_t find_own(const char *arg, const char **value)
{
        size_t i;

        *value = NULL;
        for (i = 0; i < ARRAY_LEN(own_options); i++) {
                const struct own_option *o = &own_options[i];
                size_t len = strlen(o->name);

                if (arg[1] != '-' && o->letter == arg[1]) {
                        *value = arg[2] ? arg + 2 : NULL;
                        break;
                }
                if (arg[1] == '-' && strncmp(arg + 2, o->name, len) == 0 &&
                    (!arg[2 + len] || arg[2 + len] == '=')) {
                        *value = arg[2 + len] ? arg + 3 + len : NULL;
                        break;
                }
        }
        return i;
}

/* Which stages get an option that is not ours, and whether it takes a value. */
static int find_owner(const char *name, size_t len, struct option_found *found, int *stage)
{
        BUF_AUTO struct buf text = BUF_INIT;

        buf_add(&text, name, len);
        enum setting setting = setting_of(text.s);

        if (setting != N_SETTINGS) {
                *found = (struct option_found){ OWNER_SETTING, setting_infos[setting].arg != NULL };
                return -1;
        }
        for (*stage = 0; *stage < N_STAGES; ++*stage) {
                if (!stage_find_option(*stage, name, len, found))
                        return VMQ_EXIT_SYSTEM;
                if (found->owner != OWNER_NONE)
                        return -1;
        }
        return usage_error("no stage has the option '--%s'", text.s);
}

/* An option kept for later, when --from and --to are known. */
struct forwarded {
        const char *name; /* len bytes */
        size_t len;
        const char *value;
        enum option_owner owner;
        int stage;
};

struct forwards {
        struct forwarded *v;
        size_t n, cap;
};

/* Take argv[*i], an option of the stages, and its value. */
static int take_forwarded(struct forwards *f, int argc, char **argv, int *i)
{
        const char *arg = argv[*i];
        struct option_found found;
        struct forwarded it = { .name = arg + 2, .len = strcspn(arg + 2, "=") };

        if (arg[1] != '-')
                return usage_error("bad option '%s'", arg);
        int status = find_owner(it.name, it.len, &found, &it.stage);

        if (status >= 0)
                return status;
        it.owner = found.owner;
        if (it.owner == OWNER_ALONE)
                return usage_error("'--%.*s' does not convert; run vmq-%s with it", (int)it.len,
                                   it.name, stage_infos[it.stage].name);
        it.value = it.name[it.len] == '=' ? it.name + it.len + 1 : NULL;
        if (it.value && !found.takes_value)
                return usage_error("'--%.*s' takes no value", (int)it.len, it.name);
        if (!it.value && found.takes_value) {
                if (*i + 1 >= argc)
                        return usage_error("option '%s' needs a value", arg);
                it.value = argv[++*i];
        }
        MEM_GROW(f->v, f->n, f->cap);
        f->v[f->n++] = it;
        return -1;
}

static int hand_out(struct options *o, const struct forwards *f)
{
        for (size_t i = 0; i < f->n; i++) {
                const struct forwarded *it = &f->v[i];
                BUF_AUTO struct buf text = BUF_INIT;

                buf_addf(&text, "--%.*s%s%s", (int)it->len, it->name, it->value ? "=" : "",
                         it->value ? it->value : "");
                if (it->owner != OWNER_STAGE || it->stage != STAGE_FIXUP)
                        arguments_add(&o->forwarded, text.s);
                o->counted = o->counted || strncmp(text.s, "--progress-fd=", 14) == 0;
                if (it->owner == OWNER_STAGE && (it->stage < o->from || it->stage > o->to))
                        return usage_error("%s is vmq-%s's, which is not among the stages that run",
                                           text.s, stage_infos[it->stage].name);
                for (int stage = o->from; stage <= o->to; stage++)
                        if (it->owner == OWNER_COMMON ||
                            (it->owner == OWNER_STAGE && it->stage == stage) ||
                            (it->owner == OWNER_SETTING && stage == o->from))
                                arguments_add(&o->args[stage], text.s);
        }
        return -1;
}

static int parse_word(struct options *o, struct forwards *f, int argc, char **argv, int *i)
{
        const char *value;
        size_t own = find_own(argv[*i], &value);

        if (own == ARRAY_LEN(own_options))
                return take_forwarded(f, argc, argv, i);
        if (own_options[own].arg && !value) {
                if (*i + 1 >= argc)
                        return usage_error("option '%s' needs a value", argv[*i]);
                value = argv[++*i];
        }
        return take_own(o, (enum own)own, value);
}

/* What can only be said once everything is known. */
static int check_together(const struct options *o)
{
        if (o->from > o->to)
                return usage_error("--from %s comes behind --to %s", stage_infos[o->from].name,
                                   stage_infos[o->to].name);
        if (o->output && o->to != STAGE_FIXUP)
                return usage_error("--output-dir needs the last stage, fixup");
        if (o->jobs > 1 && !o->output)
                return usage_error("--jobs needs --output-dir");
        if (o->jobs > 1 && o->keep)
                return usage_error("--jobs and --keep don't go together");
        return -1;
}

int options_parse(struct options *o, int argc, char **argv)
{
        struct forwards f = { 0 };
        bool files_only = false, readable = true;
        int status = -1;

        *o = (struct options){ .from = STAGE_VALIDATE, .to = STAGE_FIXUP, .jobs = 1 };
        for (int i = 1; status < 0 && i < argc; i++) {
                if (!files_only && strcmp(argv[i], "--") == 0)
                        files_only = true;
                else if (files_only || argv[i][0] != '-' || !argv[i][1])
                        readable = inputs_add(&o->inputs, argv[i]) && readable;
                else
                        status = parse_word(o, &f, argc, argv, &i);
        }
        if (status < 0)
                status = check_together(o);
        if (status < 0)
                status = hand_out(o, &f);
        free(f.v);
        if (status < 0 && !readable)
                return VMQ_EXIT_SYSTEM;
        if (status < 0 && o->inputs.n == 0)
                return usage_error("no file to convert");
        if ((size_t)o->jobs > o->inputs.n)
                o->jobs = o->inputs.n ? (int)o->inputs.n : 1;
        return status;
}

void options_release(struct options *o)
{
        inputs_release(&o->inputs);
        arguments_release(&o->forwarded);
        for (int i = 0; i < N_STAGES; i++)
                arguments_release(&o->args[i]);
}
