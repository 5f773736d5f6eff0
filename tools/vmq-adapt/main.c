/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-adapt - give a virt-launcher Pod what a cluster would have given it. */
#include "adapt.h"

int main(int argc, char **argv)
{
        struct adapt self = { .sysfs = "/sys" };
        const struct vmq_option options[] = {
                { .name = "sysfs",
                  .arg = "DIR",
                  .help = "look for devices that are bound to vfio-pci under DIR (default: /sys)",
                  .value = &self.sysfs },
        };
        const struct vmq_stage stage = {
                .name = "vmq-adapt",
                .summary =
                        "Adapt virt-launcher Pods so that Podman can run them without a cluster.",
                .options = options,
                .n_options = ARRAY_LEN(options),
                .self = &self,
                .kind = "Pod",
                .key = "pod",
                .each = adapt_each,
        };
        int status = vmq_stage_main(&stage, argc, argv);

        adapt_release(&self);
        return status;
}
