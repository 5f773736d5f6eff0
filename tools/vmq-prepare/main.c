/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-prepare - make the VirtualMachineInstance that KubeVirt itself would make of a VM. */
#include "stage.h"

#include "check.h"
#include "prepare.h"

static void open_self(void *self)
{
        check_stream_open(self);
}

static void close_self(void *self)
{
        check_stream_release(self);
}

const struct vmq_stage stage_prepare = {
        .name = "vmq-prepare",
        .summary = "Check VirtualMachines, then set the defaults that KubeVirt would set and fit "
                   "them to a single host.",
        .size = sizeof(struct check_stream),
        .open = open_self,
        .close = close_self,
        .first = true,
        .kind = "VirtualMachine",
        .key = "vm",
        .each = prepare_each,
};
