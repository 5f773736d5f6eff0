/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-render - the virt-launcher Pod that KubeVirt would start for a VirtualMachineInstance. */
#include "render.h"

static const char *const unread[] = { "vm", NULL };

const struct vmq_stage stage_render = {
        .name = "vmq-render",
        .summary = "Render the virt-launcher Pod of a prepared VirtualMachineInstance, as "
                   "KubeVirt's controller does.",
        .kind = "VirtualMachineInstance",
        .key = "vmi",
        .unread = unread,
        .each = render_each,
};
