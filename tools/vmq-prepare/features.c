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

/* What is set in a member that is there. */
struct state {
        const char *field;
        void (*set)(jv *, void *);
};

struct states {
        const struct state *rows; /* the last one without a field */
};

static void set_states(jv *object, void *arg)
{
        const struct states *states = arg;

        for (const struct state *s = states->rows; s->field; s++)
                jvx_edit_at(object, s->field, s->set, NULL);
}

/* zz_generated.defaults.go of that folder, SetObjectDefaults_VirtualMachineInstance.
 * (Not hypervPassthrough and kvm, which have no default.) */
void set_feature_states(jv *vmi)
{
        static const struct state timers[] = {
                { "hpet", set_present }, { "kvm", set_present },    { "pit", set_present },
                { "rtc", set_present },  { "hyperv", set_present }, { NULL, NULL },
        };
        static const struct state features[] = {
                { "acpi", set_enabled },       { "apic", set_enabled }, { "smm", set_enabled },
                { "pvspinlock", set_enabled }, { NULL, NULL },
        };
        static const struct state hyperv[] = {
                { "relaxed", set_enabled },
                { "vapic", set_enabled },
                { "spinlocks", set_spinlocks },
                { "vpindex", set_enabled },
                { "runtime", set_enabled },
                { "synic", set_enabled },
                { "synictimer", set_enabled },
                { "synictimer.direct", set_enabled },
                { "reset", set_enabled },
                { "vendorid", set_enabled },
                { "frequencies", set_enabled },
                { "reenlightenment", set_enabled },
                { "tlbflush", set_enabled },
                { "tlbflush.direct", set_enabled },
                { "tlbflush.extended", set_enabled },
                { "ipi", set_enabled },
                { "evmcs", set_enabled },
                { NULL, NULL },
        };

        /* pkg/defaults/s390x.go, setS390xDefaultFeatures: no ACPI there unless it is asked for. */
        if (arch_of(ref_get(ref_of(vmi), "spec")) == ARCH_S390X)
                jvx_set_default_at(vmi, "spec.domain.features.acpi.enabled", jv_false());
        jvx_set_default_at(vmi, "spec.domain.features.acpi", jv_object());
        jvx_edit_at(vmi, "spec.domain.clock.timer", set_states, &(struct states){ timers });
        jvx_edit_at(vmi, "spec.domain.features", set_states, &(struct states){ features });
        jvx_edit_at(vmi, "spec.domain.features.hyperv", set_states, &(struct states){ hyperv });
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
