/* SPDX-License-Identifier: Apache-2.0 */
/*
 * journal - what a transaction has decided, as a file of the folder:
 *
 *      vmq-fixup journal 3
 *      from K                  the new files are in .vmq-new-K.d
 *      put NAME                one of them
 *      remove NAME             a file of the folder
 *      end
 *
 * It may be carried out again and again: what is done already is as good as done.
 */
#ifndef VMQ_JOURNAL_H
#define VMQ_JOURNAL_H

#include <stdbool.h>

#include "buf.h"

#define JOURNAL        ".vmq-journal"
#define JOURNAL_HEADER "vmq-fixup journal 3\nfrom %d\n"
#define JOURNAL_PUT    "put "
#define JOURNAL_REMOVE "remove "
#define JOURNAL_END    "end\n"

/*
 * Carry out the journal of the folder `dir`, which is locked, and remove it; nothing happens where
 * there is none. False with "PATH/NAME: why" in `why`; a journal that is damaged is not begun with.
 * Allocates nothing unless it fails.
 */
bool journal_apply(int dir, const char *path, struct buf *why);

/* The same in a process of its own, which a kill of ours does not reach; and should it be killed
 * itself, we do the rest, and tell. `why` is empty before. */
bool journal_apply_apart(int dir, const char *path, struct buf *why);

#endif
