/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pod_size - how long the lists of a Pod may be. No Pod has as many containers, volumes and mounts;
 * what is made of them looks each name up in another list.
 */
#ifndef VMQ_POD_SIZE_H
#define VMQ_POD_SIZE_H

#include <stdbool.h>

#include "diag.h"
#include "path.h"
#include "ref.h"

/* Does a Pod's spec, which stands at at_spec, keep to that? What does not is reported on d. */
bool pod_size_holds(struct ref spec, const struct path *at_spec, struct diag *d);

#endif
