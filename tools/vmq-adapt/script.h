/* SPDX-License-Identifier: Apache-2.0 */
/*
 * script - the scripts of ours, which run in init containers, and their arguments.
 *
 * Each text (scripts/) is a constant: what belongs to the VM comes as arguments, which are said at
 * the top of the script.
 */
#ifndef VMQ_SCRIPT_H
#define VMQ_SCRIPT_H

#include <jv.h>

#include "pod.h"

extern const char script_dir_init[];
extern const char script_dir_init_disks[]; /* the same, that can make disks */
extern const char script_init_disk[];
extern const char script_import_disk[];
extern const char script_passt_patcher[];

/* An init container that runs a script: args is the list of its arguments, mounts that of its
 * volumes; both consumed. It runs as root of the container with the few capabilities that it takes
 * to make files and give them away. */
jv script_container(const struct pod *p, const char *name, const char *script, jv args, jv mounts);

/* An argument: "107:107", the user that runs QEMU. */
jv script_owner(void);

/* An argument: the number in digits. */
jv script_number(long long n);

/* The name of a container or volume that serves a volume of the VM: prefix, then the volume's name
 * without '_' and upper case. */
jv script_name(const char *prefix, const char *volume);

#endif
