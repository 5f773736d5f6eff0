/* SPDX-License-Identifier: Apache-2.0 */
/* driver - one stage at work: what it was told, and the stage behind it. For stage.c alone. */
#ifndef VMQ_DRIVER_H
#define VMQ_DRIVER_H

#include "stage.h"

struct driver {
        const struct vmq_stage *stage;
        struct driver *next; /* what it makes goes there; NULL: to standard output */
        const struct vmq_watch *watch;
        struct vmq_run run;
        struct diag diag;
        struct settings settings;
        struct others others;
        char *source; /* the file that the item at hand names, where a stage before hands it on */
        size_t seen;  /* documents for this stage, refused ones too */
        bool large;   /* the item at hand: it goes to the next stage as text */

        char **files; /* of the command line, borrowed */
        int n_files;
        const char *config;
        const char *color;
        const char *files_from;
        int progress_fd; /* -1: none */
        bool allow_empty;
        bool fail_fast;
};

/* Take the command line and the configuration file. Returns the status to end with, -1 to go on. */
int driver_take_options(struct driver *d, int argc, char **argv);

/* How messages weigh with the settings in force now. */
void driver_set_style(struct driver *d);

#endif
