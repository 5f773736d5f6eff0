/* SPDX-License-Identifier: Apache-2.0 */
/* cpu - how many, of what model, and how many may be plugged in later. */
#include "defaults.h"
#include "jvx.h"
#include "quantity.h"

#define HOTPLUG_RATIO 4   /* pkg/virt-config/virt-config.go, DefaultMaxHotplugRatio */
#define MOST_VCPUS    512 /* pkg/defaults/defaults.go, setupCPUHotplug */

/* The numbers are uint32 in KubeVirt, and so is what it calculates with them. */
struct topology {
        uint32_t sockets, cores, threads;
};

static struct topology topology_of(struct ref vmi)
{
        struct ref cpu = ref_at(vmi, "spec.domain.cpu");

        return (struct topology){
                .sockets = (uint32_t)ref_int(ref_get(cpu, "sockets"), 0),
                .cores = (uint32_t)ref_int(ref_get(cpu, "cores"), 0),
                .threads = (uint32_t)ref_int(ref_get(cpu, "threads"), 0),
        };
}

static void set_topology(jv *cpu, struct topology t)
{
        set_count_at(cpu, "sockets", t.sockets);
        set_count_at(cpu, "cores", t.cores);
        set_count_at(cpu, "threads", t.threads);
}

static void set_topology_of(jv *cpu, void *t)
{
        set_topology(cpu, *(struct topology *)t);
}

/*
 * pkg/defaults/defaults.go, SetDefaultGuestCPUTopology: a VM that says nothing about its CPUs has
 * as many sockets as its CPU limit, else its CPU request, rounded up. One number given is enough
 * for the others to stay away.
 */
void set_cpu_topology(jv *vmi)
{
        struct topology t = topology_of(ref_of(vmi));
        struct ref resources = ref_at(ref_of(vmi), "spec.domain.resources");
        struct quantity q;

        if (t.sockets || t.cores || t.threads)
                return;
        t = (struct topology){ 1, 1, 1 };
        if (quantity_of(ref_at(resources, "limits.cpu"), &q) ||
            quantity_of(ref_at(resources, "requests.cpu"), &q))
                t.sockets = (uint32_t)quantity_value(q);
        jvx_set_default_at(vmi, "spec.domain.cpu", jv_object());
        jvx_edit_at(vmi, "spec.domain.cpu", set_topology_of, &t);
}

/* pkg/defaults/defaults.go, setDefaultCPUModel, and arm64.go, setDefaultArm64CPUModel. */
void set_cpu_model(jv *vmi)
{
        bool arm64 = arch_of(ref_get(ref_of(vmi), "spec")) == ARCH_ARM64;

        if (!*ref_text(ref_of(vmi), "spec.domain.cpu.model"))
                jvx_set_at(vmi, "spec.domain.cpu.model",
                           jv_string(arm64 ? "host-passthrough" : "host-model"));
}

/* pkg/defaults/defaults.go, setCurrentCPUTopologyStatus. */
void set_cpu_status(jv *vmi)
{
        JVX_AUTO jv status = jv_object();

        set_topology(&status, topology_of(ref_of(vmi)));
        jvx_set_at(vmi, "status.currentCPUTopology", jvx_take(&status));
}

/* pkg/defaults/defaults.go, setupCPUHotplug: four times the sockets, but no more than 512 vCPUs in
 * all, but never fewer sockets than there are. */
void set_max_sockets(jv *vmi)
{
        struct topology t = topology_of(ref_of(vmi));
        uint32_t most = t.sockets * HOTPLUG_RATIO;

        if (ref_int(ref_at(ref_of(vmi), "spec.domain.cpu.maxSockets"), 0))
                return;
        if (most * t.cores * t.threads > MOST_VCPUS) {
                uint32_t fit = MOST_VCPUS / (t.cores * t.threads);

                most = fit > t.sockets ? fit : t.sockets;
        }
        set_count_at(vmi, "spec.domain.cpu.maxSockets", most);
}

struct requirement {
        const char *name;
        bool found;
};

static void require_in(jv *feature, void *arg)
{
        struct requirement *r = arg;

        if (r->found || !ref_eq(ref_get(ref_of(feature), "name"), r->name))
                return;
        r->found = true;
        jvx_set(feature, "policy", jv_string("require"));
}

/* pkg/defaults/hyperv.go, setEVMCSDependency: put the feature into spec.domain.cpu.features, or
 * change the policy of the first entry that names it. */
void require_cpu_feature(jv *vmi, const char *name)
{
        struct requirement r = { .name = name };

        jvx_each_at(vmi, "spec.domain.cpu.features", require_in, &r);
        if (!r.found)
                jvx_append_at(vmi, "spec.domain.cpu.features",
                              jvx_build("{name: %s, policy: 'require'}", name));
}
