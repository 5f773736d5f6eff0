/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-quadlet - the Pod of a work item, or any Pod, as Quadlet units. */
#include "jvx.h"
#include "quadlet.h"
#include "stage.h"

struct quadlet {
        jv configs; /* {ConfigMap: {NAME: object}, Secret: {NAME: object}} */
};

static void each(jv *item, struct vmq_run *run)
{
        struct quadlet *self = run->self;
        struct choices choices;

        if (quadlet_choose(run->settings, &choices, run->diag))
                quadlet_convert(item, &self->configs, &choices, run->diag);
}

int main(int argc, char **argv)
{
        struct quadlet self = { .configs = jv_object() };
        const struct vmq_stage stage = {
                .name = "vmq-quadlet",
                .summary = "Turn Pods into Quadlet units.",
                .self = &self,
                .kind = "Pod",
                .key = "pod",
                .each = each,
        };
        int status = vmq_stage_main(&stage, argc, argv);

        jv_free(self.configs);
        return status;
}
