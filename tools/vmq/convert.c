/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE    /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): pipe2, \
                          memfd */
#include "convert.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "exits.h"
#include "mem.h"
#include "options.h"
#include "pipeline.h"
#include "progress.h"
#include "stage.h"

/*
 * With one job the stages are one pipeline. With more, each job is a pipeline of all stages but the
 * last, and their items meet, line by line, in one vmq-fixup: only so are two VMs that would write
 * the same file found.
 *
 * Where every stage that is to run is this very program, and not one that somebody put in its
 * place, a pipeline is one process: run_here(), or `vmq convert --to quadlet` for a job. It makes
 * the same bytes, messages and status (stage.h).
 */
struct conversion {
        const struct options *options;
        struct arguments args[N_STAGES];
        struct pipeline pipelines[MOST_JOBS + 1];
        int n;
        int lists[MOST_JOBS];          /* the file names of each job */
        int outputs[MOST_JOBS];        /* what a job makes; -1: at its end, or not ours to carry */
        struct buf pending[MOST_JOBS]; /* ... and has not ended its line */
        int joint;                     /* standard input of the joint last stage; -1 */
        int signals;                   /* signalfd */
        int refused[2], done[2]; /* --progress-fd of all stages but the last, and of the last */
        struct progress progress;
        bool progress_wanted;
        bool own;   /* all stages are this program */
        int killed; /* the signal that ended us */
};

static int complain(const char *what)
{
        fprintf(stderr, "vmq: %s: %s\n", what, strerror(errno));
        return VMQ_EXIT_SYSTEM;
}

/* A nameless file with every jobs-th name, to be read through /dev/fd. */
static int write_list(const struct inputs *in, int job, int jobs)
{
        BUF_AUTO struct buf list = BUF_INIT;
        int fd = memfd_create("vmq-files", 0);

        for (size_t i = (size_t)job; i < in->n; i += (size_t)jobs) {
                if (strchr(in->names[i], '\n')) {
                        errno = EINVAL;
                        return -1;
                }
                buf_addf(&list, "%s\n", in->names[i]);
        }
        if (fd < 0 || !vmq_write_all(fd, list.s, list.len) || lseek(fd, 0, SEEK_SET) != 0)
                return -1;
        return fd;
}

/* Up to this many names go on the command line, where messages of `ps` show them. */
enum { FEW_FILES = 100 };

static bool name_inputs(struct conversion *c, struct arguments *first, int job, int jobs)
{
        const struct inputs *in = &c->options->inputs;
        char list[40];

        c->lists[job] = -1;
        if (jobs == 1 && in->n <= FEW_FILES) {
                arguments_add(first, "--");
                for (size_t i = 0; i < in->n; i++)
                        arguments_add(first, in->names[i]);
                return true;
        }
        c->lists[job] = write_list(in, job, jobs);
        if (c->lists[job] < 0) {
                (void)complain("list of files");
                return false;
        }
        (void)snprintf(list, sizeof list, "--files-from=/dev/fd/%d", c->lists[job]);
        arguments_add(first, list);
        return true;
}

static void copy_arguments(struct arguments *to, const struct arguments *from)
{
        for (size_t i = 0; i < from->n; i++)
                arguments_add(to, from->v[i]);
}

/* What every stage is given, but for the input files. */
static void make_arguments(struct conversion *c)
{
        const struct options *o = c->options;

        for (int i = o->from; i <= o->to; i++) {
                copy_arguments(&c->args[i], &o->args[i]);
                if (i == STAGE_VALIDATE && o->to > i) /* it knows the columns */
                        arguments_add(&c->args[i], "--for-host");
                if (i > o->from)
                        arguments_add(&c->args[i], "--allow-empty");
                if (c->progress_wanted)
                        arguments_add(&c->args[i], "--progress-fd=3");
        }
        if (o->output) {
                BUF_AUTO struct buf dir = BUF_INIT;

                buf_addf(&dir, "--output-dir=%s", o->output);
                arguments_add(&c->args[STAGE_FIXUP], dir.s);
        }
}

static struct pipeline *add_pipeline(struct conversion *c, int first, int last, int input,
                                     int output)
{
        struct pipeline *p = &c->pipelines[c->n++];

        *p = (struct pipeline){ .first = first,
                                .last = last,
                                .input = input,
                                .output = output,
                                .refused_fd = c->refused[1],
                                .done_fd = last == c->options->to ? c->done[1] : c->refused[1] };
        for (int i = first; i <= last; i++)
                p->args[i] = &c->args[i];
        return p;
}

/* The command line of a job that is one process, but for its files. */
static void name_part(const struct conversion *c, int last, struct arguments *as_one)
{
        BUF_AUTO struct buf from = BUF_INIT;
        BUF_AUTO struct buf to = BUF_INIT;

        buf_addf(&from, "--from=%s", stage_infos[c->options->from].name);
        buf_addf(&to, "--to=%s", stage_infos[last].name);
        arguments_add(as_one, "convert");
        arguments_add(as_one, from.s);
        arguments_add(as_one, to.s);
        for (size_t i = 0; i < c->options->forwarded.n; i++)
                arguments_add(as_one, c->options->forwarded.v[i]);
        if (c->progress_wanted)
                arguments_add(as_one, "--progress-fd=3");
}

/* The pipeline of one job, with its share of the files. */
static bool start_job(struct conversion *c, int job, int last, int output)
{
        const struct options *o = c->options;
        struct arguments first = { 0 };
        struct pipeline *p = add_pipeline(c, o->from, last, STDIN_FILENO, output);

        if (c->own) {
                name_part(c, last, &first);
                p->as_one = &first;
        } else {
                copy_arguments(&first, &c->args[o->from]);
                p->args[o->from] = &first;
        }
        bool good = name_inputs(c, &first, job, o->jobs);

        good = good && pipeline_start(p);
        arguments_release(&first);
        if (c->lists[job] >= 0)
                close(c->lists[job]);
        return good;
}

static bool start_joint(struct conversion *c)
{
        int fds[2];

        if (pipe2(fds, O_CLOEXEC) != 0) {
                (void)complain("pipe");
                return false;
        }
        c->joint = fds[1];
        bool good =
                pipeline_start(add_pipeline(c, STAGE_FIXUP, STAGE_FIXUP, fds[0], STDOUT_FILENO));

        close(fds[0]);
        return good;
}

static bool start_all(struct conversion *c)
{
        if (c->options->jobs == 1)
                return start_job(c, 0, c->options->to, STDOUT_FILENO);
        if (!start_joint(c))
                return false;
        for (int i = 0; i < c->options->jobs; i++) {
                int fds[2];

                if (pipe2(fds, O_CLOEXEC) != 0) {
                        (void)complain("pipe");
                        return false;
                }
                c->outputs[i] = fds[0];
                bool good = start_job(c, i, STAGE_QUADLET, fds[1]);

                close(fds[1]);
                if (!good)
                        return false;
        }
        return true;
}

/* --- the loop --------------------------------------------------------------------------------- */

static void close_fd(int *fd)
{
        if (*fd >= 0)
                close(*fd);
        *fd = -1;
}

/* Carry whole lines of a job to the joint stage; what has no line end yet waits. */
static void carry(struct conversion *c, int job)
{
        struct buf *b = &c->pending[job];

        buf_reserve(b, 65536);
        ssize_t n = read(c->outputs[job], b->s + b->len, 65536);

        if (n < 0 && errno == EINTR)
                return;
        if (n <= 0) {
                /* Half a line is a job that was killed: its status says so, its item is lost. */
                close_fd(&c->outputs[job]);
                return;
        }
        b->len += (size_t)n;
        size_t whole = b->len;

        while (whole && b->s[whole - 1] != '\n')
                whole--;
        if (whole && c->joint >= 0 && !vmq_write_all(c->joint, b->s, whole))
                close_fd(&c->joint); /* it ended early, with a status of its own */
        memmove(b->s, b->s + whole, b->len - whole);
        b->len -= whole;
}

static void take_progress(struct conversion *c, int fd, bool last)
{
        char signs[4096];
        ssize_t n = read(fd, signs, sizeof signs);

        if (n > 0)
                progress_count(&c->progress, signs, (size_t)n, last);
}

static void take_signal(struct conversion *c)
{
        struct signalfd_siginfo info;

        if (read(c->signals, &info, sizeof info) != (ssize_t)sizeof info ||
            info.ssi_signo == SIGCHLD)
                return;
        c->killed = (int)info.ssi_signo;
        for (int i = 0; i < c->n; i++)
                pipeline_kill(&c->pipelines[i], c->killed);
}

static bool all_ended(struct conversion *c)
{
        bool ended = true;
        bool feeding = false;

        for (int i = 0; i < c->options->jobs; i++)
                feeding = feeding || c->outputs[i] >= 0;
        if (!feeding)
                close_fd(&c->joint);
        for (int i = 0; i < c->n; i++)
                ended = pipeline_reap(&c->pipelines[i]) && ended;
        return ended && !feeding;
}

enum { POLL_SIGNALS, POLL_REFUSED, POLL_DONE, POLL_JOBS };

static void run_loop(struct conversion *c)
{
        struct pollfd fds[POLL_JOBS + MOST_JOBS];

        while (!all_ended(c)) {
                fds[POLL_SIGNALS] = (struct pollfd){ c->signals, POLLIN, 0 };
                fds[POLL_REFUSED] = (struct pollfd){ c->refused[0], POLLIN, 0 };
                fds[POLL_DONE] = (struct pollfd){ c->done[0], POLLIN, 0 };
                for (int i = 0; i < c->options->jobs; i++)
                        fds[POLL_JOBS + i] = (struct pollfd){ c->outputs[i], POLLIN, 0 };
                if (poll(fds, POLL_JOBS + (nfds_t)c->options->jobs, c->progress_wanted ? 250 : -1) <
                    0)
                        continue;
                if (fds[POLL_SIGNALS].revents)
                        take_signal(c);
                if (fds[POLL_REFUSED].revents & POLLIN)
                        take_progress(c, c->refused[0], false);
                if (fds[POLL_DONE].revents & POLLIN)
                        take_progress(c, c->done[0], true);
                for (int i = 0; i < c->options->jobs; i++)
                        if (fds[POLL_JOBS + i].revents)
                                carry(c, i);
                if (c->progress_wanted)
                        progress_show(&c->progress);
        }
        progress_hide(&c->progress);
}

/* Signals are read in the loop, so that the stages are never left behind. */
static bool open_signals(struct conversion *c)
{
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, SIGCHLD);
        sigaddset(&set, SIGINT);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGHUP);
        if (sigprocmask(SIG_BLOCK, &set, NULL) != 0 || signal(SIGPIPE, SIG_IGN) == SIG_ERR)
                return false;
        c->signals = signalfd(-1, &set, SFD_CLOEXEC);
        return c->signals >= 0;
}

static bool open_progress(struct conversion *c)
{
        c->progress_wanted = isatty(STDERR_FILENO) == 1 && !c->options->counted;
        progress_start(&c->progress, c->options->inputs.n);
        return !c->progress_wanted ||
               (pipe2(c->refused, O_CLOEXEC) == 0 && pipe2(c->done, O_CLOEXEC) == 0);
}

static int worst_status(const struct conversion *c)
{
        int worst = VMQ_EXIT_OK;

        for (int i = 0; i < c->n; i++) {
                int status = pipeline_status(&c->pipelines[i]);

                worst = status > worst ? status : worst;
        }
        return worst;
}

/* --- --keep: one stage after the other ----------------------------------------------------- */

/* The file that keeps what a stage makes; standard output behind the last one. */
static int open_product(const struct options *o, int stage)
{
        BUF_AUTO struct buf name = BUF_INIT;

        if (stage == o->to)
                return STDOUT_FILENO;
        buf_addf(&name, "%s/%s.json", o->keep, stage_infos[stage].product);
        int fd = open(name.s, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        if (fd < 0)
                (void)complain(name.s);
        return fd;
}

/* Run one stage to its end. */
static int run_alone(struct conversion *c, int stage, int input, int output)
{
        c->n = 0;
        if (stage == c->options->from) {
                if (!start_job(c, 0, stage, output))
                        return VMQ_EXIT_SYSTEM;
        } else if (!pipeline_start(add_pipeline(c, stage, stage, input, output))) {
                return VMQ_EXIT_SYSTEM;
        }
        run_loop(c);
        return worst_status(c);
}

static int run_kept(struct conversion *c)
{
        const struct options *o = c->options;
        int worst = VMQ_EXIT_OK, input = STDIN_FILENO;

        if (mkdir(o->keep, 0700) != 0 && errno != EEXIST)
                return complain(o->keep);
        for (int i = o->from; i <= o->to && worst < VMQ_EXIT_USAGE && !c->killed; i++) {
                int output = open_product(o, i);
                int status = output < 0 ? VMQ_EXIT_SYSTEM : run_alone(c, i, input, output);

                worst = status > worst ? status : worst;
                if (input != STDIN_FILENO)
                        close(input);
                input = output;
                if (input > STDERR_FILENO && lseek(input, 0, SEEK_SET) != 0)
                        return complain(o->keep);
        }
        if (input > STDERR_FILENO)
                close(input);
        return worst;
}

static int run_piped(struct conversion *c)
{
        if (!start_all(c)) {
                for (int i = 0; i < c->n; i++)
                        pipeline_kill(&c->pipelines[i], SIGTERM);
                for (int i = 0; i < c->options->jobs; i++)
                        close_fd(&c->outputs[i]);
                run_loop(c);
                return VMQ_EXIT_SYSTEM;
        }
        run_loop(c);
        return worst_status(c);
}

/* --- in this process ---------------------------------------------------------------------------
 */

static void count_here(void *self, bool refused)
{
        struct conversion *c = self;

        progress_count(&c->progress, refused ? "!" : ".", 1, true);
        progress_show(&c->progress);
}

static int run_here(struct conversion *c)
{
        const struct options *o = c->options;
        struct vmq_program programs[N_STAGES];
        char name[] = "vmq";
        int n = 0;

        if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) /* so that it is said */
                return complain("start");
        c->progress_wanted = false; /* by way of descriptors */
        make_arguments(c);
        arguments_add(&c->args[o->from], "--");
        for (size_t i = 0; i < o->inputs.n; i++)
                arguments_add(&c->args[o->from], o->inputs.names[i]);
        for (int i = o->from; i <= o->to; i++, n++)
                programs[n] = (struct vmq_program){ stage_infos[i].stage, (int)c->args[i].n + 1,
                                                    arguments_vector(&c->args[i], name) };
        const struct vmq_watch watch = { count_here, c };
        bool shown = isatty(STDERR_FILENO) == 1 && !o->counted;

        progress_start(&c->progress, o->inputs.n);
        int status = vmq_stages_main(programs, (size_t)n, shown ? &watch : NULL);

        progress_hide(&c->progress);
        while (n)
                free(programs[--n].argv);
        return status;
}

static bool all_own(const struct options *o)
{
        for (int i = o->from; i <= o->to; i++)
                if (!stage_is_own(i))
                        return false;
        return !o->keep;
}

static int run(const struct options *o)
{
        struct conversion c = { .options = o,
                                .own = all_own(o),
                                .joint = -1,
                                .signals = -1,
                                .refused = { -1, -1 },
                                .done = { -1, -1 } };
        int status = VMQ_EXIT_SYSTEM;

        for (int i = 0; i < MOST_JOBS; i++) {
                c.outputs[i] = -1;
                c.pending[i] = (struct buf)BUF_INIT;
        }
        if (c.own && o->jobs == 1) {
                status = run_here(&c);
        } else if (!open_signals(&c) || !open_progress(&c)) {
                (void)complain("start");
        } else {
                make_arguments(&c);
                status = o->keep ? run_kept(&c) : run_piped(&c);
        }
        for (int i = 0; i < MOST_JOBS; i++)
                buf_release(&c.pending[i]);
        for (int i = 0; i < N_STAGES; i++)
                arguments_release(&c.args[i]);
        close_fd(&c.signals);
        return c.killed ? 128 + c.killed : status;
}

int convert(int argc, char **argv)
{
        struct options o;
        int status = options_parse(&o, argc, argv);

        if (status < 0)
                status = run(&o);
        options_release(&o);
        if (fflush(stdout) != 0)
                return complain("standard output");
        return status;
}
