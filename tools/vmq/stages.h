/* SPDX-License-Identifier: Apache-2.0 */
/* stages - the six programs: their order, where they are, which options they take. */
#ifndef VMQ_STAGES_H
#define VMQ_STAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "stage.h"

enum {
        STAGE_VALIDATE,
        STAGE_PREPARE,
        STAGE_RENDER,
        STAGE_ADAPT,
        STAGE_QUADLET,
        STAGE_FIXUP,
        N_STAGES
};

struct stage_info {
        const char *name;    /* "prepare" */
        const char *product; /* what --keep calls its output: "prepared" */
        const struct vmq_stage *stage;
};

extern const struct stage_info stage_infos[N_STAGES];

/* The number of a stage; N_STAGES if there is none of that name. */
int stage_of(const char *name);

/*
 * The path of vmq-NAME: beside this program, in ../libexec/vmq from there, or on PATH, in this
 * order. Owned by the caller; NULL if it is nowhere.
 */
char *stage_path(const char *name);

/* Is that program this one: a link to it? Then the stage can run here. */
bool stage_is_own(int stage);

/* An option of a stage, as its --list-options prints it. */
enum option_owner { OWNER_NONE, OWNER_STAGE, OWNER_SETTING, OWNER_COMMON, OWNER_ALONE };

struct option_found {
        enum option_owner owner;
        bool takes_value;
};

/* Look an option (len bytes of name) up in the stage's --list-options. False after a line on
 * standard error where the program could not be run. */
bool stage_find_option(int stage, const char *name, size_t len, struct option_found *ret);

#endif
