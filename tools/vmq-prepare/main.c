/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-prepare - make the VirtualMachineInstance that KubeVirt itself would make of a VM. */
#include "stage.h"

#include "check.h"
#include "prepare.h"

const struct vmq_stage stage_prepare = {
        .name = "vmq-prepare",
        .summary = "Check VirtualMachines, then set the defaults that KubeVirt would set and fit "
                   "them to a single host.",
        .size = sizeof(struct check_stream),
        .first = true,
        .kind = "VirtualMachine",
        .key = "vm",
        .each = prepare_each,
        .finish = prepare_finish,
};
