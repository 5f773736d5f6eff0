/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline - running stages as one pipe, and what came of it. */
#ifndef VMQ_PIPELINE_H
#define VMQ_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "stages.h"

/* The arguments of one program; owned texts, the last is NULL once it runs. */
struct arguments {
        char **v;
        size_t n, cap;
};

void arguments_add(struct arguments *a, const char *text);
void arguments_release(struct arguments *a);

/* An argument vector: a name, then the arguments. The texts are borrowed; the list is released with
 * free(). */
char **arguments_vector(const struct arguments *a, char *name);

/* Stages first..last, each with its arguments behind the program's name. */
struct pipeline {
        int first, last;
        struct arguments *args[N_STAGES]; /* borrowed */
        const struct arguments *as_one;   /* borrowed; they run in one process, `vmq` with these.
                                             NULL:   each is a process */
        int input;                        /* descriptor that is the first one's standard input */
        int output;                       /* the last one's standard output */
        int refused_fd;       /* descriptors that become 3, for --progress-fd=3: of all */
        int done_fd;          /* ... but the last; of the last. -1: none */
        pid_t pid[N_STAGES];  /* as_one: the first */
        int status[N_STAGES]; /* as waitpid() has it */
};

/* Start the stages. The descriptors stay the caller's. False after a line on standard error; what
 * was started is ended. */
bool pipeline_start(struct pipeline *p);

/* Send every stage that still runs a signal. */
void pipeline_kill(const struct pipeline *p, int signal);

/* Take note of stages that have ended, without waiting. True once none runs. */
bool pipeline_reap(struct pipeline *p);

/* The worst exit status of the stages that ran. One that a signal ended counts as VMQ_EXIT_SYSTEM
 * and is named on standard error, but for SIGPIPE behind a stage that ended early with its own
 * status. */
int pipeline_status(const struct pipeline *p);

#endif
