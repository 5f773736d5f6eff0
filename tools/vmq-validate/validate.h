/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validate - refuse what could not run, and say where. The knowledge is in check.h.
 */
#ifndef VMQ_VALIDATE_H
#define VMQ_VALIDATE_H

#include "check.h"
#include "stage.h"

/* vmq-validate's own options. */
struct validate {
        const char *explain; /* the code to tell about */
        bool list_codes, list_fields;
        bool for_host; /* refuse what the conversion would refuse, too */

        struct check_stream stream; /* what the VMs so far have taken */
};

/* Print what --explain and the lists ask for, if anything. -1: go on with the stream. */
int validate_start(struct vmq_run *run);

/* Check one item, and note in it that this was done. */
void validate_each(jv *item, struct vmq_run *run);

#endif
