/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record - the folder's memory, .vmq-units: lines "POD FILE".
 */
#ifndef VMQ_RECORD_H
#define VMQ_RECORD_H

#include <stdbool.h>

#include "buf.h"
#include "share.h"
#include "spool.h"
#include "transaction.h"

void record_line(struct buf *out, const char *pod, const char *file);

/*
 * Hold the record of the folder, which is locked, against what this run writes (`share`, and the
 * files that were put), and append to `out` what stays of it: the lines of pods that this run does
 * not write, and of files that it leaves where they are.
 *
 * A file of another pod that this run would give another content is reported. A file that an
 * earlier run wrote for a pod of this run and this run does not make is told about, or to be
 * removed with prune; unless another pod has it too.
 *
 * False after a report, or with `why`.
 */
bool record_renew(struct transaction *t, struct share *share, bool prune, struct vmq_run *run,
                  struct spool *out, struct buf *why);

#endif
