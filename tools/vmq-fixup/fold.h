/* SPDX-License-Identifier: Apache-2.0 */
/* fold - taking the companions of a unit (.env, .sh) into the unit itself. */
#ifndef VMQ_FOLD_H
#define VMQ_FOLD_H

#include <jv.h>
#include <stdbool.h>

#include "diag.h"
#include "ref.h"
#include "unit.h"

/* A file that is no unit. */
struct companion {
        const char *name, *text; /* borrowed */
        int index;               /* of the units */
        bool used;               /* a unit has taken it in */
};

/* The folding of one VM's units. */
struct fold {
        struct diag *diag;
        struct companion *companions;
        size_t n, cap;
};

void fold_start(struct fold *f, struct ref units, struct diag *d);

/* Fold into the unit what it refers to; false after a report at `at` (the unit in the item). */
bool fold_into(struct fold *f, struct unit *u, const struct path *at);

/* False, with a report, where a companion was referred to by no unit. Ends f either way. */
bool fold_end(struct fold *f);

#endif
