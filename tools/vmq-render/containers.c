/* SPDX-License-Identifier: Apache-2.0 */
#include "containers.h"

#include "command.h"
#include "jvx.h"
#include "probes.h"
#include "resources.h"

#define DEFAULT_GRACE_PERIOD 30

/* template.go, gracePeriodInSeconds and renderLaunchManifest */
long long grace_period(const struct vm *vm)
{
        long long own =
                ref_int(ref_get(vm->spec, "terminationGracePeriodSeconds"), DEFAULT_GRACE_PERIOD);

        return (long long)((unsigned long long)own + GRACE_PADDING);
}

/* rendercontainer.go, securityContext, requiredCapabilities, WithDropALLCapabilities */
static jv compute_security(const struct vm *vm)
{
        if (vm->nonroot)
                return jvx_build("{runAsUser: %d, runAsGroup: %d, runAsNonRoot: true, "
                                 "allowPrivilegeEscalation: false, "
                                 "capabilities: {add: ['NET_BIND_SERVICE'], drop: ['ALL']}}",
                                 NON_ROOT_UID, NON_ROOT_UID);
        return jvx_build("{runAsUser: 0, runAsNonRoot: false, "
                         "capabilities: {add: ['NET_BIND_SERVICE', 'SYS_NICE']}}");
}

/* rendercontainer.go, containerPortsFromVMI */
static jv ports(const struct vm *vm)
{
        jv list = jv_invalid();

        REF_EACH(iface, vm->interfaces)
                REF_EACH(port, ref_get(iface.item, "ports")) {
                        const char *protocol = vm_text(port.item, "protocol");

                        jvx_append(&list, jvx_build("{name: %s, containerPort: %l, protocol: %s}",
                                                    vm_text(port.item, "name"),
                                                    ref_int(ref_get(port.item, "port"), 0),
                                                    protocol ? protocol : "TCP"));
                }
        return list;
}

/* template.go, newContainerSpecRenderer; rendercontainer.go, Render */
jv compute_container(const struct vm *vm, struct volumes *v)
{
        return jvx_build(
                "{name: 'compute', image: %s, imagePullPolicy: '" PULL_POLICY "', "
                "command: %j, env: %j, ports: %j, resources: %j, securityContext: %j, "
                "livenessProbe: %j, readinessProbe: %j, volumeMounts: %j, volumeDevices: %j, "
                "terminationMessagePolicy: 'FallbackToLogsOnError'}",
                vm->image, launcher_command(vm), launcher_environment(vm, v->shared.s), ports(vm),
                compute_resources(vm), compute_security(vm),
                probe_of(vm, ref_get(vm->spec, "livenessProbe")),
                probe_of(vm, ref_get(vm->spec, "readinessProbe")), jvx_take(&v->mounts),
                jvx_take(&v->devices));
}

/* Of the containers that KubeVirt adds: with dedicated CPUs or guaranteed QoS, requests are the
 * limits (resourcesForSerialConsoleLogContainer, getMinimalInitContainerDiskResources). */
static bool has_whole_requests(const struct vm *vm)
{
        return vm->dedicated || vm->guaranteed;
}

static jv helper_security(void)
{
        return jvx_build("{runAsUser: %d, runAsNonRoot: true, allowPrivilegeEscalation: false, "
                         "capabilities: {drop: ['ALL']}}",
                         NON_ROOT_UID);
}

/* serialconsolelog.go, isSerialConsoleLogEnabled, with the cluster's disableSerialConsoleLog set */
static bool logs_console(const struct vm *vm)
{
        return ref_bool(ref_get(vm->devices, "autoattachSerialConsole"), true) &&
               ref_bool(ref_get(vm->devices, "logSerialConsole"), false);
}

/* serialconsolelog.go, generateSerialConsoleLogContainer, resourcesForSerialConsoleLogContainer */
static jv console_log(const struct vm *vm)
{
        bool whole = has_whole_requests(vm);
        BUF_AUTO struct buf file = BUF_INIT, verbosity = BUF_INIT;

        buf_addf(&file, PRIVATE_DIR "/%s/virt-serial0-log", vm->uid);
        buf_addf(&verbosity, "%llu", vm->verbosity);
        return jvx_build("{name: 'guest-console-log', image: %s, imagePullPolicy: '" PULL_POLICY
                         "', "
                         "command: ['/usr/bin/virt-tail'], args: ['--logfile', %s], "
                         "env: [{name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: %s}], "
                         "volumeMounts: [{name: 'private', mountPath: '" PRIVATE_DIR "', "
                         "readOnly: true}], "
                         "resources: {limits: {cpu: '15m', memory: '60M'}, "
                         "requests: {cpu: %s, memory: %s}}, "
                         "securityContext: %j, restartPolicy: 'Always'}",
                         vm->image, file.s, verbosity.s, whole ? "15m" : "5m",
                         whole ? "60M" : "35M", helper_security());
}

/* pkg/container-disk/container-disk.go, CreateImageVolumeInitContainer,
 * getMinimalInitContainerDiskResources: pulls the image, and tells
 * which it was */
static jv image_container(const struct vm *vm, const char *volume, struct ref source)
{
        bool whole = has_whole_requests(vm);
        BUF_AUTO struct buf name = BUF_INIT;

        buf_addf(&name, "volume%s", volume);
        return jvx_build("{name: %s, image: %s, imagePullPolicy: %s, "
                         "command: ['/container-disk-binary/usr/bin/container-disk'], "
                         "args: ['--no-op'], "
                         "resources: {limits: {cpu: '10m', memory: '40M'}, "
                         "requests: {cpu: %s, memory: %s, %s: '50M'}}, "
                         "securityContext: %j, "
                         "volumeMounts: [{name: 'launcher-volume', "
                         "mountPath: '/container-disk-binary', readOnly: true}]}",
                         name.s, vm_text(source, "image"), vm_text(source, "imagePullPolicy"),
                         whole ? "10m" : "1m", whole ? "40M" : "1M", "ephemeral-storage",
                         helper_security());
}

/* template.go, renderLaunchManifest, with the gate ImageVolume on */
jv init_containers(const struct vm *vm)
{
        struct ref boot = vm_kernel_boot(vm);
        jv list = jv_invalid();

        if (logs_console(vm))
                jvx_append(&list, console_log(vm));
        REF_EACH(volume, vm->volumes) {
                struct ref disk = ref_get(volume.item, "containerDisk");

                if (ref_is_set(disk))
                        jvx_append(&list, image_container(vm, ref_text(volume.item, "name"), disk));
        }
        if (ref_is_set(boot))
                jvx_append(&list, image_container(vm, "kernel-boot-volume", boot));
        return list;
}
