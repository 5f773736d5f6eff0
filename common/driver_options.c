/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "mem.h"
#include "utf8.h"

#ifndef VMQ_VERSION
#define VMQ_VERSION "unknown"
#endif
#ifndef VMQ_CONFIG
#define VMQ_CONFIG "/etc/vmq.conf"
#endif

/* The options that every program has. */
enum common_option {
        OPT_CONFIG,
        OPT_FILES_FROM,
        OPT_ALLOW_EMPTY,
        OPT_FAIL_FAST,
        OPT_PROGRESS_FD,
        OPT_DIAGNOSTICS,
        OPT_COLOR,
        OPT_WERROR,
        OPT_NO_WARN,
        OPT_LIST_OPTIONS, /* from here on they print something and end */
        OPT_HELP,
        OPT_VERSION,
        N_COMMON
};

static const struct {
        const char *name, *arg, *help;
} common_options[N_COMMON] = {
        [OPT_CONFIG] = { "config", "FILE", "read settings from FILE (default: " VMQ_CONFIG ")" },
        [OPT_FILES_FROM] = { "files-from", "FILE",
                             "read the names of the input files, one a line, from FILE (-: "
                             "standard input)" },
        [OPT_ALLOW_EMPTY] = { "allow-empty", NULL,
                              "take an input without any document for success" },
        [OPT_FAIL_FAST] = { "fail-fast", NULL, "stop at the first document that is refused" },
        [OPT_PROGRESS_FD] = { "progress-fd", "N",
                              "write '.' to descriptor N for a document that went through, '!' for "
                              "one that was refused" },
        [OPT_DIAGNOSTICS] = { "diagnostics", "text|json",
                              "how messages are printed (default: text)" },
        [OPT_COLOR] = { "color", "auto|always|never", "colour in messages (default: auto)" },
        [OPT_WERROR] = { "werror", NULL, "take warnings for errors" },
        [OPT_NO_WARN] = { "no-warn", "CODE", "leave out the warnings and notes of this code" },
        [OPT_LIST_OPTIONS] = { "list-options", NULL, "print the options, for programs, and exit" },
        [OPT_HELP] = { "help", NULL, "print this and exit" },
        [OPT_VERSION] = { "version", NULL, "print the version and exit" },
};

/* --- help ----------------------------------------------------------------------------------- */

static void print_option(const char *name, const char *arg, const char *help, const char *fallback)
{
        char flag[64];

        (void)snprintf(flag, sizeof flag, "--%s%s%s", name, arg ? "=" : "", arg ? arg : "");
        printf("  %-28s %s", flag, help);
        if (fallback && *fallback && arg)
                printf(" (default: %s)", fallback);
        putchar('\n');
}

static void print_help(const struct vmq_stage *s)
{
        printf("usage: %s [OPTION]... [FILE]...\n%s\nWith no FILE, or -, standard input.\n",
               s->name, s->summary);
        if (s->n_options)
                printf("\nOptions:\n");
        for (size_t i = 0; i < s->n_options; i++)
                print_option(s->options[i].name, s->options[i].arg, s->options[i].help, NULL);
        printf("\nSettings of the pipeline, remembered for the later stages:\n");
        for (int i = 0; i < N_SETTINGS; i++)
                print_option(setting_infos[i].option, setting_infos[i].arg, setting_infos[i].help,
                             setting_infos[i].fallback);
        printf("\nCommon options:\n");
        for (int i = 0; i < N_COMMON; i++)
                print_option(common_options[i].name, common_options[i].arg, common_options[i].help,
                             NULL);
}

static void list_option(struct buf *out, const char *owner, const char *name, const char *arg)
{
        buf_addf(out, "%s\t%s\t%s\n", owner, name, arg ? arg : "");
}

void vmq_list_options(const struct vmq_stage *s, struct buf *out)
{
        for (size_t i = 0; i < s->n_options; i++)
                list_option(out, s->options[i].alone ? "alone" : "stage", s->options[i].name,
                            s->options[i].arg);
        for (int i = 0; i < N_SETTINGS; i++)
                list_option(out, "setting", setting_infos[i].option, setting_infos[i].arg);
        for (int i = 0; i < N_COMMON; i++)
                list_option(out, i >= OPT_LIST_OPTIONS ? "alone" : "common", common_options[i].name,
                            common_options[i].arg);
}

static int print_list(const struct vmq_stage *s)
{
        BUF_AUTO struct buf out = BUF_INIT;

        vmq_list_options(s, &out);
        (void)fputs(out.s, stdout);
        return VMQ_EXIT_OK;
}

/* --- options -------------------------------------------------------------------------------- */

static int usage_error(const struct driver *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

static int usage_error(const struct driver *d, const char *fmt, ...)
{
        BUF_AUTO struct buf raw = BUF_INIT;
        BUF_AUTO struct buf text = BUF_INIT;
        va_list ap;

        va_start(ap, fmt);
        buf_vaddf(&raw, fmt, ap);
        va_end(ap);
        utf8_add_visible(&text, raw.s, raw.len);
        fprintf(stderr, "%s: %s; try %s --help\n", d->stage->name, text.s, d->stage->name);
        return VMQ_EXIT_USAGE;
}

/* One of the words of a "a|b" list: its number; -1. */
static int word_of(const char *words, const char *text)
{
        int i = 0;

        for (const char *p = words;; i++) {
                size_t n = strcspn(p, "|");

                if (strlen(text) == n && memcmp(p, text, n) == 0)
                        return i;
                if (!p[n])
                        return -1;
                p += n + 1;
        }
}

static int take_no_warn(struct driver *d, const char *text)
{
        enum diag_code code = diag_code_of(text);

        if (code == DIAG_CODES)
                return usage_error(d, "--no-warn: no message has the code '%s'", text);
        d->diag.style.muted[code] = true;
        return -1;
}

static int take_progress_fd(struct driver *d, const char *text)
{
        char *end;
        long fd = strtol(text, &end, 10);

        if (end == text || *end || fd < 0 || fd > 1024)
                return usage_error(d, "--progress-fd: '%s' is no descriptor", text);
        d->progress_fd = (int)fd;
        return -1;
}

static int take_common(struct driver *d, enum common_option which, const char *text)
{
        const char *words = common_options[which].arg;

        if (words && strchr(words, '|') && word_of(words, text) < 0)
                return usage_error(d, "--%s: '%s' is not one of %s", common_options[which].name,
                                   text, words);
        switch (which) {
        case OPT_CONFIG:
                d->config = text;
                return -1;
        case OPT_FILES_FROM:
                d->files_from = text;
                return -1;
        case OPT_ALLOW_EMPTY:
                d->allow_empty = true;
                return -1;
        case OPT_FAIL_FAST:
                d->fail_fast = true;
                return -1;
        case OPT_PROGRESS_FD:
                return take_progress_fd(d, text);
        case OPT_DIAGNOSTICS:
                d->diag.style.json = strcmp(text, "json") == 0;
                return -1;
        case OPT_COLOR:
                d->color = text;
                return -1;
        case OPT_WERROR:
                d->diag.style.werror = true;
                return -1;
        case OPT_NO_WARN:
                return take_no_warn(d, text);
        case OPT_LIST_OPTIONS:
                return print_list(d->stage);
        case OPT_HELP:
                print_help(d->stage);
                return VMQ_EXIT_OK;
        case OPT_VERSION:
                printf("%s %s\n", d->stage->name, VMQ_VERSION);
                return VMQ_EXIT_OK;
        case N_COMMON:
                break;
        }
        return -1;
}

static int take_setting(struct driver *d, enum setting which, const char *text)
{
        BUF_AUTO struct buf why = BUF_INIT;

        if (!text)
                text = "true";
        if (!setting_check(which, text, &why))
                return usage_error(d, "--%s: '%s' is not %s", setting_infos[which].option, text,
                                   why.s);
        settings_give(&d->settings, which, text);
        return -1;
}

static void take_own(const struct driver *d, const struct vmq_option *o, const char *text)
{
        void *at = (char *)d->run.self + o->at;

        if (o->many) {
                struct vmq_list *list = at;

                MEM_GROW(list->values, list->n, list->cap);
                list->values[list->n++] = text;
        } else if (o->arg) {
                *(const char **)at = text;
        } else {
                *(bool *)at = true;
        }
}

enum { FIRST_LONG = 256 }; /* what getopt_long() returns for the first row; below are characters */

static struct option row(int at, const char *name, const char *arg)
{
        return (struct option){ name, arg ? required_argument : no_argument, NULL,
                                FIRST_LONG + at };
}

/* getopt_long's table: the stage's own, then the settings, then the common ones. */
static struct option *option_table(const struct vmq_stage *s)
{
        size_t n = s->n_options + N_SETTINGS + N_COMMON;
        struct option *table = mem_resize(NULL, n + 1, sizeof *table);
        int at = 0;

        for (size_t i = 0; i < s->n_options; i++, at++)
                table[at] = row(at, s->options[i].name, s->options[i].arg);
        for (int i = 0; i < N_SETTINGS; i++, at++)
                table[at] = row(at, setting_infos[i].option, setting_infos[i].arg);
        for (int i = 0; i < N_COMMON; i++, at++)
                table[at] = row(at, common_options[i].name, common_options[i].arg);
        table[at] = (struct option){ 0 };
        return table;
}

/* getopt_long() returned ':' or '?'. */
static int bad_option(const struct driver *d, int got, const char *last)
{
        if (got == ':')
                return usage_error(d, "option '%s' needs a value", last);
        if (optopt > 0 && optopt < FIRST_LONG)
                return usage_error(d, "bad option '-%c'", optopt);
        return usage_error(d, optopt ? "option '%s' takes no value" : "bad option '%s'", last);
}

/* Returns -1, or the status to end with. */
static int parse_options(struct driver *d, int argc, char **argv)
{
        struct option *table = option_table(d->stage);
        int own = (int)d->stage->n_options, status = -1, got;

        opterr = 0;
        optind = 0; /* it may not be the first command line */
        while (status < 0 && (got = getopt_long(argc, argv, ":", table, NULL)) != -1) {
                int at = got - FIRST_LONG;

                if (at < 0)
                        status = bad_option(d, got, argv[optind - 1]);
                else if (at < own)
                        take_own(d, &d->stage->options[at], optarg);
                else if (at < own + N_SETTINGS)
                        status = take_setting(d, (enum setting)(at - own), optarg);
                else
                        status =
                                take_common(d, (enum common_option)(at - own - N_SETTINGS), optarg);
        }
        free(table);
        d->files = argv + optind;
        d->n_files = argc - optind;
        return status;
}

static int read_config(struct driver *d)
{
        BUF_AUTO struct buf why = BUF_INIT;

        if (!d->config && access(VMQ_CONFIG, F_OK) != 0)
                return -1;
        if (settings_read(&d->settings, d->config ? d->config : VMQ_CONFIG, &why))
                return -1;
        fprintf(stderr, "%s: %s\n", d->stage->name, why.s);
        return VMQ_EXIT_USAGE;
}

/* What a setting makes of its messages; both list the gravest word first. */
static enum diag_severity weight_of(const struct driver *d, enum setting which)
{
        static const enum diag_severity weights[] = { SEVERITY_ERROR, SEVERITY_WARNING,
                                                      SEVERITY_NONE };
        int word = word_of(setting_infos[which].arg, setting_text(&d->settings, which));

        return word >= 0 && word < (int)ARRAY_LEN(weights) ? weights[word] : SEVERITY_ERROR;
}

void driver_set_style(struct driver *d)
{
        struct diag_style *style = &d->diag.style;

        style->strict = weight_of(d, SET_VALIDATE);
        style->admission = weight_of(d, SET_ADMISSION);
}

int driver_take_options(struct driver *d, int argc, char **argv)
{
        int status = parse_options(d, argc, argv);
        struct diag_style *style = &d->diag.style;
        const char *no_color = getenv("NO_COLOR");
        bool tty = isatty(STDERR_FILENO) != 0;

        if (status < 0)
                status = read_config(d);
        style->carets = tty && !style->json;
        style->color = strcmp(d->color, "always") == 0 ||
                       (strcmp(d->color, "auto") == 0 && tty && !(no_color && *no_color));
        driver_set_style(d);
        return status;
}
