/* SPDX-License-Identifier: Apache-2.0 */
/*
 * journal - what a transaction has decided, as a file of the folder:
 *
 *      vmq-fixup journal 2
 *      from K                  the new files are in .vmq-new-K.d
 *      put N NAME              the file N there is to be called NAME
 *      remove NAME
 *      end
 *
 * It may be carried out again and again: what is done already is as good as done.
 */
#ifndef VMQ_JOURNAL_H
#define VMQ_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

#define JOURNAL        ".vmq-journal"
#define JOURNAL_HEADER "vmq-fixup journal 2\nfrom %d\n"
#define JOURNAL_PUT    "put "
#define JOURNAL_REMOVE "remove "
#define JOURNAL_END    "end\n"

/* The name of a file or folder that has a number. */
struct numbered {
        char s[40];
};

struct numbered journal_room(int k);      /* ".vmq-new-K.d" */
struct numbered journal_number(size_t n); /* "N" */

/*
 * Carry out the journal of the folder `dir`, which is locked, and remove it; nothing happens where
 * there is none. False with "PATH/NAME: why" in `why`; a journal that is damaged is not begun with.
 */
bool journal_apply(int dir, const char *path, struct buf *why);

#endif
