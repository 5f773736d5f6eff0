/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-fixup - the last touch to the units, and their way to where Podman reads them. */
#include "fixup.h"

static const struct vmq_option options[] = {
        { .name = "output-dir",
          .arg = "DIR",
          .help = "write the units and their companions as files into DIR",
          .at = offsetof(struct fixup, output_dir) },
        { .name = "prune",
          .help = "with --output-dir: remove what an earlier run wrote for a VM and this one does "
                  "not make",
          .at = offsetof(struct fixup, prune) },
        { .name = "tar",
          .help = "write these files as a tar stream to standard output",
          .at = offsetof(struct fixup, tar) },
};

static void open_self(void *self)
{
        fixup_open(self);
}

static void close_self(void *self)
{
        fixup_release(self);
}

static const char *const unread[] = { "vm", "vmi", "pvcs", "pod", "run", NULL };

const struct vmq_stage stage_fixup = {
        .name = "vmq-fixup",
        .summary = "Publish ports, set up passt, and write the units: as one bundle for "
                   "`podman quadlet install` on standard output, as files, or as tar.",
        .options = options,
        .n_options = ARRAY_LEN(options),
        .size = sizeof(struct fixup),
        .open = open_self,
        .close = close_self,
        .unread = unread,
        .start = fixup_start,
        .each = fixup_each,
        .write = fixup_write,
        .finish = fixup_finish,
};
