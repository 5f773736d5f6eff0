/* SPDX-License-Identifier: Apache-2.0 */
/* features - which of the hypervisor's are on, and which need another to be on. */
#include "array.h"
#include "defaults.h"
#include "json.h"
#include "jvx.h"

/* staging/src/kubevirt.io/api/core/v1/defaults.go: what is mentioned is on unless it is said to be
 * off. SetDefaults_FeatureState, with ..._FeatureAPIC, ..._FeatureVendorID, ..._SyNICTimer. */
static void set_enabled(jv *state, void *unused)
{
        (void)unused;
        jvx_set_default(state, "enabled", jv_true());
}

/* SetDefaults_HPETTimer and its like for the other timers */
static void set_present(jv *timer, void *unused)
{
        (void)unused;
        jvx_set_default(timer, "present", jv_true());
}

/* SetDefaults_FeatureSpinlocks */
static void set_spinlocks(jv *spinlocks, void *unused)
{
        (void)unused;
        set_enabled(spinlocks, NULL);
        if (ref_bool(ref_get(ref_of(spinlocks), "enabled"), false))
                jvx_set_default(spinlocks, "spinlocks", json_int(4096));
}

static void set_ramfb(jv *gpu, void *unused)
{
        (void)unused;
        jvx_edit_at(gpu, "virtualGPUOptions.display.ramFB", set_enabled, NULL);
}

/* zz_generated.defaults.go of that folder, SetObjectDefaults_VirtualMachineInstance.
 * (Not hypervPassthrough and kvm, which have no default.) */
void set_feature_states(jv *vmi)
{
        static const struct {
                const char *field; /* of spec.domain */
                void (*set)(jv *, void *);
        } states[] = {
                { "spec.domain.clock.timer.hpet", set_present },
                { "spec.domain.clock.timer.kvm", set_present },
                { "spec.domain.clock.timer.pit", set_present },
                { "spec.domain.clock.timer.rtc", set_present },
                { "spec.domain.clock.timer.hyperv", set_present },
                { "spec.domain.features.acpi", set_enabled },
                { "spec.domain.features.apic", set_enabled },
                { "spec.domain.features.smm", set_enabled },
                { "spec.domain.features.pvspinlock", set_enabled },
                { "spec.domain.features.hyperv.relaxed", set_enabled },
                { "spec.domain.features.hyperv.vapic", set_enabled },
                { "spec.domain.features.hyperv.spinlocks", set_spinlocks },
                { "spec.domain.features.hyperv.vpindex", set_enabled },
                { "spec.domain.features.hyperv.runtime", set_enabled },
                { "spec.domain.features.hyperv.synic", set_enabled },
                { "spec.domain.features.hyperv.synictimer", set_enabled },
                { "spec.domain.features.hyperv.synictimer.direct", set_enabled },
                { "spec.domain.features.hyperv.reset", set_enabled },
                { "spec.domain.features.hyperv.vendorid", set_enabled },
                { "spec.domain.features.hyperv.frequencies", set_enabled },
                { "spec.domain.features.hyperv.reenlightenment", set_enabled },
                { "spec.domain.features.hyperv.tlbflush", set_enabled },
                { "spec.domain.features.hyperv.tlbflush.direct", set_enabled },
                { "spec.domain.features.hyperv.tlbflush.extended", set_enabled },
                { "spec.domain.features.hyperv.ipi", set_enabled },
                { "spec.domain.features.hyperv.evmcs", set_enabled },
        };

        /* pkg/defaults/s390x.go, setS390xDefaultFeatures: no ACPI there unless it is asked for. */
        if (arch_of(ref_get(ref_of(vmi), "spec")) == ARCH_S390X)
                jvx_set_default_at(vmi, "spec.domain.features.acpi.enabled", jv_false());
        jvx_set_default_at(vmi, "spec.domain.features.acpi", jv_object());
        for (size_t i = 0; i < ARRAY_LEN(states); i++)
                jvx_edit_at(vmi, states[i].field, states[i].set, NULL);
        jvx_each_at(vmi, "spec.domain.devices.gpus", set_ramfb, NULL);
}

/*
 * pkg/defaults/hyperv.go, SetHypervFeatureDependencies: turn on what an enlightenment needs, where
 * nothing is said about that. The first need that is turned off ends it, and the rest is left as it
 * is, evmcs' CPU feature too; such a VM does not pass admission.
 */
void set_hyperv_dependencies(jv *vmi)
{
        static const struct {
                const char *feature, *needs;
        } table[] = {
                /* Leaves first: synictimer may turn synic on, which then needs vpindex. */
                { "evmcs", "vapic" },      { "ipi", "vpindex" },   { "tlbflush", "vpindex" },
                { "synictimer", "synic" }, { "synic", "vpindex" },
        };

        if (!ref_is_set(ref_at(ref_of(vmi), "spec.domain.features.hyperv")))
                return;
        for (size_t i = 0; i < ARRAY_LEN(table); i++) {
                struct ref hyperv = ref_at(ref_of(vmi), "spec.domain.features.hyperv");
                struct ref needed = ref_at(ref_get(hyperv, table[i].needs), "enabled");

                if (!ref_bool(ref_at(ref_get(hyperv, table[i].feature), "enabled"), false) ||
                    ref_bool(needed, false))
                        continue;
                if (ref_is_set(needed))
                        return;
                JVX_AUTO jv edited = ref_copy(hyperv);

                jvx_set(&edited, table[i].needs, jvx_build("{enabled: true}"));
                jvx_set_at(vmi, "spec.domain.features.hyperv", jvx_take(&edited));
        }
        if (ref_bool(ref_at(ref_of(vmi), "spec.domain.features.hyperv.evmcs.enabled"), false))
                require_cpu_feature(vmi, "vmx");
}
