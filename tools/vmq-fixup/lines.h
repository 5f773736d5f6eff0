/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lines - the lines that step 7 of the decision document adds to a VM's units.
 */
#ifndef VMQ_LINES_H
#define VMQ_LINES_H

#include <jv.h>
#include <stdbool.h>

#include "ref.h"
#include "stage.h"

/* Has every unit a name that can be a file's, and a text? Reports what has not. */
bool lines_check(struct ref units, struct diag *d);

/* The index of the first unit whose name ends so; -1. */
int unit_index(struct ref units, const char *end);

/* Put the lines in. Reports what can't be. */
void lines_add(jv *units, struct vmq_run *run);

#endif
