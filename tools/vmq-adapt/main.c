/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-adapt - give a virt-launcher Pod what a cluster would have given it. */
#include "adapt.h"

static const struct vmq_option options[] = {
        { .name = "sysfs",
          .arg = "DIR",
          .help = "look for devices that are bound to vfio-pci under DIR (default: /sys)",
          .at = offsetof(struct adapt, sysfs) },
};

static void open_self(void *self)
{
        ((struct adapt *)self)->sysfs = "/sys";
}

static void close_self(void *self)
{
        adapt_release(self);
}

static const char *const unread[] = { "pvcs", NULL };

const struct vmq_stage stage_adapt = {
        .name = "vmq-adapt",
        .summary = "Adapt virt-launcher Pods so that Podman can run them without a cluster.",
        .options = options,
        .n_options = ARRAY_LEN(options),
        .size = sizeof(struct adapt),
        .open = open_self,
        .close = close_self,
        .kind = "Pod",
        .key = "pod",
        .unread = unread,
        .each = adapt_each,
};
