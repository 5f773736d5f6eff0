/* SPDX-License-Identifier: Apache-2.0 */
#include "quadlet.h"

#include <string.h>

#include "array.h"
#include "jvx.h"
#include "pod_size.h"

void quadlet_choose(const struct settings *s, struct choices *choices)
{
        const char *group = setting_text(s, SET_KVM_GROUP);
        const char *podman = setting_text(s, SET_PODMAN);
        const char *network = setting_text(s, SET_NETWORK);
        const char *names = setting_text(s, SET_VOLUME_NAMES);

        *choices = (struct choices){
                .podman = podman[strlen(podman) - 1] - '0',
                .network = network && *network ? network : NULL,
                .kvm_group = group && *group ? group : NULL,
                .claim_names = strcmp(names, "claim") == 0,
        };
}

/* KubeVirt's Pod of a VM: the item has the VM, or the Pod says so (services/template.go labels
 * every virt-launcher Pod kubevirt.io=virt-launcher). */
static bool is_launcher(struct ref item, struct ref pod)
{
        struct ref labels = ref_at(pod, "metadata.labels");

        return ref_is_set(ref_get(item, "vmi")) || ref_is_set(ref_get(item, "vm")) ||
               ref_eq(ref_get(labels, "kubevirt.io"), "virt-launcher");
}

/* KubeVirt's VirtualMachineSpec: runStrategy, or the older running (api core/v1/types.go). */
static enum run_strategy run_strategy_of(struct ref vm)
{
        static const struct {
                const char *name;
                enum run_strategy run;
        } names[] = {
                { "Always", RUN_ALWAYS }, { "RerunOnFailure", RUN_RERUN_ON_FAILURE },
                { "Once", RUN_ONCE },     { "Manual", RUN_MANUAL },
                { "Halted", RUN_HALTED }, { "WaitAsReceiver", RUN_HALTED },
        };
        struct ref running = ref_at(vm, "spec.running");
        const char *strategy = ref_text(vm, "spec.runStrategy");

        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (strcmp(names[i].name, strategy) == 0)
                        return names[i].run;
        if (ref_kind(running) == JV_KIND_TRUE)
                return RUN_ALWAYS;
        return ref_kind(running) == JV_KIND_FALSE ? RUN_HALTED : RUN_POD;
}

/*
 * vmq-adapt tells what a Pod can't say: {main: NAME, again: [NAME], beside: [NAME], optional:
 * [VOLUME]}. A Pod of a VM that comes without has the names that KubeVirt and vmq-adapt give.
 */
bool hint_has(const struct convert *c, const char *list, const char *name)
{
        static const char *const known[][2] = { { "main", "compute" },
                                                { "again", "virt-handler-dir-init" },
                                                { "optional", "vhost-net" } };
        struct ref hint = ref_get(c->hints, list);

        if (!c->launcher)
                return false;
        REF_EACH(h, hint)
                if (ref_eq(h.item, name))
                        return true;
        if (ref_is_set(c->hints))
                return ref_eq(hint, name);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
                if (strcmp(known[i][0], list) == 0)
                        return strcmp(known[i][1], name) == 0;
        return false;
}

/* Units name each other, so all names are looked at before the first is made. */
static bool names_ok(struct convert *c)
{
        static const char *const lists[] = { "initContainers", "containers", "volumes" };
        bool good = file_name_ok(c, c->name, AT(c->at, "metadata.name"));

        for (size_t i = 0; i < ARRAY_LEN(lists); i++)
                REF_EACH(e, ref_get(c->spec, lists[i]))
                        good &= file_name_ok(c, ref_text(e.item, "name"),
                                             AT(AT_INDEX(AT(c->at_spec, lists[i]), e.i), "name"));
        return good;
}

static void convert(struct convert *c)
{
        if (!pod_size_holds(c->spec, c->at_spec, c->d))
                return;
        fields_check(c);
        if (diag_failed(c->d))
                return;
        if (!*c->name) {
                diag_report(c->d, VMQ_POD_VALUE, AT(c->at, "metadata.name"),
                            "a Pod needs a name; all units begin with it");
                return;
        }
        if (!names_ok(c))
                return;
        volume_table_make(c);
        volume_units(c);
        pod_units(c);
        container_units(c);
}

/* Does a member of an object, which may refer to an object of a kind, name one that is not there?
 */
static bool names_unknown(const char *member, struct ref value, const jv *configs)
{
        static const char *const references[][3] = {
                { "configMapKeyRef", "name", "ConfigMap" },
                { "configMapRef", "name", "ConfigMap" },
                { "configMap", "name", "ConfigMap" },
                { "secretKeyRef", "name", "Secret" },
                { "secretRef", "name", "Secret" },
                { "secret", "secretName", "Secret" },
                { "secret", "name", "Secret" },
        };

        for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
                if (strcmp(member, references[i][0]) != 0)
                        continue;
                const char *name = ref_text(value, references[i][1]);

                if (*name && !ref_is_set(ref_get(ref_get(ref_of(configs), references[i][2]), name)))
                        return true;
        }
        return false;
}

static bool has_unknown(struct ref v, const jv *configs)
{
        if (ref_kind(v) == JV_KIND_OBJECT || ref_kind(v) == JV_KIND_ARRAY)
                REF_EACH(m, v)
                        if ((m.key && names_unknown(m.key, m.item, configs)) ||
                            has_unknown(m.item, configs))
                                return true;
        return false;
}

/* Volumes and the environment of containers name such objects; what else does (imagePullSecrets) is
 * not converted. */
bool quadlet_misses(struct ref pod, const jv *configs)
{
        static const char *const lists[] = { "initContainers", "containers",
                                             "ephemeralContainers" };
        struct ref spec = ref_get(pod, "spec");

        if (has_unknown(ref_get(spec, "volumes"), configs))
                return true;
        for (size_t i = 0; i < ARRAY_LEN(lists); i++)
                REF_EACH(k, ref_get(spec, lists[i]))
                        if (has_unknown(ref_get(k.item, "env"), configs) ||
                            has_unknown(ref_get(k.item, "envFrom"), configs))
                                return true;
        return false;
}

void quadlet_convert(jv *item, bool bare, const jv *configs, const struct choices *choices,
                     struct keys *keys, struct diag *d)
{
        struct ref whole = ref_with(item, keys), pod = ref_get(whole, "pod");
        /* A bare Pod is the document itself; one in a work item is below `pod`. */
        const struct path in_item = { .key = "pod" };
        const struct path *at = bare ? NULL : &in_item;
        struct convert c = {
                .pod = pod,
                .spec = ref_get(pod, "spec"),
                .at = at,
                .at_spec = AT(at, "spec"),
                .at_volumes = AT(AT(at, "spec"), "volumes"),
                .choices = choices,
                .configs = ref_of(configs),
                .d = d,
                .hints = ref_get(whole, "run"),
                .name = ref_text(pod, "metadata.name"),
                .launcher = is_launcher(whole, pod),
                .run = run_strategy_of(ref_get(whole, "vm")),
                .volumes = { .list = NULL },
                .units = jv_array(),
                .late = jv_array(),
        };

        if (ref_kind(pod) == JV_KIND_OBJECT)
                convert(&c);
        else
                diag_report(d, VMQ_ITEM, AT(NULL, "pod"),
                            "there is no pod in the item; run vmq-render and vmq-adapt first");
        files_release(&c);
        volume_table_release(&c.volumes);
        jvx_set(item, "units", jvx_concat(c.units, c.late));
}
