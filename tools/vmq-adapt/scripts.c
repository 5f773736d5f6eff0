/* SPDX-License-Identifier: Apache-2.0 */
#include "scripts.h"

/* The .inc files are the bytes of scripts/, as a list of numbers (Makefile). disk.sh holds what the
 * two scripts that make disks share. */
const char script_dir_init[] = {
#include "tools/vmq-adapt/scripts/dir-init.inc"
        0
};

const char script_init_disk[] = {
#include "tools/vmq-adapt/scripts/disk.inc"
#include "tools/vmq-adapt/scripts/init-disk.inc"
        0
};

const char script_import_disk[] = {
#include "tools/vmq-adapt/scripts/disk.inc"
#include "tools/vmq-adapt/scripts/import-disk.inc"
        0
};

const char script_passt_patcher[] = {
#include "tools/vmq-adapt/scripts/passt-patcher.inc"
        0
};
