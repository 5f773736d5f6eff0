/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stage - what every vmq program shares: options, the stream, exit statuses.
 *
 * A program supplies a struct vmq_stage; its main() is one call. To add one:
 *   1. mkdir tools/vmq-NAME, with main.c (the struct) and NAME.c/.h (the work);
 *      the Makefile finds it.
 *   2. tools/vmq-NAME/vmq-NAME.1.scd, its manual page.
 *   3. test/vmq-NAME.bats. test/driver.bats checks help, version, exit statuses and the manual
 *      page of every program it finds.
 */
#ifndef VMQ_STAGE_H
#define VMQ_STAGE_H

#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "array.h"
#include "diag.h"
#include "exits.h"
#include "others.h"
#include "settings.h"

/* One --option of a single stage (settings.def has those of the pipeline). Help and parser both
 * come from this row. */
struct vmq_option {
        const char *name; /* "output-dir" */
        const char *arg;  /* "DIR" in the help; NULL: a plain switch */
        const char *help; /* one line, no full stop */
        void *value; /* bool * for a switch, const char ** otherwise, struct vmq_list * if many */
        bool many;   /* may be given more than once */
};

/* The values of an option that may be given more than once, in order. */
struct vmq_list {
        const char **values;
        size_t n, cap;
};

/* One run of a program. */
struct vmq_run {
        void *self;                      /* the stage's own */
        const struct settings *settings; /* in force for the item at hand */
        struct diag *diag;
        const struct others *others; /* objects of other kinds that stood in front of the item */
        int status;                  /* the worst so far: vmq_worsen() */
};

struct vmq_stage {
        const char *name;    /* "vmq-prepare" */
        const char *summary; /* one line for --help */
        const struct vmq_option *options;
        size_t n_options;
        void *self; /* the stage's own configuration and state, filled in by its options */

        bool first;       /* reads documents (YAML, List, other kinds) and not only work items */
        const char *kind; /* the bare object that it takes too ("Pod"), NULL: none ... */
        const char *key;  /* ... and the item's key that it becomes: "pod" */

        /* Optional: look at the options before the first input. A status ends the program with it,
         * -1 goes on. Prints its own "NAME: ..." line. */
        int (*start)(struct vmq_run *run);

        /*
         * Change one work item in place. Report problems on run->diag; an error there drops the
         * item (*item stays the driver's). Never prints to stdout, never exits.
         */
        void (*each)(jv *item, struct vmq_run *run);

        /* Optional, of stages that read documents: an object of another kind. True: it is of use;
         * false: it is passed over, with a note. */
        bool (*other)(const jv *object, struct vmq_run *run);

        /* Optional, in place of printing the item: put the result where it belongs. Failures are
         * reported with vmq_fail(). */
        void (*write)(const jv *item, struct vmq_run *run);

        /* Optional: after the last item; failures as in write. */
        void (*finish)(struct vmq_run *run);
};

/* main() of every stage. Returns an enum vmq_exit. */
int vmq_stage_main(const struct vmq_stage *stage, int argc, char **argv);

/* The run ends with the worst thing that happened. */
void vmq_worsen(struct vmq_run *run, enum vmq_exit to);

/* The system failed: print "NAME: text" and end with VMQ_EXIT_SYSTEM. */
void vmq_fail(struct vmq_run *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Write all of it to the descriptor; false with errno set. */
bool vmq_write_all(int fd, const char *bytes, size_t len);

#endif
