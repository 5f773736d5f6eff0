/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-prepare - make the VirtualMachineInstance that KubeVirt itself would make of a VM. */
#include "stage.h"

#include "check.h"
#include "prepare.h"

int main(int argc, char **argv)
{
        struct check_stream stream = { 0 };
        const struct vmq_stage stage = {
                .name = "vmq-prepare",
                .summary =
                        "Check VirtualMachines, then set the defaults that KubeVirt would set and "
                        "fit them to a single host.",
                .self = &stream,
                .first = true,
                .kind = "VirtualMachine",
                .key = "vm",
                .each = prepare_each,
                .finish = prepare_finish,
        };

        return vmq_stage_main(&stage, argc, argv);
}
