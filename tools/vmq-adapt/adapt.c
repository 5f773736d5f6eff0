/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt.h"

#include <string.h>

#include "hints.h"
#include "jvx.h"
#include "mem.h"
#include "parts.h"

/* KubeVirt sets generateName, virt-launcher-NAME-; Podman wants a name. */
static void settle_name(struct pod *p)
{
        jv *pod = &p->object;
        const char *prefix = ref_text(pod_view(p, pod), "metadata.generateName");
        size_t len = strlen(prefix);

        jvx_set(pod, "apiVersion", jv_string("v1"));
        jvx_set(pod, "kind", jv_string("Pod"));
        if (len > 0 && !*pod_name(p)) {
                jvx_set_at(pod, "metadata.name",
                           jv_string_sized(prefix, (int)(prefix[len - 1] == '-' ? len - 1 : len)));
                jvx_del_at(pod, "metadata.generateName");
        }
}

static void warn_of_missing(const struct pod *p)
{
        if (!ref_is_set(p->vmi))
                diag_report(p->diag, VMQ_ADAPT_NO_VMI, NULL,
                            "the VM of this Pod is not known; its GPUs, disks, state, health check "
                            "and STANDALONE_VMI are left out");
        if (!jvx_is(&p->compute, JV_KIND_OBJECT))
                diag_report(p->diag, VMQ_ADAPT_NO_MAIN, AT(NULL, "pod.spec.containers"),
                            "no container is called " POD_MAIN
                            "; devices, state and environment are "
                            "left out");
}

/* The order is the decision document's, step 5: it decides the order of the Pod's lists. */
static void adapt(struct pod *p)
{
        static void (*const parts[])(struct pod *) = {
                settle_name,      adapt_proxies,          adapt_devices,  adapt_data_volumes,
                adapt_host_disks, adapt_cleanup,          adapt_passt,    adapt_state,
                adapt_dir_init,   adapt_persistence_note, adapt_launcher,
        };

        for (size_t i = 0; i < ARRAY_LEN(parts); i++)
                parts[i](p);
}

void adapt_each(jv *item, struct vmq_run *run)
{
        JVX_AUTO jv vmi = jvx_get(item, "vmi");
        JVX_AUTO jv vm = jvx_get(item, "vm");
        struct pod p = { .vmi = ref_with(&vmi, run->keys),
                         .vm = ref_with(&vm, run->keys),
                         .settings = run->settings,
                         .keys = run->keys,
                         .self = run->self,
                         .diag = run->diag };

        if (pod_open(&p, jvx_detach(item, "pod"))) {
                warn_of_missing(&p);
                adapt(&p);
                jvx_set(item, HINTS_KEY,
                        jvx_build("{%s: %s, %s: %j, %s: %j, %s: %j}", HINTS_MAIN,
                                  jvx_is(&p.compute, JV_KIND_OBJECT) ? POD_MAIN : NULL, HINTS_AGAIN,
                                  jvx_take(&p.again), HINTS_BESIDE, jvx_take(&p.beside),
                                  HINTS_OPTIONAL, jvx_take(&p.optional)));
                jvx_set(item, "pod", pod_close(&p));
        }
        pod_release(&p);
}

void adapt_release(struct adapt *a)
{
        for (size_t i = 0; i < a->n; i++) {
                free(a->ports[i].address);
                free(a->ports[i].owner);
        }
        free(a->ports);
        *a = (struct adapt){ 0 };
}
