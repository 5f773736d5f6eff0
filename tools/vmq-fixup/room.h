/* SPDX-License-Identifier: Apache-2.0 */
/*
 * room - a folder for new files, until they are in place.
 *
 * For a folder that is there already it is .vmq-new-K.d inside it; for one that is to be made it
 * stands beside it as .NAME.vmq-new.d and becomes it. Podman looks into no folder that ends with
 * ".d". Who works with a room has it locked, so that what a killed run left is known by having no
 * lock.
 *
 * Functions that return bool fail with errno set.
 */
#ifndef VMQ_ROOM_H
#define VMQ_ROOM_H

#include <stdbool.h>

#include "names.h"

struct room {
        int fd;    /* locked; -1: there is none */
        int above; /* the folder that it is in; borrowed */
        int k;     /* -1: it has no number */
        char name[NAME_LENGTH + 1];
};

/* clang-format off */
#define ROOM_INIT { .fd = -1, .above = -1, .k = -1 }
/* clang-format on */

/* .vmq-new-K.d in the folder, with the first K that is free. EBUSY: all are taken. */
bool room_make(struct room *r, int folder);

/* .NAME.vmq-new.d in the folder `above`, for a folder NAME that is to be made there. What a killed
 * run left in it goes. EBUSY: another run makes that folder. */
bool room_make_for(struct room *r, int above, const char *name);

/* Move it into the folder, to the first K that is free. */
bool room_move(struct room *r, int folder);

/* Make it the folder that it was made for, which is not there (EEXIST, ENOTEMPTY, ENOTDIR: it is,
 * or something else is). The room is none any more. */
bool room_become(struct room *r);

/* Remove it with what is in it. */
void room_remove(struct room *r);

/* Forget about it; somebody has removed it. */
void room_leave(struct room *r);

/* Remove the rooms of the folder, which is locked, that nobody is at work in. */
void room_sweep(int folder);

/* The same for what was to become the folder NAME of `above`, which is there by now. */
void room_sweep_for(int above, const char *name);

/* Write ".vmq-new-K.d". */
void room_name(int k, char name[NAME_LENGTH + 1]);

#endif
