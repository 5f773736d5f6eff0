/* SPDX-License-Identifier: Apache-2.0 */
/* F_SETPIPE_SZ; NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#define _GNU_SOURCE
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"
#include "intake.h"
#include "json.h"
#include "jvx.h"
#include "mem.h"
#include "utf8.h"

#define PIPE_BYTES (1 << 20) /* what the kernel gives every user */

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

void vmq_fail_temporary(struct vmq_run *run)
{
        vmq_fail(run, "temporary file: %s", strerror(errno));
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

/* --- one item ------------------------------------------------------------------------------- */

/* Has the stage, or one behind it, met what ends the run? */
static bool go_on(const struct driver *d)
{
        for (; d; d = d->next)
                if (d->run.status >= VMQ_EXIT_SYSTEM ||
                    (d->fail_fast && d->run.status >= VMQ_EXIT_REFUSED))
                        return false;
        return true;
}

static void print_item(struct driver *d, const jv *item)
{
        BUF_AUTO struct buf line = BUF_INIT;

        json_print(item, &line);
        buf_addc(&line, '\n');
        if (!vmq_write_all(STDOUT_FILENO, line.s, line.len))
                vmq_fail(&d->run, "standard output: %s", strerror(errno));
}

/* Tell whoever counts (vmq convert). It may be gone; that is no failure of ours. */
static void tell_progress(const struct driver *d)
{
        bool refused = diag_failed(&d->diag);

        if (d->watch && (refused || !d->next))
                d->watch->tell(d->watch->self, refused);
        if (d->progress_fd >= 0 && !vmq_write_all(d->progress_fd, refused ? "!" : ".", 1))
                return;
}

/* Far from every bound that a reader has (json.h, places.h, INTAKE_LIMIT), whatever later stages
 * make of it. */
enum { SMALL_WEIGHT = 256 << 10, SMALL_DEPTH = 64, SMALL_MEMBERS = 1000 };

/* Take the value's weight off *left: one for every value and every byte of text. */
static bool weigh(struct ref r, int depth, long *left)
{
        const char *text = ref_str(r);

        *left -= 1 + (text ? (long)strlen(text) : 0);
        if (*left < 0 || depth > SMALL_DEPTH)
                return false;
        if (ref_len(r) == 0)
                return true;
        if (ref_kind(r) == JV_KIND_OBJECT && ref_len(r) > SMALL_MEMBERS)
                return false;
        REF_EACH(c, r) {
                *left -= c.key ? (long)strlen(c.key) : 0;
                if (!weigh(c.item, depth + 1, left))
                        return false;
        }
        return true;
}

static bool is_large(const jv *item)
{
        long left = SMALL_WEIGHT;

        return !weigh(ref_of(item), 0, &left);
}

/* The stage's work on an item that diag_begin() has been called for. intake: where it was read;
 * NULL if a stage before hands it on. */
static void run_item(struct driver *d, const struct intake *intake, jv *item)
{
        d->run.held = false;
        d->run.direct = !intake;
        if (intake && d->next)
                d->large = !intake_is_small(intake) && is_large(item);
        if (settings_recall(&d->settings, item, &d->diag)) {
                driver_set_style(d);
                if (intake)
                        intake_report_again(intake, &d->diag);
                settings_remember(&d->settings, item);
                d->stage->each(item, &d->run);
        }
        if (diag_failed(&d->diag) || d->run.held)
                return;
        if (d->stage->write)
                d->stage->write(item, &d->run);
        else
                vmq_hand_on(&d->run, item);
}

/* Behind every document: what it means for the run. */
static void end_item(struct driver *d)
{
        if (diag_failed(&d->diag))
                vmq_worsen(&d->run, VMQ_EXIT_REFUSED);
        tell_progress(d);
        diag_flush(&d->diag);
}

/* An item from the stage before, as intake.h would have read it. */
static void take_item(struct driver *d, jv *item)
{
        struct ref source = ref_get(ref_of(item), "source");

        free(d->source);
        d->source = mem_strdup(ref_text(source, "file"));
        d->seen++;
        diag_begin(&d->diag, d->source, (unsigned)ref_int(ref_get(source, "line"), 0), NULL, NULL);
        run_item(d, NULL, item);
        end_item(d);
}

static bool take_other(const jv *object, void *self)
{
        struct driver *d = self;

        return d->stage->other(object, &d->run);
}

/* text: where the bytes are if not behind the descriptor; NULL */
static void run_stream(struct driver *d, int fd, const struct buf *text, const char *file)
{
        const struct vmq_stage *s = d->stage;
        struct intake intake;
        enum intake_result got = INTAKE_ITEM;

        intake_open(&intake, fd, file, s->first, s->kind, s->key);
        if (text)
                input_open_text(&intake.in, text->s, text->len, INTAKE_LIMIT);
        intake.keys = d->run.keys;
        intake.unread = d->next ? NULL : s->unread; /* a next stage may look */
        intake.forget = s->write != NULL;
        intake.others = &d->others;
        intake.take = s->other ? take_other : NULL;
        intake.take_self = d;
        while (go_on(d) && got != INTAKE_END && got != INTAKE_BROKEN) {
                JVX_AUTO jv item = jv_invalid();

                got = intake_next(&intake, &item, &d->diag);
                if (got == INTAKE_ITEM)
                        run_item(d, &intake, &item);
                if (got == INTAKE_END || got == INTAKE_OTHER) {
                        diag_flush(&d->diag);
                        continue;
                }
                d->seen++;
                end_item(d);
        }
        if (intake.in.error)
                vmq_fail(&d->run, "%s: %s", file, strerror(intake.in.error));
        intake_close(&intake);
}

/* --- from hand to hand ---------------------------------------------------------------------- */

/* A large item is printed and read, so that it meets the bounds that it would meet in a pipe. */
static void hand_on_text(struct driver *to, const jv *item)
{
        BUF_AUTO struct buf text = BUF_INIT;

        json_print(item, &text);
        buf_addc(&text, '\n');
        run_stream(to, -1, &text, "<stdin>");
}

void vmq_hand_on(struct vmq_run *run, jv *item)
{
        struct driver *d = run->driver, *to = d->next;

        if (!to) {
                print_item(d, item);
                return;
        }
        diag_flush(&d->diag); /* before what the next one has to say */
        if (!go_on(to))
                return;
        to->large = d->large;
        if (d->large)
                hand_on_text(to, item);
        else
                take_item(to, item);
}

/* --- files ---------------------------------------------------------------------------------- */

static void run_path(struct driver *d, const char *path)
{
        bool is_stdin = strcmp(path, "-") == 0;
        int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

        if (fd < 0) {
                vmq_fail(&d->run, "%s: %s", path, strerror(errno));
                return;
        }
        run_stream(d, fd, NULL, is_stdin ? "<stdin>" : path);
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

static void run_inputs(struct driver *d)
{
        if (d->files_from)
                run_list(d, d->files_from);
        else if (d->n_files == 0)
                run_path(d, "-");
        for (int i = 0; i < d->n_files && go_on(d); i++)
                run_path(d, d->files[i]);
}

/* Behind the last document. */
static void end_stream(struct driver *d)
{
        if (d->seen == 0 && !d->allow_empty && d->run.status == VMQ_EXIT_OK) {
                diag_begin(&d->diag, d->n_files ? d->files[d->n_files - 1] : "<stdin>", 1, NULL,
                           NULL);
                diag_report_at(&d->diag, VMQ_NO_INPUT, (struct place){ 1, 1 }, NULL,
                               "no %s in the input%s",
                               d->stage->kind ? d->stage->kind : "work item",
                               d->others.n ? ", only other objects"
                                           : "; check the command in front of the pipe");
                diag_flush(&d->diag);
                vmq_worsen(&d->run, VMQ_EXIT_REFUSED);
        }
        d->large = true; /* what was held back may be */
        if (d->stage->finish)
                d->stage->finish(&d->run);
        diag_flush(&d->diag);
        diag_summary(&d->diag);
}

/* --- the program ---------------------------------------------------------------------------- */

/* Text that main() printed itself (help) may not have fitted either. */
static int close_output(const char *name, int status)
{
        if (fflush(stdout) == 0 && !ferror(stdout))
                return status;
        fprintf(stderr, "%s: standard output: %s\n", name, strerror(errno));
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

static int worse(int a, int b)
{
        return a > b ? a : b;
}

/* Returns the status to end with before any input is read, -1 to go on. */
static int open_driver(struct driver *d, const struct vmq_program *program, struct keys *keys)
{
        const struct vmq_stage *stage = program->stage;

        d->stage = stage;
        d->diag = (struct diag){ .style = { .prog = stage->name }, .out = stderr };
        d->color = "auto";
        d->progress_fd = -1;
        others_open(&d->others);
        d->run = (struct vmq_run){ .self = stage->size ? mem_resize(NULL, 1, stage->size) : NULL,
                                   .driver = d,
                                   .settings = &d->settings,
                                   .diag = &d->diag,
                                   .keys = keys,
                                   .others = &d->others };
        if (stage->size)
                memset(d->run.self, 0, stage->size);
        if (stage->open)
                stage->open(d->run.self);
        int status = driver_take_options(d, program->argc, program->argv);

        return status < 0 && stage->start ? stage->start(&d->run) : status;
}

static void close_driver(struct driver *d)
{
        if (d->stage->close)
                d->stage->close(d->run.self);
        free(d->run.self);
        free(d->source);
        settings_release(&d->settings);
        others_close(&d->others);
        diag_release(&d->diag);
}

int vmq_stages_main(const struct vmq_program *programs, size_t n, const struct vmq_watch *watch)
{
        struct driver chain[VMQ_STAGES_MOST] = { 0 };
        struct keys keys = KEYS_INIT;
        int status = -1;

        if (n == 0 || n > VMQ_STAGES_MOST)
                return VMQ_EXIT_USAGE;
        fill_descriptors();
        /* Programs of a pipeline share it, and their messages must not meet within a line. */
        (void)setvbuf(stderr, NULL, _IOLBF, 0);
        /* The longer the pipe (if it is one), the longer each of them works at a time. */
        (void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
        jv_nomem_handler(nomem, NULL);
        for (size_t i = 0; i < n; i++) {
                chain[i].next = i + 1 < n ? &chain[i + 1] : NULL;
                chain[i].watch = watch;
                status = worse(status, open_driver(&chain[i], &programs[i], &keys));
        }
        if (status < 0) {
                run_inputs(&chain[0]);
                for (size_t i = 0; i < n; i++)
                        end_stream(&chain[i]);
                for (size_t i = 0; i < n; i++)
                        status = worse(status, chain[i].run.status);
        }
        for (size_t i = 0; i < n; i++)
                close_driver(&chain[i]);
        keys_release(&keys);
        return close_output(programs[n - 1].stage->name, status);
}
