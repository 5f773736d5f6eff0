/* SPDX-License-Identifier: Apache-2.0 */
/* release_fields - fields of a VM that came after the release that it is prepared for. */
#ifndef VMQ_PREPARE_RELEASE_FIELDS_H
#define VMQ_PREPARE_RELEASE_FIELDS_H

#include <jv.h>

#include "diag.h"
#include "release.h"

/* Drop them from the VM as that release's API server would, with a warning each. */
void drop_later_fields(jv *vm, const struct release *release, struct diag *d);

#endif
