/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stage - what every vmq program shares: options, the stream, exit statuses.
 *
 * A stage supplies a struct vmq_stage. All are linked into one program, build/vmq, and run under
 * the name by which it is called (vmq-NAME is a link to it). To add one:
 *   1. mkdir tools/vmq-NAME, with main.c (the struct) and NAME.c/.h (the work); a line below, and
 *      one in tools/vmq/stages.c.
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
#include "keys.h"
#include "others.h"
#include "settings.h"

/* One --option of a single stage (settings.def has those of the pipeline). Help and parser both
 * come from this row. */
struct vmq_option {
        const char *name; /* "output-dir" */
        const char *arg;  /* "DIR" in the help; NULL: a plain switch */
        const char *help; /* one line, no full stop */
        size_t at;  /* offsetof() in the stage's own struct: a bool for a switch, a const char *
                       otherwise, a struct vmq_list if many */
        bool many;  /* may be given more than once */
        bool alone; /* prints something and ends: nothing for `vmq convert` */
};

/* The values of an option that may be given more than once, in order. */
struct vmq_list {
        const char **values;
        size_t n, cap;
};

/* One run of a stage. */
struct vmq_run {
        void *self;                      /* the stage's own struct */
        struct driver *driver;           /* whose run it is; for stage.c */
        const struct settings *settings; /* in force for the item at hand */
        struct diag *diag;
        struct keys *keys;           /* for the stage's looks into the item: ref_with() */
        const struct others *others; /* objects of other kinds that stood in front of the item */
        int status;                  /* the worst so far: vmq_worsen() */
        bool direct; /* the stage before handed the item over: nobody can have edited it */
        bool held;   /* each() keeps the item for later: vmq_hand_on() */
};

struct vmq_stage {
        const char *name;    /* "vmq-prepare" */
        const char *summary; /* one line for --help */
        const struct vmq_option *options;
        size_t n_options;

        /* The stage's own struct, configuration and state: zeroed, opened (optional), filled in by
         * its options, and closed (optional). */
        size_t size;
        void (*open)(void *self);
        void (*close)(void *self);

        bool first;       /* reads documents (YAML, List, other kinds) and not only work items */
        const char *kind; /* the bare object that it takes too ("Pod"), NULL: none ... */
        const char *key;  /* ... and the item's key that it becomes: "pod" */

        /* Optional: members of the item that each() and write() never look into, NULL at the end.
         * Where no stage follows they may go from the input to the output as text (json.h), so that
         * nothing but ref_is_set() is to be asked of them; a stage that writes may find null. */
        const char *const *unread;

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

/* What tools/vmq-NAME/main.c define. */
extern const struct vmq_stage stage_validate, stage_prepare, stage_render, stage_adapt,
        stage_quadlet, stage_fixup;

enum { VMQ_STAGES_MOST = 6 };

/* A stage and its command line; argv[0] is not looked at. */
struct vmq_program {
        const struct vmq_stage *stage;
        int argc;
        char **argv;
};

/* Who is told about each document that reached its end: the last stage, or its refusal. */
struct vmq_watch {
        void (*tell)(void *self, bool refused);
        void *self;
};

/*
 * main() of a stage; of several, one behind the other: the first reads, the last writes, and
 * between them an item goes from hand to hand as it is. It makes what as many processes with pipes
 * between them make, without printing and reading the item. watch may be NULL. Returns an enum
 * vmq_exit, the worst of all.
 */
int vmq_stages_main(const struct vmq_program *programs, size_t n, const struct vmq_watch *watch);

/* One line for each option: its owner ("stage", "setting", "common"; "alone" for one that prints
 * something and ends), its name and its argument, with tabs between. */
void vmq_list_options(const struct vmq_stage *stage, struct buf *out);

/* Give an item that each() kept (run->held) to the next stage, or print it. */
void vmq_hand_on(struct vmq_run *run, jv *item);

/* The run ends with the worst thing that happened. */
void vmq_worsen(struct vmq_run *run, enum vmq_exit to);

/* The system failed: print "NAME: text" and end with VMQ_EXIT_SYSTEM. */
void vmq_fail(struct vmq_run *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same, with errno: a spool or claims (spool.h, claims.h) could not be read or written. */
void vmq_fail_temporary(struct vmq_run *run);

/* Write all of it to the descriptor; false with errno set. */
bool vmq_write_all(int fd, const char *bytes, size_t len);

#endif
