/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names - names of unit files. They come from the item, and may be anything.
 */
#ifndef VMQ_NAMES_H
#define VMQ_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define NAME_LENGTH 255 /* of a file, on every file system of Linux */

/* Can the text be the name of a unit or companion: a file name and nothing else? */
bool name_is_good(const char *name);

/* Its extension with the dot, "" if there is none. */
const char *name_extension(const char *name);

/* The section that makes a unit of this extension ("Container" for ".container"); NULL if it is no
 * Quadlet unit. podman pkg/systemd/quadlet/quadlet_common.go has the extensions. */
const char *name_section(const char *extension);

/* The mode of the file, whatever the umask: .env holds the guest's user data, .sh is run in the
 * container by another user, and a unit that holds a secret asks for "0600". */
mode_t name_mode(const char *name, const char *asked);

#endif
