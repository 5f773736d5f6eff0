/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduling.h"

#include <ctype.h>
#include <string.h>

#include "array.h"
#include "jvx.h"

/* labels[PREFIX NAME] = "true" (nodeselectorrenderer.go, enableSelectorLabel) */
static void enable(jv *labels, const char *prefix, const char *name)
{
        BUF_AUTO struct buf label = BUF_INIT;

        buf_addf(&label, "%s%s", prefix, name);
        jvx_set(labels, label.s, jv_string("true"));
}

/* nodeselectorrenderer.go, CPUModelLabelFromCPUModel, CPUFeatureLabelsFromCPUFeatures: only with a
 * model */
static void cpu_labels(jv *labels, const struct vm *vm)
{
        const char *model = ref_text(vm->cpu, "model");

        if (!model[0])
                return;
        if (strcmp(model, "host-model") != 0 && strcmp(model, "host-passthrough") != 0)
                enable(labels, "cpu-model.node.kubevirt.io/", model);
        REF_EACH(feature, ref_get(vm->cpu, "features")) {
                const char *policy = ref_text(feature.item, "policy");

                if (!policy[0] || strcmp(policy, "require") == 0)
                        enable(labels, "cpu-feature.node.kubevirt.io/",
                               ref_text(feature.item, "name"));
        }
}

/* pkg/virt-controller/watch/topology/tsc.go, GetTscFrequencyRequirement, vmiHasInvTSCFeature,
 * isVmiUsingHyperVReenlightenment */
static bool needs_tsc(const struct vm *vm)
{
        REF_EACH(feature, ref_get(vm->cpu, "features")) {
                const char *policy = ref_text(feature.item, "policy");

                if (ref_eq(ref_get(feature.item, "name"), "invtsc") &&
                    (strcmp(policy, "require") == 0 || strcmp(policy, "force") == 0))
                        return true;
        }
        return ref_bool(ref_at(vm->domain, "features.hyperv.reenlightenment.enabled"), false);
}

/* tsc.go, IsManualTSCFrequencyRequired, ToTSCSchedulableLabel */
static void tsc_label(jv *labels, const struct vm *vm)
{
        long long hertz = ref_int(ref_at(vm->status, "topologyHints.tscFrequency"), 0);
        BUF_AUTO struct buf name = BUF_INIT;

        if (hertz <= 0 || !needs_tsc(vm))
                return;
        buf_addf(&name, "%lld", hertz);
        enable(labels, "scheduling.node.kubevirt.io/tsc-frequency-", name.s);
}

static bool is_dedicated(const struct vm *vm)
{
        return vm->dedicated;
}

static bool is_realtime(const struct vm *vm)
{
        return ref_is_set(ref_get(vm->cpu, "realtime"));
}

/* template.go, newNodeSelectorRenderer; nodeselectorrenderer.go, Render */
static const struct {
        const char *label;
        bool (*applies)(const struct vm *vm);
} feature_labels[] = {
        { "kubevirt.io/cpumanager", is_dedicated },
        { "kubevirt.io/realtime", is_realtime },
        { "kubevirt.io/sev", vm_sev },
        { "kubevirt.io/sev-es", vm_sev_es },
        { "kubevirt.io/sev-snp", vm_sev_snp },
        { "kubevirt.io/s390-pv", vm_secure_execution },
        { "kubevirt.io/tdx", vm_tdx },
};

static jv lower(const char *text)
{
        BUF_AUTO struct buf b = BUF_INIT;

        for (; *text; text++)
                buf_addc(&b, (char)tolower((unsigned char)*text));
        return jv_string(b.s);
}

/* nodeselectorrenderer.go, NewNodeSelectorRenderer, WithMachineType, Render */
jv node_selector(const struct vm *vm)
{
        jv labels = jv_object();
        const char *machine = ref_text(vm->status, "machine.type");

        enable(&labels, "kubevirt.io/schedulable", "");
        if (vm->arch[0])
                jvx_set(&labels, "kubernetes.io/arch", lower(vm->arch));
        REF_EACH(own, vm_object(ref_get(vm->spec, "nodeSelector")))
                jvx_set(&labels, own.key, ref_copy(own.item));
        cpu_labels(&labels, vm);
        if (!machine[0])
                machine = ref_text(vm->domain, "machine.type");
        if (machine[0])
                enable(&labels, "machine-type.node.kubevirt.io/", machine);
        tsc_label(&labels, vm);
        for (size_t i = 0; i < ARRAY_LEN(feature_labels); i++)
                if (feature_labels[i].applies(vm))
                        enable(&labels, feature_labels[i].label, "");
        return labels;
}

#define REQUIRED          "requiredDuringSchedulingIgnoredDuringExecution"
#define MOST_REQUIREMENTS 100000 /* in the node affinity's terms together */

static void reject(jv *requirements, const char *prefix, const char *name)
{
        BUF_AUTO struct buf label = BUF_INIT;

        buf_addf(&label, "%s%s", prefix, name);
        jvx_append(requirements, jvx_build("{key: %s, operator: 'DoesNotExist'}", label.s));
}

/* What a node must not have: template.go, setNodeAffinityForHostModelCpuModel,
 * setNodeAffinityForbiddenFeaturePolicy. Invalid if there is nothing. */
static jv rejections(const struct vm *vm)
{
        const char *model = ref_text(vm->cpu, "model");
        jv requirements = jv_invalid();

        if (!model[0] || strcmp(model, "host-model") == 0)
                reject(&requirements, "node-labeller.kubevirt.io/obsolete-host-model", "");
        REF_EACH(feature, ref_get(vm->cpu, "features"))
                if (ref_eq(ref_get(feature.item, "policy"), "forbid"))
                        reject(&requirements, "cpu-feature.node.kubevirt.io/",
                               ref_text(feature.item, "name"));
        return requirements;
}

/* Terms are alternatives, so each gets all requirements; their product is bounded. */
static void add_to_terms(jv *terms, struct ref requirements, const struct vm *vm)
{
        int n = ref_len(ref_of(terms)), more = ref_len(requirements);

        if (n > 0 && more > MOST_REQUIREMENTS / n) {
                diag_report(vm->diag, VMQ_RENDER_AFFINITY,
                            AT(vm->spec_at, "affinity.nodeAffinity." REQUIRED),
                            "%d forbidden features in each of %d terms are too many; remove some",
                            more, n);
                return;
        }
        for (int i = 0; i < n; i++) {
                jv term = jvx_detach_item(terms, i);

                REF_EACH(requirement, requirements)
                        jvx_append_at(&term, "matchExpressions", ref_copy(requirement.item));
                jvx_set_item(terms, i, term);
        }
}

/* template.go, modifyNodeAffintyToRejectLabel, for all labels at once */
static void reject_labels(jv *affinity, const struct vm *vm)
{
        JVX_AUTO jv requirements = rejections(vm);
        struct ref required = ref_at(ref_of(affinity), "nodeAffinity." REQUIRED);

        if (!jv_is_valid(requirements))
                return;
        if (!ref_is_set(required)) {
                jvx_set_at(affinity, "nodeAffinity." REQUIRED,
                           jvx_build("{nodeSelectorTerms: [{matchExpressions: %j}]}",
                                     jvx_take(&requirements)));
                return;
        }
        JVX_AUTO jv terms = ref_copy(ref_get(required, "nodeSelectorTerms"));

        if (!jvx_is(&terms, JV_KIND_ARRAY) || ref_len(ref_of(&terms)) == 0)
                return;
        add_to_terms(&terms, ref_of(&requirements), vm);
        jvx_set_at(affinity, "nodeAffinity." REQUIRED ".nodeSelectorTerms", jvx_take(&terms));
}

/* template.go, setPersistentReservationAntiAffinity; pkg/storage/reservation/pr.go,
 * PersistentReservationPodAntiAffinityTerms */
static void keep_apart(jv *affinity, const struct vm *vm)
{
        JVX_AUTO jv labels = reservation_labels(vm);

        if (!jv_is_valid(labels))
                return;
        REF_EACH(label, ref_of(&labels))
                jvx_append_at(
                        affinity, "podAntiAffinity." REQUIRED,
                        jvx_build("{labelSelector: {matchExpressions: [{key: %s, "
                                  "operator: 'Exists'}]}, topologyKey: 'kubernetes.io/hostname'}",
                                  label.key));
}

/* template.go, renderLaunchManifest: the VMI's, setNodeAffinityForPod,
 * setPersistentReservationAntiAffinity */
jv affinity(const struct vm *vm)
{
        struct ref own = ref_get(vm->spec, "affinity");
        jv made = ref_is_set(own) ? ref_copy(own) : jv_invalid();

        reject_labels(&made, vm);
        keep_apart(&made, vm);
        return made;
}

/* pkg/storage/types/pvc.go, PVCNameFromVirtVolume */
static const char *claim_of(struct ref volume)
{
        if (ref_is_set(ref_get(volume, "dataVolume")))
                return vm_text(volume, "dataVolume.name");
        if (ref_is_set(ref_get(volume, "persistentVolumeClaim")))
                return vm_text(volume, "persistentVolumeClaim.claimName");
        return vm_text(volume, "memoryDump.claimName");
}

/* pkg/storage/reservation/pr.go, PersistentReservationPVCLabels */
jv reservation_labels(const struct vm *vm)
{
        jv labels = jv_invalid();

        if (!vm->release->reservation_affinity)
                return labels;
        REF_EACH(disk, ref_get(vm->devices, "disks")) {
                struct ref volume = vm_volume(vm, ref_text(disk.item, "name"));
                const char *claim = vm_reserves(disk.item) ? claim_of(volume) : NULL;
                struct ref pvc = claim ? vm_pvc(vm, claim) : ref_none();
                BUF_AUTO struct buf label = BUF_INIT;

                if (!ref_is_set(pvc))
                        continue;
                buf_addf(&label, "pr.kubevirt.io/%s", ref_text(pvc, "metadata.uid"));
                jvx_set(&labels, label.s, jv_string(""));
        }
        return labels;
}
