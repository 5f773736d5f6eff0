/* SPDX-License-Identifier: Apache-2.0 */
/* Affinity and topology spread: without effect on one host, but a cluster holds them to rules. */
#include <string.h>

#include "array.h"
#include "buf.h"
#include "jvx.h"
#include "names.h"
#include "rules/rules.h"

static void want_label_key(const struct subject *s, enum diag_code code, const struct path *at,
                           const char *key)
{
        if (!name_is_label_key(key))
                diag_report(s->d, code, at,
                            "'%.100s' is not a label key; use up to 63 letters, digits, '-', '_' "
                            "and '.', behind an optional DNS name and '/'",
                            key);
}

/* How many values an operator takes: ValidateLabelSelectorRequirement of apimachinery,
 * ValidateNodeSelectorRequirement and ValidateNodeFieldSelectorRequirement of
 * validate-k8s-utils.go. */
static const struct operator
{
        const char *name;
        int least, most; /* most -1: any number */
}
label_operators[] = { { "In", 1, -1 },
                      { "NotIn", 1, -1 },
                      { "Exists", 0, 0 },
                      { "DoesNotExist", 0, 0 } },
        node_operators[] = { { "In", 1, -1 },          { "NotIn", 1, -1 }, { "Exists", 0, 0 },
                             { "DoesNotExist", 0, 0 }, { "Gt", 1, 1 },     { "Lt", 1, 1 } },
        field_operators[] = { { "In", 1, 1 }, { "NotIn", 1, 1 } };

static void check_operator(const struct subject *s, enum diag_code code, struct ref req,
                           const struct path *at, const struct operator* table, size_t n)
{
        const char *name = ref_text(req, "operator");
        int values = ref_len(ref_get(req, "values"));

        for (size_t i = 0; i < n; i++) {
                if (strcmp(table[i].name, name) != 0)
                        continue;
                if (values < table[i].least || (table[i].most >= 0 && values > table[i].most))
                        diag_report(s->d, code, AT(at, "values"),
                                    "the operator %s takes %s, not %d", name,
                                    !table[i].most      ? "no values"
                                    : table[i].most < 0 ? "at least one value"
                                                        : "one value",
                                    values);
                return;
        }
        diag_report(s->d, code, AT(at, "operator"), "'%.60s' is not an operator here; use In",
                    name);
}

/* apimachinery's pkg/apis/meta/v1/validation/validation.go, ValidateLabelSelector */
static void check_selector(const struct subject *s, enum diag_code code, struct ref selector,
                           const struct path *at)
{
        REF_EACH(l, ref_get(selector, "matchLabels")) {
                const char *value = ref_str(l.item);

                if (!l.key)
                        break; /* no map: decoding has said so */
                want_label_key(s, code, AT_KEY(AT(at, "matchLabels"), l.key), l.key);
                if (value && !name_is_label_value(value))
                        diag_report(s->d, code, AT_KEY(AT(at, "matchLabels"), l.key),
                                    "'%.100s' is not a label value", value);
        }
        REF_EACH(req, ref_get(selector, "matchExpressions")) {
                const struct path *here = AT_INDEX(AT(at, "matchExpressions"), req.i);

                check_operator(s, code, req.item, here, label_operators,
                               ARRAY_LEN(label_operators));
                want_label_key(s, code, AT(here, "key"), ref_text(req.item, "key"));
                REF_EACH(v, ref_get(req.item, "values"))
                        if (ref_str(v.item) && !name_is_label_value(ref_str(v.item)))
                                diag_report(s->d, code, AT_INDEX(AT(here, "values"), v.i),
                                            "'%.100s' is not a label value", ref_str(v.item));
        }
}

/* validate-k8s-utils.go, ValidateNodeFieldSelectorRequirement: metadata.name is the only field. */
static void check_match_field(const struct subject *s, struct ref req, const struct path *at)
{
        check_operator(s, VMQ_NODE_AFFINITY, req, at, field_operators, ARRAY_LEN(field_operators));
        if (!ref_eq(ref_get(req, "key"), "metadata.name")) {
                diag_report(s->d, VMQ_NODE_AFFINITY, AT(at, "key"),
                            "nodes are chosen by the field metadata.name only, not '%.60s'",
                            ref_text(req, "key"));
                return;
        }
        REF_EACH(v, ref_get(req, "values"))
                if (ref_str(v.item))
                        want_subdomain(s, VMQ_NODE_AFFINITY, AT_INDEX(AT(at, "values"), v.i),
                                       ref_str(v.item));
}

static void check_node_term(const struct subject *s, struct ref term, const struct path *at)
{
        REF_EACH(req, ref_get(term, "matchExpressions")) {
                const struct path *here = AT_INDEX(AT(at, "matchExpressions"), req.i);

                check_operator(s, VMQ_NODE_AFFINITY, req.item, here, node_operators,
                               ARRAY_LEN(node_operators));
                want_label_key(s, VMQ_NODE_AFFINITY, AT(here, "key"), ref_text(req.item, "key"));
        }
        REF_EACH(req, ref_get(term, "matchFields"))
                check_match_field(s, req.item, AT_INDEX(AT(at, "matchFields"), req.i));
}

static void check_weight(const struct subject *s, enum diag_code code, struct ref term,
                         const struct path *at)
{
        long long weight = ref_int(ref_get(term, "weight"), 0);

        if (weight < 1 || weight > 100)
                diag_report(s->d, code, AT(at, "weight"), "a weight is 1 to 100, not %lld", weight);
}

#define REQUIRED  "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

void rule_node_affinity(const struct subject *s)
{
        struct ref affinity = ref_at(s->vmi, "affinity.nodeAffinity");
        struct ref required = ref_get(affinity, REQUIRED);
        struct ref terms = ref_get(required, "nodeSelectorTerms");
        const struct path *at = AT_VMI("affinity.nodeAffinity." REQUIRED ".nodeSelectorTerms");
        const struct path *preferred = AT_VMI("affinity.nodeAffinity." PREFERRED);

        if (ref_is_set(required) && !ref_len(terms))
                report_missing(s, VMQ_NODE_AFFINITY, at, "the list of terms is empty; add one");
        REF_EACH(term, terms)
                check_node_term(s, term.item, AT_INDEX(at, term.i));
        REF_EACH(term, ref_get(affinity, PREFERRED)) {
                check_weight(s, VMQ_NODE_AFFINITY, term.item, AT_INDEX(preferred, term.i));
                check_node_term(s, ref_get(term.item, "preference"),
                                AT(AT_INDEX(preferred, term.i), "preference"));
        }
}

static void check_pod_term(const struct subject *s, struct ref term, const struct path *at)
{
        check_selector(s, VMQ_POD_AFFINITY, ref_get(term, "labelSelector"),
                       AT(at, "labelSelector"));
        check_selector(s, VMQ_POD_AFFINITY, ref_get(term, "namespaceSelector"),
                       AT(at, "namespaceSelector"));
        REF_EACH(ns, ref_get(term, "namespaces"))
                if (ref_str(ns.item))
                        want_label(s, VMQ_POD_AFFINITY, AT_INDEX(AT(at, "namespaces"), ns.i),
                                   ref_str(ns.item));
        if (!*ref_text(term, "topologyKey"))
                report_missing(s, VMQ_POD_AFFINITY, AT(at, "topologyKey"),
                               "the topologyKey is missing; use kubernetes.io/hostname");
        else
                want_label_key(s, VMQ_POD_AFFINITY, AT(at, "topologyKey"),
                               ref_text(term, "topologyKey"));
}

void rule_pod_affinity(const struct subject *s)
{
        static const char *const kinds[] = { "podAffinity", "podAntiAffinity" };

        for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
                struct ref affinity = ref_get(ref_get(s->vmi, "affinity"), kinds[i]);
                const struct path *at = AT(AT_VMI("affinity"), kinds[i]);

                REF_EACH(term, ref_get(affinity, REQUIRED))
                        check_pod_term(s, term.item, AT_INDEX(AT(at, REQUIRED), term.i));
                REF_EACH(term, ref_get(affinity, PREFERRED)) {
                        const struct path *here = AT_INDEX(AT(at, PREFERRED), term.i);

                        check_weight(s, VMQ_POD_AFFINITY, term.item, here);
                        check_pod_term(s, ref_get(term.item, "podAffinityTerm"),
                                       AT(here, "podAffinityTerm"));
                }
        }
}

static void check_spread(const struct subject *s, struct ref c, const struct path *at)
{
        static const char *const actions[] = { "DoNotSchedule", "ScheduleAnyway", NULL };
        const char *action = ref_text(c, "whenUnsatisfiable"), *key = ref_text(c, "topologyKey");

        if (ref_int(ref_get(c, "maxSkew"), 0) <= 0)
                report_missing(s, VMQ_SPREAD, AT(at, "maxSkew"), "maxSkew must be above 0");
        if (!*key)
                report_missing(s, VMQ_SPREAD, AT(at, "topologyKey"),
                               "the topologyKey is missing; use kubernetes.io/hostname");
        else
                want_label_key(s, VMQ_SPREAD, AT(at, "topologyKey"), key);
        if (!*action)
                report_missing(s, VMQ_SPREAD, AT(at, "whenUnsatisfiable"),
                               "the action is missing; use DoNotSchedule or ScheduleAnyway");
        one_of(s, VMQ_SPREAD, AT(at, "whenUnsatisfiable"), action, actions);
        check_selector(s, VMQ_SPREAD, ref_get(c, "labelSelector"), AT(at, "labelSelector"));
}

void rule_topology_spread(const struct subject *s)
{
        JVX_AUTO jv seen = jv_object();

        REF_EACH(c, ref_get(s->vmi, "topologySpreadConstraints")) {
                const struct path *at = AT_INDEX(AT_VMI("topologySpreadConstraints"), c.i);
                BUF_AUTO struct buf pair = BUF_INIT;

                check_spread(s, c.item, at);
                buf_addf(&pair, "%s %s", ref_text(c.item, "topologyKey"),
                         ref_text(c.item, "whenUnsatisfiable"));
                if (ref_is_set(ref_get(ref_of(&seen), pair.s)))
                        diag_report(s->d, VMQ_SPREAD, AT(at, "topologyKey"),
                                    "an earlier constraint has the same {topologyKey, "
                                    "whenUnsatisfiable}; keep one");
                jvx_set(&seen, pair.s, jv_true());
        }
}
