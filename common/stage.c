/* SPDX-License-Identifier: Apache-2.0 */
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "intake.h"
#include "json.h"
#include "jvx.h"
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
        OPT_LIST_OPTIONS,
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

/* What the driver itself was told. */
struct driver {
        const struct vmq_stage *stage;
        struct vmq_run run;
        struct diag diag;
        struct settings settings;
        const char *config;
        const char *color;
        const char *files_from;
        int progress_fd; /* -1: none */
        bool allow_empty;
        bool fail_fast;
        size_t seen; /* documents for this stage, refused ones too */
        struct others others;
};

void vmq_worsen(struct vmq_run *run, enum vmq_exit to)
{
        if (run->status < (int)to)
                run->status = (int)to;
}

/* "NAME: text" on a line of its own, whatever is in the text: names of files may be anyone's. */
static void say(FILE *out, const char *prog, const char *fmt, va_list ap)
        __attribute__((format(printf, 3, 0)));

static void say(FILE *out, const char *prog, const char *fmt, va_list ap)
{
        BUF_AUTO struct buf raw = BUF_INIT;
        BUF_AUTO struct buf text = BUF_INIT;

        buf_vaddf(&raw, fmt, ap);
        utf8_add_visible(&text, raw.s, raw.len);
        fprintf(out, "%s: %s\n", prog, text.s);
}

void vmq_fail(struct vmq_run *run, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        say(run->diag->out, run->diag->style.prog, fmt, ap);
        va_end(ap);
        vmq_worsen(run, VMQ_EXIT_SYSTEM);
}

bool vmq_write_all(int fd, const char *bytes, size_t len)
{
        while (len) {
                ssize_t n = write(fd, bytes, len);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return false;
                bytes += n;
                len -= (size_t)n;
        }
        return true;
}

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

/* One line each: owner, name and argument, for vmq(1) and shell completion. */
static void list_options(const struct vmq_stage *s)
{
        for (size_t i = 0; i < s->n_options; i++)
                printf("stage\t%s\t%s\n", s->options[i].name,
                       s->options[i].arg ? s->options[i].arg : "");
        for (int i = 0; i < N_SETTINGS; i++)
                printf("setting\t%s\t%s\n", setting_infos[i].option,
                       setting_infos[i].arg ? setting_infos[i].arg : "");
        for (int i = 0; i < N_COMMON; i++)
                printf("common\t%s\t%s\n", common_options[i].name,
                       common_options[i].arg ? common_options[i].arg : "");
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
                list_options(d->stage);
                return VMQ_EXIT_OK;
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

static void take_own(const struct vmq_option *o, const char *text)
{
        if (o->many) {
                struct vmq_list *list = o->value;

                MEM_GROW(list->values, list->n, list->cap);
                list->values[list->n++] = text;
        } else if (o->arg) {
                *(const char **)o->value = text;
        } else {
                *(bool *)o->value = true;
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

/* Returns -1 with optind at the first file, or the status to end with. */
static int parse_options(struct driver *d, int argc, char **argv)
{
        struct option *table = option_table(d->stage);
        int own = (int)d->stage->n_options, status = -1, got;

        opterr = 0;
        while (status < 0 && (got = getopt_long(argc, argv, ":", table, NULL)) != -1) {
                int at = got - FIRST_LONG;

                if (at < 0)
                        status = bad_option(d, got, argv[optind - 1]);
                else if (at < own)
                        take_own(&d->stage->options[at], optarg);
                else if (at < own + N_SETTINGS)
                        status = take_setting(d, (enum setting)(at - own), optarg);
                else
                        status =
                                take_common(d, (enum common_option)(at - own - N_SETTINGS), optarg);
        }
        free(table);
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

/* How messages weigh and look, once all options are known. */
static void set_style(struct driver *d)
{
        struct diag_style *style = &d->diag.style;
        const char *no_color = getenv("NO_COLOR");
        bool tty = isatty(STDERR_FILENO) != 0;

        style->strict = weight_of(d, SET_VALIDATE);
        style->admission = weight_of(d, SET_ADMISSION);
        style->carets = tty && !style->json;
        style->color = strcmp(d->color, "always") == 0 ||
                       (strcmp(d->color, "auto") == 0 && tty && !(no_color && *no_color));
}

/* --- the stream ----------------------------------------------------------------------------- */

static void write_item(const jv *item, struct driver *d)
{
        BUF_AUTO struct buf line = BUF_INIT;

        json_print(item, &line);
        buf_addc(&line, '\n');
        if (!vmq_write_all(STDOUT_FILENO, line.s, line.len))
                vmq_fail(&d->run, "standard output: %s", strerror(errno));
}

/* Run one item through the stage; it stays the caller's. */
static void run_item(struct driver *d, const struct intake *intake, jv *item)
{
        if (settings_recall(&d->settings, item, &d->diag)) {
                set_style(d);
                intake_report_again(intake, &d->diag);
                settings_remember(&d->settings, item);
                d->stage->each(item, &d->run);
        }
        if (diag_failed(&d->diag))
                return;
        if (d->stage->write)
                d->stage->write(item, &d->run);
        else
                write_item(item, d);
}

/* Tell whoever counts (vmq convert). It may be gone; that is no failure of ours. */
static void tell_progress(const struct driver *d)
{
        const char *sign = diag_failed(&d->diag) ? "!" : ".";

        if (d->progress_fd >= 0 && !vmq_write_all(d->progress_fd, sign, 1))
                return;
}

static bool go_on(const struct driver *d)
{
        return d->run.status < VMQ_EXIT_SYSTEM &&
               !(d->fail_fast && d->run.status >= VMQ_EXIT_REFUSED);
}

static bool take_other(const jv *object, void *self)
{
        struct driver *d = self;

        return d->stage->other(object, &d->run);
}

static void run_stream(struct driver *d, int fd, const char *file)
{
        const struct vmq_stage *s = d->stage;
        struct intake intake;
        enum intake_result got = INTAKE_ITEM;

        intake_open(&intake, fd, file, s->first, s->kind, s->key);
        intake.others = &d->others;
        intake.take = s->other ? take_other : NULL;
        intake.take_self = d;
        while (go_on(d) && got != INTAKE_END && got != INTAKE_BROKEN) {
                JVX_AUTO jv item = jv_invalid();

                got = intake_next(&intake, &item, &d->diag);
                d->seen += got != INTAKE_END && got != INTAKE_OTHER;
                if (got == INTAKE_ITEM)
                        run_item(d, &intake, &item);
                if (diag_failed(&d->diag))
                        vmq_worsen(&d->run, VMQ_EXIT_REFUSED);
                if (got != INTAKE_END && got != INTAKE_OTHER)
                        tell_progress(d);
                diag_flush(&d->diag);
        }
        if (intake.in.error)
                vmq_fail(&d->run, "%s: %s", file, strerror(intake.in.error));
        intake_close(&intake);
}

static void run_path(struct driver *d, const char *path)
{
        bool is_stdin = strcmp(path, "-") == 0;
        int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

        if (fd < 0) {
                vmq_fail(&d->run, "%s: %s", path, strerror(errno));
                return;
        }
        run_stream(d, fd, is_stdin ? "<stdin>" : path);
        if (!is_stdin)
                (void)close(fd);
}

/* The files that a list names, one a line. */
static void run_list(struct driver *d, const char *list)
{
        bool is_stdin = strcmp(list, "-") == 0;
        FILE *in = is_stdin ? stdin : fopen(list, "re");
        char *line = NULL;
        size_t size = 0;
        ssize_t len;

        if (!in) {
                vmq_fail(&d->run, "%s: %s", list, strerror(errno));
                return;
        }
        while (go_on(d) && (len = getline(&line, &size, in)) > 0) {
                if (line[len - 1] == '\n')
                        line[len - 1] = '\0';
                if (*line)
                        run_path(d, line);
        }
        if (ferror(in))
                vmq_fail(&d->run, "%s: %s", list, strerror(errno));
        free(line);
        if (!is_stdin)
                (void)fclose(in);
}

static void run_all(struct driver *d, int argc, char **argv)
{
        if (d->files_from)
                run_list(d, d->files_from);
        else if (optind == argc)
                run_path(d, "-");
        for (int i = optind; i < argc && go_on(d); i++)
                run_path(d, argv[i]);
        if (d->seen == 0 && !d->allow_empty && d->run.status == VMQ_EXIT_OK) {
                diag_begin(&d->diag, optind == argc ? "<stdin>" : argv[argc - 1], 1, NULL, NULL);
                diag_report_at(&d->diag, VMQ_NO_INPUT, (struct place){ 1, 1 }, NULL,
                               "no %s in the input%s",
                               d->stage->kind ? d->stage->kind : "work item",
                               d->others.n ? ", only other objects"
                                           : "; check the command in front of the pipe");
                diag_flush(&d->diag);
                vmq_worsen(&d->run, VMQ_EXIT_REFUSED);
        }
        if (d->stage->finish)
                d->stage->finish(&d->run);
        diag_flush(&d->diag);
        diag_summary(&d->diag);
}

/* Text that main() printed itself (help) may not have fitted either. */
static int close_output(const struct driver *d, int status)
{
        if (fflush(stdout) == 0 && !ferror(stdout))
                return status;
        fprintf(stderr, "%s: standard output: %s\n", d->stage->name, strerror(errno));
        return VMQ_EXIT_SYSTEM;
}

static void nomem(void *data)
{
        (void)data;
        mem_die();
}

/* A standard descriptor that is closed would be the next file's. What takes its place lets nothing
 * through, so that a result that went nowhere is not taken for written. */
static void fill_descriptors(void)
{
        static const int flags[] = { O_WRONLY, O_RDONLY, O_RDONLY };

        for (int fd = 0; fd < 3; fd++)
                if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) != fd)
                        _exit(VMQ_EXIT_SYSTEM);
}

int vmq_stage_main(const struct vmq_stage *stage, int argc, char **argv)
{
        fill_descriptors();
        /* The stages of a pipeline share it, and their messages must not meet within a line. */
        (void)setvbuf(stderr, NULL, _IOLBF, 0);
        struct driver d = { .stage = stage,
                            .diag = { .style = { .prog = stage->name }, .out = stderr },
                            .color = "auto",
                            .progress_fd = -1 };

        d.run = (struct vmq_run){ .self = stage->self, .settings = &d.settings, .diag = &d.diag };
        others_open(&d.others);
        d.run.others = &d.others;
        jv_nomem_handler(nomem, NULL);
        int status = parse_options(&d, argc, argv);

        if (status < 0)
                status = read_config(&d);
        if (status < 0) {
                set_style(&d);
                status = stage->start ? stage->start(&d.run) : -1;
        }
        if (status < 0) {
                run_all(&d, argc, argv);
                status = d.run.status;
        }
        settings_release(&d.settings);
        others_close(&d.others);
        diag_release(&d.diag);
        return close_output(&d, status);
}
