/* SPDX-License-Identifier: Apache-2.0 */
/*
 * others - the objects of other kinds that stood in the input in front of a document.
 *
 * They are not converted, but what is said about a VirtualMachine may depend on them: a Secret that
 * it names stands there or not. Only names are kept, and no more than OTHERS_MOST of them.
 */
#ifndef VMQ_OTHERS_H
#define VMQ_OTHERS_H

#include <jv.h>
#include <stdbool.h>

#include "ref.h"

#define OTHERS_MOST 1000 /* objects that are remembered, the first ones */
#define OTHERS_KEYS 100  /* keys of one Secret or ConfigMap that are remembered */

struct others {
        jv seen; /* {"Secret/default/creds": ["userdata", ...]} */
        int n;
};

void others_open(struct others *o);
void others_close(struct others *o);

/* Remember an object. */
void others_add(struct others *o, const jv *object);

/* Was there one of this kind, namespace (NULL, "": "default") and name? */
bool others_has(const struct others *o, const char *kind, const char *namespace, const char *name);

/* The keys of its data, stringData and binaryData, a list of texts; absent if it was not there. */
struct ref others_keys(const struct others *o, const char *kind, const char *namespace,
                       const char *name);

#endif
