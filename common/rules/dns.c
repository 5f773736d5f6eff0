/* SPDX-License-Identifier: Apache-2.0 */
/* dnsPolicy and dnsConfig. */
#include <string.h>

#include "names.h"
#include "rules/rules.h"

void rule_dns_policy(const struct subject *s)
{
        static const char *const known[] = { "ClusterFirst", "ClusterFirstWithHostNet", "Default",
                                             "None", NULL };
        struct ref config = ref_get(s->vmi, "dnsConfig");

        one_of(s, VMQ_DNS_POLICY, AT_VMI("dnsPolicy"), ref_text(s->vmi, "dnsPolicy"), known);
        if (!ref_eq(ref_get(s->vmi, "dnsPolicy"), "None"))
                return;
        if (!ref_is_set(config))
                report_missing(
                        s, VMQ_DNS_NONE, AT_VMI("dnsPolicy"),
                        "dnsPolicy None leaves the guest without name servers; add dnsConfig");
        else if (!ref_len(ref_get(config, "nameservers")))
                diag_report(s->d, VMQ_DNS_NONE, AT_VMI("dnsConfig.nameservers"),
                            "dnsPolicy None needs at least one name server");
}

void rule_dns_nameservers(const struct subject *s)
{
        struct ref servers = ref_at(s->vmi, "dnsConfig.nameservers");
        const struct path *at = AT_VMI("dnsConfig.nameservers");

        if (ref_len(servers) > 3)
                diag_report(s->d, VMQ_DNS_NAMESERVERS, at,
                            "%d name servers are more than a resolver asks; keep 3",
                            ref_len(servers));
        REF_EACH(ns, servers) {
                const char *ip = ref_str(ns.item);

                if (ip && !name_is_ip(ip))
                        diag_report(s->d, VMQ_DNS_NAMESERVERS, AT_INDEX(at, ns.i),
                                    "'%.100s' is not an IP address", ip);
        }
}

void rule_dns_searches(const struct subject *s)
{
        struct ref searches = ref_at(s->vmi, "dnsConfig.searches");
        const struct path *at = AT_VMI("dnsConfig.searches");
        size_t len = 0;

        REF_EACH(search, searches) {
                const char *name = ref_str(search.item);

                if (!name)
                        continue;
                len += strlen(name) + (search.i > 0);
                if (!name_is_subdomain(name))
                        diag_report(s->d, VMQ_DNS_SEARCHES, AT_INDEX(at, search.i),
                                    "'%.100s' is not a DNS name (searchDomains); use a-z, 0-9, '-' "
                                    "and '.'",
                                    name);
        }
        if (ref_len(searches) > 6)
                diag_report(s->d, VMQ_DNS_SEARCHES, at,
                            "%d search paths (searchDomains) are too many; keep 6",
                            ref_len(searches));
        if (len > 256)
                diag_report(s->d, VMQ_DNS_SEARCHES, at,
                            "%zu characters of search paths (searchDomains) are too many; keep 256",
                            len);
}

void rule_dns_options(const struct subject *s)
{
        REF_EACH(o, ref_at(s->vmi, "dnsConfig.options"))
                if (!*ref_text(o.item, "name"))
                        report_missing(s, VMQ_DNS_OPTIONS,
                                       AT(AT_INDEX(AT_VMI("dnsConfig.options"), o.i), "name"),
                                       "the option has no name; write ndots, or drop it");
}
