/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-render - the virt-launcher Pod that KubeVirt would start for a VirtualMachineInstance. */
#include "render.h"

int main(int argc, char **argv)
{
        const struct vmq_stage stage = {
                .name = "vmq-render",
                .summary = "Render the virt-launcher Pod of a prepared VirtualMachineInstance, as "
                           "KubeVirt's controller does.",
                .kind = "VirtualMachineInstance",
                .key = "vmi",
                .each = render_each,
        };

        return vmq_stage_main(&stage, argc, argv);
}
