/* SPDX-License-Identifier: Apache-2.0 */
/* Probes of the guest. */
#include "array.h"
#include "rules/rules.h"

static const char *const probes[] = { "readinessProbe", "livenessProbe" };

void rule_probe_handlers(const struct subject *s)
{
        static const char *const handlers[] = { "httpGet", "tcpSocket", "exec", "guestAgentPing",
                                                NULL };

        for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
                struct ref probe = ref_get(s->vmi, probes[i]);
                const struct path *at = AT(AT(NULL, "spec.template.spec"), probes[i]);
                int n = count_set(probe, handlers);

                if (!ref_is_set(probe) || n == 1)
                        continue;
                if (n)
                        diag_report(s->d, VMQ_PROBE, at,
                                    "httpGet, tcpSocket, exec and guestAgentPing exclude each "
                                    "other; keep one");
                else
                        report_missing(s, VMQ_PROBE, at,
                                       "the probe probes nothing; add httpGet, tcpSocket, exec or "
                                       "guestAgentPing");
        }
}

void rule_probe_network(const struct subject *s)
{
        static const char *const handlers[] = { "httpGet", "tcpSocket" };

        if (s->pod_network)
                return;
        for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
                for (size_t h = 0; h < ARRAY_LEN(handlers); h++) {
                        struct ref probe = ref_get(s->vmi, probes[i]);

                        if (ref_is_set(ref_get(probe, handlers[h])))
                                diag_report(s->d, VMQ_PROBE_NETWORK,
                                            AT(AT(AT(NULL, "spec.template.spec"), probes[i]),
                                               handlers[h]),
                                            "the probe goes over the pod network, and the guest is "
                                            "not on it; add a network with pod: {}");
                }
        }
}
