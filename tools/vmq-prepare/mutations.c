/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutations - what the admission webhook does to a VMI besides setting its defaults:
 * pkg/virt-api/webhooks/mutating-webhook/mutators/vmi-mutator.go, ApplyNewVMIMutations.
 *
 * The annotation for an emulator thread's even parity is left out: it is copied from the cluster's
 * KubeVirt object, which has none.
 */
#include <string.h>

#include "defaults.h"
#include "json.h"
#include "jvx.h"

#define NONROOT_USER 107 /* markAsNonroot: the qemu user of the launcher image */

/* setDefaultPciTopologyVersion and the code for TDX: not over what is there, or over it */
static void annotate(jv *vmi, const char *key, const char *value, bool replace)
{
        JVX_AUTO jv metadata = jvx_detach(vmi, "metadata");
        JVX_AUTO jv annotations = jvx_detach(&metadata, "annotations");

        if (replace || ref_kind(ref_get(ref_of(&annotations), key)) == JV_KIND_INVALID)
                jvx_set(&annotations, key, jv_string(value));
        jvx_set(&metadata, "annotations", jvx_take(&annotations));
        jvx_set(vmi, "metadata", jvx_take(&metadata));
}

/* pkg/defaults/defaults.go, SupportsPCIeHotplug. */
static bool has_pcie(struct ref spec)
{
        const char *arch = ref_text(spec, "architecture");
        const char *machine = ref_text(spec, "domain.machine.type");

        return (!*arch || strcmp(arch, "amd64") == 0 || strcmp(arch, "arm64") == 0) &&
               (strstr(machine, "q35") || strncmp(machine, "virt", strlen("virt")) == 0);
}

/* ApplyNewVMIMutations; a TDX guest is one by pkg/util/amd64.go, IsTDXVMI. */
void set_mutations(jv *vmi, const struct release *release)
{
        struct ref spec = ref_get(ref_of(vmi), "spec");
        bool tdx = ref_is_set(ref_at(spec, "domain.launchSecurity.tdx"));

        if (has_pcie(spec))
                annotate(vmi, "kubevirt.io/pci-topology-version", "v3", false);
        if (tdx && release->qgs_socket)
                annotate(vmi, "kubevirt.io/qgs-socket-path", release->qgs_socket, true);
        jvx_set_at(vmi, "status.runtimeUser", json_int(NONROOT_USER));
}
