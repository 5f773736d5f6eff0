/* SPDX-License-Identifier: Apache-2.0 */
#include "render.h"

#include <strings.h>

#include "command.h"
#include "containers.h"
#include "jvx.h"
#include "metadata.h"
#include "overhead.h"
#include "scheduling.h"
#include "virtiofs.h"
#include "vm.h"
#include "volumes.h"

/* template.go, computePodSecurityContext; no seccomp profile is configured */
static jv pod_security(const struct vm *vm)
{
        if (vm->nonroot)
                return jvx_build("{fsGroup: %d, runAsUser: %d, runAsGroup: %d, runAsNonRoot: true}",
                                 NON_ROOT_UID, NON_ROOT_UID, NON_ROOT_UID);
        return jvx_build("{fsGroup: %d, runAsUser: 0}", NON_ROOT_UID);
}

/* pkg/dra/resource_claims.go, ToPodResourceClaims (1.8 copies the list) */
static jv pod_claims(const struct vm *vm)
{
        static const char *const fields[] = { "name", "resourceClaimName",
                                              "resourceClaimTemplateName" };
        jv claims = jv_invalid();

        REF_EACH(own, ref_get(vm->spec, "resourceClaims")) {
                jv claim = jv_object();

                for (size_t i = 0; i < ARRAY_LEN(fields); i++)
                        jvx_set(&claim, fields[i], ref_copy(ref_get(own.item, fields[i])));
                jvx_append(&claims, claim);
        }
        return claims;
}

/* pkg/storage/utils/volumes.go, ServiceAccountNameFromVolumes (1.8: rendervolumes.go,
 * serviceAccount) */
static const char *volume_account(const struct vm *vm)
{
        REF_EACH(volume, vm->volumes)
                if (ref_is_set(ref_get(volume.item, "serviceAccount")))
                        return vm_text(volume.item, "serviceAccount.serviceAccountName");
        return NULL;
}

/* template.go, renderLaunchManifest: the token is mounted for a volume of it, and for istio
 * (pkg/network/istio/proxy.go, ProxyInjectionEnabled). */
static void set_service_account(jv *spec, const struct vm *vm)
{
        const char *account = volume_account(vm);
        const char *own = vm_text(vm->spec, "serviceAccountName");
        const char *istio = ref_str(ref_get(vm->annotations, "sidecar.istio.io/inject"));
        bool mounts = account || (istio && strcasecmp(istio, "true") == 0);

        if (own || account)
                jvx_set(spec, "serviceAccountName", jv_string(own ? own : account));
        jvx_set(spec, "automountServiceAccountToken", mounts ? jv_true() : jv_false());
}

/* template.go, renderLaunchManifest: what the Pod has from the VMI as it is; empty texts are left
 * out. */
static void copy_fields(jv *spec, const struct vm *vm)
{
        static const char *const texts[] = { "subdomain", "dnsPolicy", "schedulerName",
                                             "priorityClassName" };
        static const char *const others[] = { "dnsConfig", "tolerations",
                                              "topologySpreadConstraints" };

        for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
                const char *text = vm_text(vm->spec, texts[i]);

                if (text)
                        jvx_set(spec, texts[i], jv_string(text));
        }
        for (size_t i = 0; i < ARRAY_LEN(others); i++) {
                struct ref own = ref_get(vm->spec, others[i]);

                if (ref_is_set(own))
                        jvx_set(spec, others[i], ref_copy(own));
        }
}

/* template.go, renderLaunchManifest and readinessGates */
static jv pod_spec(const struct vm *vm)
{
        VOLUMES_AUTO struct volumes v = volumes_of(vm);
        long long grace = (long long)((unsigned long long)grace_period(vm) + GRACE_PADDING);
        jv containers = jv_array();

        jvx_append(&containers, compute_container(vm, &v));
        add_virtiofs(&containers, vm);
        jv spec =
                jvx_build("{hostname: %j, securityContext: %j, terminationGracePeriodSeconds: %l, "
                          "restartPolicy: 'Never', enableServiceLinks: false, "
                          "initContainers: %j, containers: %j, nodeSelector: %j, affinity: %j, "
                          "volumes: %j, imagePullSecrets: %j, resourceClaims: %j, readinessGates: "
                          "[{conditionType: 'kubevirt.io/virtual-machine-unpaused'}]}",
                          pod_hostname(vm), pod_security(vm), grace, init_containers(vm),
                          containers, node_selector(vm), affinity(vm), jvx_take(&v.volumes),
                          volumes_pull_secrets(vm), pod_claims(vm));

        copy_fields(&spec, vm);
        set_service_account(&spec, vm);
        return spec;
}

/* What a cluster might do with the VMI and this Pod does not. */
static void report_dropped(const struct vm *vm)
{
        static const char hooks[] = "hooks.kubevirt.io/hookSidecars";
        struct ref networks = ref_get(vm->spec, "networks");

        if (ref_is_set(ref_get(vm->annotations, hooks)))
                diag_report(
                        vm->diag, VMQ_RENDER_HOOKS, AT_KEY(AT(vm->meta_at, "annotations"), hooks),
                        "hook sidecars are dropped, KubeVirt's feature gate Sidecar is off; remove "
                        "the annotation");
        REF_EACH(network, networks)
                if (ref_is_set(ref_get(network.item, "resourceClaim")))
                        diag_report(vm->diag, VMQ_RENDER_DEVICE,
                                    AT(AT_INDEX(AT(vm->spec_at, "networks"), network.i),
                                       "resourceClaim"),
                                    "KubeVirt %s gives the Pod nothing for this claim; use a pod "
                                    "network",
                                    vm->release->name);
}

/* template.go, renderLaunchManifest: the label logVerbosity, else the cluster's
 * (pkg/virt-config/virt-config.go, DefaultVirtLauncherLogVerbosity). */
static void look_at_verbosity(struct vm *vm)
{
        const char *label = ref_str(ref_get(vm->labels, "logVerbosity"));

        vm->verbosity = 2;
        if (label && !read_verbosity(label, &vm->verbosity))
                diag_report(vm->diag, VMQ_RENDER_VERBOSITY,
                            AT_KEY(AT(vm->meta_at, "labels"), "logVerbosity"),
                            "'%s' is no whole number; use 0 to 9, or remove the label", label);
}

static jv render(struct vm *vm)
{
        vm_look(vm);
        if (!vm->name[0]) {
                diag_report(vm->diag, VMQ_RENDER_NO_NAME, AT(NULL, "metadata.name"),
                            "the VirtualMachineInstance has no name; set metadata.name");
                return jv_invalid();
        }
        look_at_verbosity(vm);
        vm->overhead = memory_overhead(vm);
        if (vm->bare)
                report_dropped(vm);
        return jvx_build("{metadata: %j, spec: %j}", pod_metadata(vm), pod_spec(vm));
}

/* What vmq-prepare does to a VMI that comes without a cluster. */
static void complete(jv *item)
{
        jvx_set_default_at(item, "vmi.metadata.namespace", jv_string("default"));
        jvx_set_default_at(item, "vmi.metadata.uid",
                           ref_copy(ref_at(ref_of(item), "vmi.metadata.namespace")));
        if (!ref_is_set(ref_get(ref_of(item), "pvcs")))
                jvx_set(item, "pvcs", volumes_claims(ref_get(ref_of(item), "vmi")));
}

void render_each(jv *item, struct vmq_run *run)
{
        if (ref_kind(ref_get(ref_of(item), "vmi")) != JV_KIND_OBJECT) {
                diag_report(run->diag, VMQ_ITEM, AT(NULL, "vmi"),
                            "there is no vmi in the item; run vmq-prepare first");
                return;
        }
        complete(item);
        bool bare = !ref_is_set(ref_get(ref_of(item), "vm"));
        struct vm vm = {
                .vmi = ref_get(ref_with(item, run->keys), "vmi"),
                .pvcs = ref_get(ref_with(item, run->keys), "pvcs"),
                .release = release_of(run->settings),
                .image = release_image(run->settings),
                .bare = bare,
                .spec_at = AT(NULL, bare ? "spec" : "spec.template.spec"),
                .meta_at = AT(NULL, bare ? "metadata" : "spec.template.metadata"),
                .diag = run->diag,
        };

        /* vmq-prepare has said it of what the item remembers */
        if (bare || run->settings->given[SET_LAUNCHER_IMAGE] || run->settings->given[SET_KUBEVIRT])
                release_report(run->settings, run->diag);
        jv pod = render(&vm);

        vm_release(&vm);
        jvx_set(item, "pod", pod);
}
