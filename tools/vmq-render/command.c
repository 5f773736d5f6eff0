/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <string.h>
#include <strings.h>

#include "array.h"
#include "containers.h"
#include "jvx.h"
#include "names.h"

#define DEBUG_VERBOSITY 5 /* pkg/util/util.go, EXT_LOG_VERBOSITY_THRESHOLD */

/* Arguments that come with a feature gate (template.go, renderLaunchManifest). */
static const struct {
        const char *gate, *argument;
} gate_arguments[] = {
        { "ImageVolume", "--image-volume" },
        { "LibvirtHooksServerAndClient", "--libvirt-hook-server-and-client" },
        { "PodSecondaryInterfaceNamingUpgrade", "--upgrade-ordinal-ifaces" },
        { "VGPULiveMigration", "--vgpu-dedicated-hook" },
        { "VMStatsCollector", "--vm-stats-collector" },
        { "FirmwareAutoSelection", "--firmware-auto-selection" },
};

/* pkg/virt-config/virt-config.go, GetOVMFPath */
static const char *ovmf_path(const struct vm *vm)
{
        if (strcmp(vm->arch, "arm64") == 0)
                return vm->release->ovmf_path.arm64;
        if (strcmp(vm->arch, "s390x") == 0)
                return vm->release->ovmf_path.s390x;
        return vm->release->ovmf_path.amd64;
}

/* template.go, checkForKeepLauncherAfterFailure */
static bool keeps_failed(const struct vm *vm)
{
        static const char prefix[] = "kubevirt.io/keep-launcher-alive-after-failure";

        REF_EACH(own, vm->annotations) {
                const char *value = ref_str(own.item);

                if (strncmp(own.key, prefix, strlen(prefix)) == 0 && value &&
                    (!value[0] || strncmp(value, "true", 4) == 0))
                        return true;
        }
        return false;
}

static void add(jv *list, const char *argument)
{
        jvx_append(list, jv_string(argument));
}

/* template.go, renderLaunchManifest */
jv launcher_command(const struct vm *vm)
{
        const char *filters = ref_str(ref_get(vm->annotations, "kubevirt.io/libvirt-log-filters"));
        BUF_AUTO struct buf grace = BUF_INIT;

        buf_addf(&grace, "%lld", grace_period(vm));
        /* the timeout has no jitter: the same input gives the same Pod (D9) */
        jv command = jvx_build(
                "['/usr/bin/virt-launcher-monitor', '--qemu-timeout', '240s', '--name', %s, "
                "'--uid', %s, '--namespace', %s, '--kubevirt-share-dir', '" SHARE_DIR "', "
                "'--ephemeral-disk-dir', '/var/run/kubevirt-ephemeral-disks', "
                "'--container-disk-dir', '" SHARE_DIR "/container-disks', "
                "'--grace-period-seconds', %s, '--hook-sidecars', '0', '--ovmf-path', %s, "
                "'--disk-memory-limit', '2097152000', '--hypervisor', 'kvm']",
                vm->name, vm->uid, vm->namespace, grace.s, ovmf_path(vm));

        if (vm->nonroot)
                add(&command, "--run-as-nonroot");
        for (size_t i = 0; i < ARRAY_LEN(gate_arguments); i++)
                if (release_gate(vm->release, gate_arguments[i].gate))
                        add(&command, gate_arguments[i].argument);
        if (filters) {
                add(&command, "--libvirt-log-filters");
                add(&command, filters);
        }
        if (keeps_failed(vm))
                add(&command, "--keep-after-failure");
        if (ref_is_set(ref_get(vm->annotations, "kubevirt.io/func-test-virt-launcher-fail-fast")))
                add(&command, "--simulate-crash");
        return command;
}

bool read_verbosity(const char *text, unsigned long long *ret)
{
        long long n;

        if (!name_is_number(text, &n))
                return false;
        *ret = (unsigned long long)n;
        return true;
}

static void add_variable(jv *env, const char *name, const char *value)
{
        jvx_append(env, jvx_build("{name: %s, value: %s}", name, value[0] ? value : NULL));
}

/* template.go, renderLaunchManifest: is logging at such a level that the others log too, or asks
 * the label for it? */
static bool debugs(const struct vm *vm, const char *label)
{
        return strcasecmp(ref_text(vm->labels, label), "true") == 0 ||
               vm->verbosity > DEBUG_VERBOSITY;
}

/* rendercontainer.go, envVars and xdgEnvironmentVariables; template.go, renderLaunchManifest */
jv launcher_environment(const struct vm *vm, const char *shared)
{
        const char *verbosity = ref_str(ref_get(vm->labels, "logVerbosity"));
        jv env = jv_array();

        if (vm->nonroot) {
                add_variable(&env, "XDG_CACHE_HOME", PRIVATE_DIR);
                add_variable(&env, "XDG_CONFIG_HOME", PRIVATE_DIR);
                add_variable(&env, "XDG_RUNTIME_DIR", "/var/run");
        }
        if (shared[0])
                add_variable(&env, "SHARED_FILESYSTEM_PATHS", shared);
        if (verbosity)
                add_variable(&env, "VIRT_LAUNCHER_LOG_VERBOSITY", verbosity);
        if (debugs(vm, "debugLogs"))
                add_variable(&env, "LIBVIRT_DEBUG_LOGS", "1");
        if (debugs(vm, "virtiofsdDebugLogs"))
                add_variable(&env, "VIRTIOFSD_DEBUG_LOGS", "1");
        jvx_append(&env, jvx_build("{name: 'POD_NAME', "
                                   "valueFrom: {fieldRef: {fieldPath: 'metadata.name'}}}"));
        return env;
}
