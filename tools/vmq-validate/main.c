/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-validate - refuse a VirtualMachine that could not run, and say where and why. */
#include "validate.h"

static const struct vmq_option options[] = {
        { .name = "for-host",
          .help = "refuse as well what the conversion would: references to a cluster",
          .at = offsetof(struct validate, for_host) },
        { .name = "explain",
          .arg = "CODE",
          .help = "print what a message means, with an example, and exit",
          .at = offsetof(struct validate, explain),
          .alone = true },
        { .name = "list-fields",
          .help = "print every field of a VirtualMachine that is known, and exit",
          .at = offsetof(struct validate, list_fields),
          .alone = true },
        { .name = "list-codes",
          .help = "print every message with its reason (docs/diagnostics.md), and exit",
          .at = offsetof(struct validate, list_codes),
          .alone = true },
};

static void open_self(void *self)
{
        struct validate *v = self;

        check_stream_open(&v->stream);
}

static void close_self(void *self)
{
        struct validate *v = self;

        check_stream_release(&v->stream);
}

const struct vmq_stage stage_validate = {
        .name = "vmq-validate",
        .summary = "Check VirtualMachines: what KubeVirt's API server would refuse, and what "
                   "cannot run on one host.",
        .options = options,
        .n_options = ARRAY_LEN(options),
        .size = sizeof(struct validate),
        .open = open_self,
        .close = close_self,
        .first = true,
        .kind = "VirtualMachine",
        .key = "vm",
        .start = validate_start,
        .each = validate_each,
};
