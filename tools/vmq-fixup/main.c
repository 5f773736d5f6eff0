/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-fixup - the last touch to the units, and their way to where Podman reads them. */
#include "fixup.h"

int main(int argc, char **argv)
{
        struct fixup self = { .owners = jv_object() };
        const struct vmq_option options[] = {
                { .name = "output-dir",
                  .arg = "DIR",
                  .help = "write the units and their companions as files into DIR",
                  .value = &self.output_dir },
                { .name = "prune",
                  .help = "with --output-dir: remove what an earlier run wrote for a VM and this "
                          "one does "
                          "not make",
                  .value = &self.prune },
                { .name = "tar",
                  .help = "write these files as a tar stream to standard output",
                  .value = &self.tar },
        };
        const struct vmq_stage stage = {
                .name = "vmq-fixup",
                .summary = "Publish ports, set up passt, and write the units: as one bundle for "
                           "`podman quadlet install` on standard output, as files, or as tar.",
                .options = options,
                .n_options = ARRAY_LEN(options),
                .self = &self,
                .start = fixup_start,
                .each = fixup_each,
                .write = fixup_keep,
                .finish = fixup_finish,
        };
        int status = vmq_stage_main(&stage, argc, argv);

        fixup_release(&self);
        return status;
}
