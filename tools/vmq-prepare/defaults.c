/* SPDX-License-Identifier: Apache-2.0 */
#include "defaults.h"

#include <string.h>

#include "array.h"
#include "json.h"
#include "jvx.h"
#include "quantity.h"

void set_text_default(jv *obj, const char *key, const char *text)
{
        if (!*ref_text(ref_of(obj), key))
                jvx_set(obj, key, jv_string(text));
}

void set_count_at(jv *obj, const char *path, uint32_t n)
{
        if (n)
                jvx_set_at(obj, path, json_int(n));
        else
                jvx_del_at(obj, path);
}

/* pkg/defaults/arm64.go, IsARM64, and s390x.go, IsS390X; everything else is amd64. */
enum arch arch_of(struct ref spec)
{
        const char *arch = ref_text(spec, "architecture");

        return strcmp(arch, "arm64") == 0   ? ARCH_ARM64
               : strcmp(arch, "s390x") == 0 ? ARCH_S390X
                                            : ARCH_AMD64;
}

/* pkg/virt-config/virt-config.go, GetMachineType. */
const char *default_machine(struct ref spec)
{
        static const char *const machines[] = {
                [ARCH_AMD64] = "q35",
                [ARCH_ARM64] = "virt",
                [ARCH_S390X] = "s390-ccw-virtio",
        };

        return machines[arch_of(spec)];
}

/* pkg/defaults/defaults.go, setDefaultResourceRequests: a CPU limit alone is the request too. */
static void set_cpu_request(jv *vmi)
{
        struct ref resources = ref_at(ref_of(vmi), "spec.domain.resources");
        struct ref limit = ref_at(resources, "limits.cpu");

        if (!quantity_is_zero(quantity_or_zero(limit)) &&
            quantity_is_zero(quantity_or_zero(ref_at(resources, "requests.cpu"))))
                jvx_set_at(vmi, "spec.domain.resources.requests.cpu", ref_copy(limit));
}

/* pkg/defaults/defaults.go, setDefaultPullPoliciesOnContainerDisks: `latest`, said or meant, is
 * pulled every time. */
static void set_pull_policy(jv *volume, void *unused)
{
        struct ref disk = ref_get(ref_of(volume), "containerDisk");
        const char *image = ref_text(disk, "image");
        const char *colon = strrchr(image, ':');
        bool latest = (colon && strcmp(colon, ":latest") == 0) || !strpbrk(image, ":@");

        (void)unused;
        if (ref_is_set(disk) && !*ref_text(disk, "imagePullPolicy"))
                jvx_set_at(volume, "containerDisk.imagePullPolicy",
                           jv_string(latest ? "Always" : "IfNotPresent"));
}

/* staging/src/kubevirt.io/api/core/v1/defaults.go, SetDefaults_Probe. */
static void set_probe(jv *probe, void *unused)
{
        static const struct {
                const char *field;
                int value;
        } defaults[] = {
                { "timeoutSeconds", 1 },
                { "periodSeconds", 10 },
                { "successThreshold", 1 },
                { "failureThreshold", 3 },
        };

        (void)unused;
        for (size_t i = 0; i < ARRAY_LEN(defaults); i++)
                if (ref_int(ref_get(ref_of(probe), defaults[i].field), 0) < 1)
                        jvx_set(probe, defaults[i].field, json_int(defaults[i].value));
}

/* pkg/network/vmispec/defaults.go, SetDefaultNetworkInterface: a bridge to the pod's network where
 * neither networks nor interfaces are named. */
static void set_network(jv *vmi)
{
        struct ref spec = ref_get(ref_of(vmi), "spec");

        if (!ref_bool(ref_at(spec, "domain.devices.autoattachPodInterface"), true) ||
            ref_len(ref_get(spec, "networks")) ||
            ref_len(ref_at(spec, "domain.devices.interfaces")))
                return;
        jvx_set_at(vmi, "spec.domain.devices.interfaces",
                   jvx_build("[{name: 'default', bridge: {}}]"));
        jvx_set_at(vmi, "spec.networks", jvx_build("[{name: 'default', pod: {}}]"));
}

/* pkg/defaults/defaults.go, SetDefaultVirtualMachineInstanceSpec, with setDefaultMachineType and
 * setDefaultEvictionStrategy. */
static void set_spec_defaults(jv *vmi)
{
        if (!*ref_text(ref_of(vmi), "spec.domain.machine.type"))
                jvx_set_at(vmi, "spec.domain.machine.type",
                           jv_string(default_machine(ref_get(ref_of(vmi), "spec"))));
        set_cpu_request(vmi);
        set_guest_memory(vmi);
        set_cpu_topology(vmi);
        jvx_each_at(vmi, "spec.volumes", set_pull_policy, NULL);
        jvx_set_default_at(vmi, "spec.evictionStrategy", jv_string("None"));
        set_network(vmi);
        set_volume_disks(vmi);
}

/* pkg/defaults/defaults.go, setDefaultCPUArch. */
static void set_arch_defaults(jv *vmi)
{
        switch (arch_of(ref_get(ref_of(vmi), "spec"))) {
        case ARCH_AMD64:
                set_disk_buses(vmi, "sata");
                set_watchdog(vmi, "i6300esb");
                break;
        case ARCH_ARM64:
                set_arm64_bootloader(vmi);
                set_disk_buses(vmi, "virtio");
                break;
        case ARCH_S390X:
                set_disk_buses(vmi, "virtio");
                set_watchdog(vmi, "diag288");
                break;
        }
        set_cpu_model(vmi);
}

/* pkg/defaults/defaults.go, SetDefaultVirtualMachineInstance. */
void set_defaults(jv *vmi)
{
        set_spec_defaults(vmi);
        set_feature_states(vmi);
        set_disk_targets(vmi);
        set_inputs(vmi);
        jvx_edit_at(vmi, "spec.readinessProbe", set_probe, NULL);
        jvx_edit_at(vmi, "spec.livenessProbe", set_probe, NULL);
        set_hyperv_dependencies(vmi);
        set_arch_defaults(vmi);
        set_memory_status(vmi);
        set_cpu_status(vmi);
        /* setupHotplug of that file; the cluster's VMRolloutStrategy is LiveUpdate. */
        if (arch_of(ref_get(ref_of(vmi), "spec")) != ARCH_ARM64) {
                set_max_sockets(vmi);
                set_max_guest(vmi);
        }
}
