/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostpath - paths of files on the host that a VM names.
 */
#ifndef VMQ_HOSTPATH_H
#define VMQ_HOSTPATH_H

#include <stdbool.h>

#include "buf.h"

/* Append the path without what means nothing: "//", "/./", "/" at the end. False, with out in
 * whatever state, if it is relative, climbs with "..", or is the root: no file is named so. */
bool hostpath_clean(const char *path, struct buf *out);

/* Is the folder of this file (a clean path) one of the system, which no container is given? */
bool hostpath_in_system(const char *path);

#endif
