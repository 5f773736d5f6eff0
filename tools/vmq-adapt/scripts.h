/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scripts - the texts of scripts/, which run in init containers.
 *
 * Each is a constant: values come as arguments. What they take is said at their top.
 */
#ifndef VMQ_SCRIPTS_H
#define VMQ_SCRIPTS_H

extern const char script_dir_init[];
extern const char script_init_disk[];
extern const char script_import_disk[];
extern const char script_passt_patcher[];

#endif
