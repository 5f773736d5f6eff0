/* SPDX-License-Identifier: Apache-2.0 */
/*
 * amounts - a list of resources: quantities by name (Kubernetes: ResourceList).
 *
 * Quantities stay what they are until they are printed: their text would forget in which notation
 * they were counted.
 */
#ifndef VMQ_RENDER_AMOUNTS_H
#define VMQ_RENDER_AMOUNTS_H

#include <jv.h>
#include <stddef.h>

#include "diag.h"
#include "quantity.h"
#include "ref.h"

struct amount {
        char *name;
        struct quantity q;
};

struct amounts {
        struct amount *v;
        size_t n, cap;
        jv index; /* of the names */
};

/* clang-format off */
#define AMOUNTS_INIT { .index = jv_object() }
/* clang-format on */

void amounts_release(struct amounts *a);

/* Take in the members of an object; what is no quantity is reported at `at` and left out. */
void amounts_read(struct amounts *a, struct ref list, const struct path *at, struct diag *d);

/* NULL: there is none of that name. Valid until the list changes. */
const struct quantity *amounts_get(const struct amounts *a, const char *name);

/* The same, 0 where there is none. */
struct quantity amounts_or_zero(const struct amounts *a, const char *name);

void amounts_set(struct amounts *a, const char *name, struct quantity q);

/* Add to what is there, or to nothing. */
void amounts_add(struct amounts *a, const char *name, struct quantity q);

/* Set everything that `over` has. */
void amounts_overlay(struct amounts *a, const struct amounts *over);

/* The list as an object of texts; invalid if it is empty. */
jv amounts_json(const struct amounts *a);

#endif
