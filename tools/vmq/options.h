/* SPDX-License-Identifier: Apache-2.0 */
/* options - the command line of `vmq convert`, each option with the stage that owns it. */
#ifndef VMQ_OPTIONS_H
#define VMQ_OPTIONS_H

#include "inputs.h"
#include "pipeline.h"

enum { MOST_JOBS = 64 };

struct options {
        struct inputs inputs;
        const char *output; /* folder of the units; NULL: standard output */
        const char *keep;   /* folder for every stage's work items; NULL: none */
        int from, to;       /* stages */
        int jobs;
        struct arguments args[N_STAGES]; /* what each stage is given */
        struct arguments forwarded;      /* the same as it came, but for vmq-fixup's: for a job */
        bool counted;                    /* --progress-fd: whoever called us counts */
};

/* Returns -1, or the exit status to end with (help, wrong usage, unreadable input). */
int options_parse(struct options *o, int argc, char **argv);

void options_release(struct options *o);

#endif
