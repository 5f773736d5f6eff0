/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): pipe2 */
#include "pipeline.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exits.h"
#include "mem.h"

extern char **environ;

enum { PROGRESS_FD = 3 };

void arguments_add(struct arguments *a, const char *text)
{
        MEM_GROW(a->v, a->n, a->cap);
        a->v[a->n++] = text ? mem_strdup(text) : NULL;
}

void arguments_release(struct arguments *a)
{
        for (size_t i = 0; i < a->n; i++)
                free(a->v[i]);
        free(a->v);
        *a = (struct arguments){ 0 };
}

char **arguments_vector(const struct arguments *a, char *name)
{
        char **argv = mem_resize(NULL, a->n + 2, sizeof *argv);

        argv[0] = name;
        for (size_t i = 0; i < a->n; i++)
                argv[i + 1] = a->v[i];
        argv[a->n + 1] = NULL;
        return argv;
}

/* Returns the error of posix_spawn(). */
static int spawn(pid_t *pid, const char *path, char **argv, int in, int out, int progress)
{
        posix_spawn_file_actions_t actions;

        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
        if (progress >= 0)
                posix_spawn_file_actions_adddup2(&actions, progress, PROGRESS_FD);
        posix_spawnattr_t attributes;
        sigset_t none, defaults;

        /* We wait for signals in our own way; the stages don't. */
        sigemptyset(&none);
        sigemptyset(&defaults);
        sigaddset(&defaults, SIGPIPE);
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        int failed = posix_spawn(pid, path, &actions, &attributes, argv, environ);

        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        return failed;
}

/* Start the program with the arguments as stage number `stage`. */
static bool start_program(struct pipeline *p, int stage, const char *path, char *name,
                          const struct arguments *args, int in, int out)
{
        MEM_AUTO char **argv = arguments_vector(args, name);
        bool last = stage == p->last || p->as_one;
        int failed = spawn(&p->pid[stage], path, argv, in, out, last ? p->done_fd : p->refused_fd);

        if (!failed)
                return true;
        p->pid[stage] = 0;
        fprintf(stderr, "vmq: %s: %s\n", path, strerror(failed));
        return false;
}

static bool start_stage(struct pipeline *p, int stage, int in, int out)
{
        MEM_AUTO char *path = stage_path(stage_infos[stage].name);
        char name[32];

        (void)snprintf(name, sizeof name, "vmq-%s", stage_infos[stage].name);
        if (path)
                return start_program(p, stage, path, name, p->args[stage], in, out);
        fprintf(stderr, "vmq: %s: not found beside vmq, in libexec or on PATH\n", name);
        return false;
}

static bool start_as_one(struct pipeline *p)
{
        char name[] = "vmq";

        return start_program(p, p->first, "/proc/self/exe", name, p->as_one, p->input, p->output);
}

bool pipeline_start(struct pipeline *p)
{
        int in = p->input;
        bool good = true;

        if (p->as_one)
                return start_as_one(p);
        for (int i = p->first; good && i <= p->last; i++) {
                int fds[2] = { -1, p->output };

                if (i < p->last && pipe2(fds, O_CLOEXEC) != 0) {
                        fprintf(stderr, "vmq: pipe: %s\n", strerror(errno));
                        good = false;
                        break;
                }
                good = start_stage(p, i, in, fds[1]);
                if (in != p->input)
                        close(in);
                if (i < p->last)
                        close(fds[1]);
                in = fds[0];
        }
        if (!good) {
                if (in >= 0 && in != p->input)
                        close(in);
                pipeline_kill(p, SIGTERM);
                while (!pipeline_reap(p))
                        (void)usleep(1000);
        }
        return good;
}

void pipeline_kill(const struct pipeline *p, int signal)
{
        for (int i = p->first; i <= p->last; i++)
                if (p->pid[i] > 0)
                        (void)kill(p->pid[i], signal);
}

static void say_killed(const struct pipeline *p, int stage, int signal)
{
        fprintf(stderr, "vmq: vmq%s%s was ended by signal %d (%s)\n", p->as_one ? "" : "-",
                p->as_one ? "" : stage_infos[stage].name, signal, strsignal(signal));
}

bool pipeline_reap(struct pipeline *p)
{
        bool all = true;

        for (int i = p->first; i <= p->last; i++) {
                if (p->pid[i] <= 0)
                        continue;
                if (waitpid(p->pid[i], &p->status[i], WNOHANG) == p->pid[i])
                        p->pid[i] = 0;
                else
                        all = false;
        }
        return all;
}

int pipeline_status(const struct pipeline *p)
{
        int worst = VMQ_EXIT_OK;

        for (int i = p->last; i >= p->first; i--) {
                int status = p->status[i], code = WEXITSTATUS(status);

                if (WIFSIGNALED(status)) {
                        if (WTERMSIG(status) == SIGPIPE && worst != VMQ_EXIT_OK)
                                continue;
                        say_killed(p, i, WTERMSIG(status));
                        code = VMQ_EXIT_SYSTEM;
                }
                if (code > worst)
                        worst = code;
        }
        return worst;
}
