/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "buf.h"
#include "jvx.h"
#include "parts.h"

/* Members of the Pod that only a cluster understands. */
static const char *const cluster_only[] = {
        "spec.readinessGates", /* conditions that nobody would ever set */
        "metadata.ownerReferences",
};

/* Labels of nodes that have a CPU manager: CPUManager and DeprecatedCPUManager, types.go. */
static const char *const cpu_managers[] = { "kubevirt.io/cpumanager", "cpumanager" };

/* Resources of a device plugin have a '/' in their name (nvidia.com/gpu); Podman has no plugins and
 * refuses them. */
static void strip_resources(jv *container)
{
        static const char *const lists[] = { "limits", "requests" };
        JVX_AUTO jv resources = jvx_detach(container, "resources");

        if (!jvx_is(&resources, JV_KIND_OBJECT)) {
                jvx_del(container, "resources");
                return;
        }
        for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
                JVX_AUTO jv all = jvx_get(&resources, lists[i]);
                jv kept = jv_object();

                REF_EACH(c, ref_of(&all)) {
                        if (c.key && !strchr(c.key, '/'))
                                jvx_set(&kept, c.key, ref_copy(c.item));
                }
                jvx_del(&resources, lists[i]);
                if (ref_len(ref_of(&kept)) > 0)
                        jvx_set(&resources, lists[i], kept);
                else
                        jv_free(kept);
        }
        jvx_set(container, "resources", jvx_take(&resources));
}

static void strip_all(jv *containers)
{
        for (int i = 0; i < ref_len(ref_of(containers)); i++) {
                JVX_AUTO jv container = jvx_detach_item(containers, i);

                if (jvx_is(&container, JV_KIND_OBJECT))
                        strip_resources(&container);
                jvx_set_item(containers, i, jvx_take(&container));
        }
}

/* Init containers with restartPolicy Always are Kubernetes' sidecars. Podman would wait for their
 * end, so they become containers. */
static void move_sidecars(struct pod *p)
{
        JVX_AUTO jv inits = jvx_take(&p->inits);

        p->inits = jv_array();
        REF_EACH(c, ref_of(&inits)) {
                jv container = ref_copy(c.item);

                if (ref_eq(ref_get(c.item, "restartPolicy"), "Always")) {
                        jvx_del(&container, "restartPolicy");
                        jvx_append(&p->containers, container);
                        jvx_append(&p->beside, ref_copy(ref_get(c.item, "name")));
                } else {
                        jvx_append(&p->inits, container);
                }
        }
}

/* Ports below 1024 can then be forwarded by passt, which is not root. It holds for the Pod's own
 * network only. */
static void allow_low_ports(struct pod *p)
{
        static const char name[] = "net.ipv4.ip_unprivileged_port_start";
        struct ref have = ref_at(pod_view(p, &p->object), "spec.securityContext.sysctls");

        if (!ref_is_set(ref_find(have, "name", name)))
                jvx_append_at(&p->object, "spec.securityContext.sysctls",
                              jvx_build("{name: %s, value: '0'}", name));
}

static void free_of_cpu_managers(struct pod *p)
{
        JVX_AUTO jv spec = jvx_detach(&p->object, "spec");
        JVX_AUTO jv selector = jvx_detach(&spec, "nodeSelector");

        for (size_t i = 0; i < ARRAY_LEN(cpu_managers) && jvx_is(&selector, JV_KIND_OBJECT); i++)
                jvx_del(&selector, cpu_managers[i]);
        if (ref_len(ref_of(&selector)) > 0)
                jvx_set(&spec, "nodeSelector", jvx_take(&selector));
        else
                jvx_del(&spec, "nodeSelector");
        jvx_set(&p->object, "spec", jvx_take(&spec));
        if (ref_bool(ref_at(p->vmi, "spec.domain.cpu.dedicatedCpuPlacement"), false))
                diag_report(p->diag, VMQ_ADAPT_PINNING,
                            AT(NULL, "spec.template.spec.domain.cpu.dedicatedCpuPlacement"),
                            "Podman sets no CPUs aside; add PodmanArgs=--cpuset-cpus=... to the "
                            "compute container");
}

void adapt_cleanup(struct pod *p)
{
        allow_low_ports(p);
        for (size_t i = 0; i < ARRAY_LEN(cluster_only); i++)
                jvx_del_at(&p->object, cluster_only[i]);
        free_of_cpu_managers(p);
        jvx_set_at(&p->object, "spec.restartPolicy", jv_string("OnFailure"));
        move_sidecars(p);
        if (jvx_is(&p->compute, JV_KIND_OBJECT))
                strip_resources(&p->compute);
        strip_all(&p->containers);
        strip_all(&p->inits);
}

/* The texts are the reference converter's; whoever looks for them finds them here too. */
static const struct {
        const char *source; /* of a volume */
        const char *text;
} persistence[] = {
        { "persistentVolumeClaim", "PVC volumes: In standalone mode, persistentVolumeClaim volumes "
                                   "become local Podman named "
                                   "volumes. They persist across pod restarts on THIS host only, "
                                   "but will NOT survive if you "
                                   "move the Pod to another machine or reinstall Podman." },
        { "hostDisk", "hostDisk volumes: The specified disk image files must exist on the host "
                      "filesystem at the "
                      "paths defined in the VM spec. For DiskOrCreate type, the file will be "
                      "created if missing." },
};

void adapt_persistence_note(struct pod *p)
{
        BUF_AUTO struct buf text = BUF_INIT;
        JVX_AUTO jv metadata = jv_invalid();
        jv annotations;

        for (size_t i = 0; i < ARRAY_LEN(persistence); i++) {
                REF_EACH(c, ref_at(p->vm, "spec.template.spec.volumes")) {
                        if (!ref_is_set(ref_get(c.item, persistence[i].source)))
                                continue;
                        buf_addf(&text, "%s%s", text.len ? " | " : "", persistence[i].text);
                        break;
                }
        }
        if (text.len == 0)
                return;
        metadata = jvx_detach(&p->object, "metadata");
        annotations = jvx_detach(&metadata, "annotations");
        jvx_set(&annotations, "kubevirt-vm-to-pod/persistence-warning", jv_string(text.s));
        jvx_set(&metadata, "annotations", annotations);
        jvx_set(&p->object, "metadata", jvx_take(&metadata));
}
