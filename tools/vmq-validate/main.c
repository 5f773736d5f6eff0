/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-validate - refuse a VirtualMachine that could not run, and say where and why. */
#include "validate.h"

int main(int argc, char **argv)
{
        struct validate self = { 0 };
        const struct vmq_option options[] = {
                { .name = "for-host",
                  .help = "refuse as well what the conversion would: references to a cluster",
                  .value = &self.for_host },
                { .name = "explain",
                  .arg = "CODE",
                  .help = "print what a message means, with an example, and exit",
                  .value = &self.explain },
                { .name = "list-fields",
                  .help = "print every field of a VirtualMachine that is known, and exit",
                  .value = &self.list_fields },
                { .name = "list-codes",
                  .help = "print every message with its reason (docs/diagnostics.md), and exit",
                  .value = &self.list_codes },
        };
        const struct vmq_stage stage = {
                .name = "vmq-validate",
                .summary = "Check VirtualMachines: what KubeVirt's API server would refuse, and "
                           "what cannot run on one host.",
                .options = options,
                .n_options = ARRAY_LEN(options),
                .self = &self,
                .first = true,
                .kind = "VirtualMachine",
                .key = "vm",
                .start = validate_start,
                .each = validate_each,
                .finish = validate_finish,
        };

        return vmq_stage_main(&stage, argc, argv);
}
