/* SPDX-License-Identifier: Apache-2.0 */
/* The VirtualMachine around its template: names, run strategy, metadata. */
#include <string.h>

#include "mem.h"
#include "names.h"
#include "rules/rules.h"

void rule_template(const struct subject *s)
{
        if (!ref_is_set(s->template))
                report_missing(s, VMQ_TEMPLATE, AT_SPEC("template"),
                               "there is no template; describe the guest in spec.template.spec");
}

void rule_vm_name(const struct subject *s)
{
        if (!*s->name)
                report_missing(s, VMQ_VM_NAME, AT(NULL, "metadata.name"),
                               "the VirtualMachine has no name; the units are named after it");
        else
                want_subdomain(s, VMQ_VM_NAME, AT(NULL, "metadata.name"), s->name);
}

void rule_namespace(const struct subject *s)
{
        const char *namespace = ref_text(s->vm, "metadata.namespace");

        if (*namespace)
                want_label(s, VMQ_NAMESPACE, AT(NULL, "metadata.namespace"), namespace);
}

void rule_run_strategy(const struct subject *s)
{
        static const char *const known[] = { "Halted",         "Manual", "Always",
                                             "RerunOnFailure", "Once",   NULL };
        bool running = ref_is_set(ref_get(s->spec, "running"));
        struct ref strategy = ref_get(s->spec, "runStrategy");

        if (running && ref_is_set(strategy))
                diag_report(s->d, VMQ_RUN_TWICE, AT_SPEC("running"),
                            "running and runStrategy exclude each other; keep runStrategy");
        if (!running && !ref_is_set(strategy))
                report_missing(s, VMQ_RUN_MISSING, AT_SPEC("runStrategy"),
                               "neither runStrategy nor running is there; add runStrategy: Always");
        if (ref_eq(strategy, "WaitAsReceiver"))
                diag_report(s->d, VMQ_RUN_STRATEGY, AT_SPEC("runStrategy"),
                            "WaitAsReceiver waits for a migration from another cluster, and its "
                            "feature gate DecentralizedLiveMigration is off; use Always");
        else if (ref_is_set(strategy) && !*ref_text(s->spec, "runStrategy"))
                diag_report(s->d, VMQ_RUN_STRATEGY, AT_SPEC("runStrategy"),
                            "the value is empty; use Always, Halted, Manual, RerunOnFailure or "
                            "Once");
        else
                one_of(s, VMQ_RUN_STRATEGY, AT_SPEC("runStrategy"),
                       ref_text(s->spec, "runStrategy"), known);
        if (running)
                diag_report(s->d, VMQ_RUNNING_OLD, AT_SPEC("running"),
                            "running is deprecated; write runStrategy: %s",
                            ref_bool(ref_get(s->spec, "running"), false) ? "Always" : "Halted");
}

/* restrictedVmiLabels of vmi-create-admitter.go */
void rule_reserved_labels(const struct subject *s)
{
        static const char *const reserved[] = { "kubevirt.io/created-by",
                                                "kubevirt.io/migrationJobUID",
                                                "kubevirt.io/nodeName",
                                                "kubevirt.io/migrationTargetNodeName",
                                                "kubevirt.io/schedulable",
                                                "kubevirt.io/install-strategy",
                                                NULL };
        struct ref labels = ref_at(s->template, "metadata.labels");

        for (int i = 0; reserved[i]; i++)
                if (ref_kind(ref_get(labels, reserved[i])) != JV_KIND_INVALID)
                        diag_report(s->d, VMQ_RESERVED_LABEL,
                                    AT_KEY(AT(NULL, "spec.template.metadata.labels"), reserved[i]),
                                    "this label is KubeVirt's own; remove it");
}

static void check_labels(const struct subject *s, struct ref labels, const struct path *at)
{
        REF_EACH(l, labels) {
                const char *value = ref_str(l.item);

                if (!l.key)
                        return; /* no map: decoding has said so */
                if (!name_is_label_key(l.key))
                        diag_report(s->d, VMQ_LABEL, AT_KEY(at, l.key),
                                    "not a label key; use up to 63 letters, digits, '-', '_' and "
                                    "'.', behind an optional DNS name and '/'");
                if (value && !name_is_label_value(value))
                        diag_report(s->d, VMQ_LABEL, AT_KEY(at, l.key),
                                    "'%.100s' is not a label value; use up to 63 letters, digits, "
                                    "'-', '_' and '.'",
                                    value);
        }
}

void rule_labels(const struct subject *s)
{
        check_labels(s, ref_at(s->vm, "metadata.labels"), AT(NULL, "metadata.labels"));
        check_labels(s, ref_at(s->template, "metadata.labels"),
                     AT(NULL, "spec.template.metadata.labels"));
}

#define ANNOTATIONS_MOST (256 << 10) /* bytes of all keys and values */

/* A label key but for its case. */
static bool is_annotation_key(const char *key)
{
        MEM_AUTO char *lower = mem_strdup(key);

        for (char *p = lower; *p; p++)
                if (*p >= 'A' && *p <= 'Z')
                        *p = (char)(*p - 'A' + 'a');
        return name_is_label_key(lower);
}

void rule_annotations(const struct subject *s)
{
        const struct path *at = AT(NULL, "metadata.annotations");
        size_t size = 0;

        REF_EACH(a, ref_at(s->vm, "metadata.annotations")) {
                const char *value = ref_str(a.item);

                if (!a.key)
                        return; /* no map: decoding has said so */
                size += strlen(a.key) + (value ? strlen(value) : 0);
                if (!is_annotation_key(a.key))
                        diag_report(s->d, VMQ_ANNOTATION, AT_KEY(at, a.key),
                                    "not an annotation's key; use up to 63 letters, digits, '-', "
                                    "'_' and '.', behind an optional DNS name and '/'");
        }
        if (size > ANNOTATIONS_MOST)
                diag_report(s->d, VMQ_ANNOTATION, at,
                            "%zu bytes of annotations, and %d are allowed; remove some", size,
                            ANNOTATIONS_MOST);
}

void rule_annotation_gates(const struct subject *s)
{
        const struct path *at = AT(NULL, "spec.template.metadata.annotations");
        struct ref annotations = ref_at(s->template, "metadata.annotations");
        const char *hooks = ref_str(ref_get(annotations, "hooks.kubevirt.io/hookSidecars"));
        const char *ignition = ref_str(ref_get(annotations, "kubevirt.io/ignitiondata"));

        if (hooks && *hooks)
                diag_report(
                        s->d, VMQ_HOOK_SIDECARS, AT_KEY(at, "hooks.kubevirt.io/hookSidecars"),
                        "hook sidecars need the feature gate Sidecar, which is off, and the guest "
                        "runs without them; remove the annotation");
        if (ignition && *ignition)
                diag_report(s->d, VMQ_IGNITION, AT_KEY(at, "kubevirt.io/ignitiondata"),
                            "Ignition data needs the feature gate ExperimentalIgnitionSupport, "
                            "which is off; use a cloudInitConfigDrive volume");
}

void rule_hostname(const struct subject *s)
{
        const char *hostname = ref_text(s->vmi, "hostname");

        if (*hostname)
                want_label(s, VMQ_HOSTNAME, AT_VMI("hostname"), hostname);
}

void rule_subdomain(const struct subject *s)
{
        const char *subdomain = ref_text(s->vmi, "subdomain");

        if (*subdomain)
                want_subdomain(s, VMQ_SUBDOMAIN, AT_VMI("subdomain"), subdomain);
}

void rule_service_account_name(const struct subject *s)
{
        const char *name = ref_text(s->vmi, "serviceAccountName");

        if (!*name)
                return;
        want_subdomain(s, VMQ_SERVICE_ACCOUNT_NAME, AT_VMI("serviceAccountName"), name);
        REF_EACH(vol, s->volumes) {
                struct ref account = ref_get(vol.item, "serviceAccount");
                const char *other = ref_text(account, "serviceAccountName");

                if (!ref_is_set(account) || strcmp(name, other) == 0)
                        continue;
                diag_report(s->d, VMQ_SERVICE_ACCOUNT_TWO, AT_VMI("serviceAccountName"),
                            "the VM runs as '%.100s' and mounts the token of '%.100s'; name one "
                            "service account",
                            name, other);
                break;
        }
}

void rule_start_strategy(const struct subject *s)
{
        static const char *const known[] = { "Paused", NULL };
        struct ref strategy = ref_get(s->vmi, "startStrategy");

        if (!ref_is_set(strategy))
                return;
        if (!ref_eq(strategy, "Paused")) {
                if (ref_eq(strategy, ""))
                        diag_report(s->d, VMQ_START_STRATEGY, AT_VMI("startStrategy"),
                                    "the value is empty; use Paused or leave it out");
                one_of(s, VMQ_START_STRATEGY, AT_VMI("startStrategy"),
                       ref_text(s->vmi, "startStrategy"), known);
                return;
        }
        if (ref_is_set(ref_get(s->vmi, "livenessProbe")))
                diag_report(s->d, VMQ_PAUSED_LIVENESS, AT_VMI("startStrategy"),
                            "a guest that starts paused fails its livenessProbe; drop one of the "
                            "two");
}

void rule_eviction_strategy(const struct subject *s)
{
        static const char *const known[] = { "LiveMigrate", "LiveMigrateIfPossible", "None",
                                             "External", NULL };
        struct ref strategy = ref_get(s->vmi, "evictionStrategy");

        if (ref_eq(strategy, ""))
                diag_report(s->d, VMQ_EVICTION_STRATEGY, AT_VMI("evictionStrategy"),
                            "the value is empty; leave it out");
        one_of(s, VMQ_EVICTION_STRATEGY, AT_VMI("evictionStrategy"),
               ref_text(s->vmi, "evictionStrategy"), known);
}

void rule_architecture(const struct subject *s)
{
        static const char *const known[] = { "amd64", "arm64", "s390x", NULL };

        one_of(s, VMQ_ARCHITECTURE, AT_VMI("architecture"), s->arch, known);
}
