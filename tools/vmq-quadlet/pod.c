/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <string.h>

#include "convert.h"

static bool is_address(const char *s)
{
        unsigned char space[sizeof(struct in6_addr)];

        return inet_pton(AF_INET, s, space) == 1 || inet_pton(AF_INET6, s, space) == 1;
}

/* ---- network ----------------------------------------------------------------------------------
 */

static void add_network(struct convert *c, struct unit *u)
{
        if (ref_bool(ref_get(c->spec, "hostNetwork"), false))
                key_add(c, u, KEY_Network, "host", AT(c->at_spec, "hostNetwork"));
        else if (c->choices->network)
                key_add(c, u, KEY_Network, c->choices->network, NULL);
        else
                key_addf(c, u, KEY_Network, c->at, "%s.network", c->name);
}

static void add_network_unit(struct convert *c)
{
        UNIT_AUTO struct unit u = UNIT_INIT;
        BUF_AUTO struct buf name = BUF_INIT;

        if (c->choices->network || ref_bool(ref_get(c->spec, "hostNetwork"), false))
                return;
        buf_addf(&name, "%s.network", c->name);
        unit_section(&u, "Network");
        file_add_unit(c, name.s, &u, AT(c->at, "metadata.name"));
}

static bool is_host_name(const char *s)
{
        return *s && *s != '.' && *s != '-' &&
               !s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._")];
}

static void add_host_name(struct convert *c, struct unit *u, const char *field)
{
        const char *name = ref_text(c->spec, field);
        const struct path *at = AT(c->at_spec, field);

        if (!*name)
                return;
        if (is_host_name(name))
                key_add(c, u, KEY_HostName, name, at);
        else if (text_ok(c, unit_check(name), at))
                diag_report(c->d, VMQ_POD_VALUE, at, "'%s' is no host name; use a-z, 0-9 and '-'",
                            name);
}

static void add_host_alias(struct convert *c, struct unit *u, struct ref alias,
                           const struct path *at)
{
        const char *ip = ref_text(alias, "ip");

        if (!is_address(ip)) {
                diag_report(c->d, VMQ_POD_VALUE, AT(at, "ip"), "'%s' is no IP address", ip);
                return;
        }
        REF_EACH(h, ref_get(alias, "hostnames")) {
                const struct path *here = AT_INDEX(AT(at, "hostnames"), h.i);

                if (is_host_name(ref_str(h.item)))
                        key_addf(c, u, KEY_AddHost, here, "%s:%s", ref_str(h.item), ip);
                else if (text_ok(c, unit_check(ref_str(h.item)), here))
                        diag_report(c->d, VMQ_POD_VALUE, here, "'%s' is no host name",
                                    ref_str(h.item));
        }
}

/* Podman's containers have the host's name servers, or those that dnsConfig names in their place.
 */
static void check_dns_policy(struct convert *c, struct ref servers)
{
        const char *policy = ref_text(c->spec, "dnsPolicy");
        const struct path *at = AT(c->at_spec, "dnsPolicy");

        if (strcmp(policy, "None") == 0 && ref_len(servers) == 0)
                diag_report(c->d, VMQ_POD_VALUE, at,
                            "None needs dnsConfig.nameservers; name one, or write Default");
        else if (strncmp(policy, "ClusterFirst", 12) == 0 && !c->launcher)
                diag_report(c->d, VMQ_POD_CLUSTER, at, "has no meaning outside a cluster");
        else if (*policy && !c->launcher && strcmp(policy, "None") != 0 &&
                 strcmp(policy, "Default") != 0)
                diag_report(c->d, VMQ_POD_VALUE, at,
                            "'%s' is not one of Default, None, ClusterFirst and "
                            "ClusterFirstWithHostNet",
                            policy);
}

static void add_dns(struct convert *c, struct unit *u)
{
        struct ref dns = ref_get(c->spec, "dnsConfig");
        const struct path *at = AT(c->at_spec, "dnsConfig");

        check_dns_policy(c, ref_get(dns, "nameservers"));

        REF_EACH(n, ref_get(dns, "nameservers")) {
                const struct path *here = AT_INDEX(AT(at, "nameservers"), n.i);

                if (is_address(ref_str(n.item)))
                        key_add(c, u, KEY_DNS, ref_str(n.item), here);
                else
                        diag_report(c->d, VMQ_POD_VALUE, here, "'%s' is no IP address",
                                    ref_str(n.item));
        }
        REF_EACH(s, ref_get(dns, "searches"))
                key_add(c, u, KEY_DNSSearch, ref_str(s.item), AT_INDEX(AT(at, "searches"), s.i));
        REF_EACH(o, ref_get(dns, "options")) {
                const char *value = ref_str(ref_get(o.item, "value"));

                key_addf(c, u, KEY_DNSOption, AT_INDEX(AT(at, "options"), o.i), "%s%s%s",
                         ref_text(o.item, "name"), value ? ":" : "", value ? value : "");
        }
}

/* A hostPort is published by the pod, which owns the network. */
static void add_port(struct convert *c, struct unit *u, struct ref port, const struct path *at)
{
        long long host = ref_int(ref_get(port, "hostPort"), 0);
        long long inside = ref_int(ref_get(port, "containerPort"), 0);
        const char *ip = ref_text(port, "hostIP"), *protocol = ref_text(port, "protocol");
        bool tcp = !*protocol || strcmp(protocol, "TCP") == 0;
        bool six = strchr(ip, ':') != NULL;

        if (inside < 1 || inside > 65535 || host < 0 || host > 65535) {
                diag_report(c->d, VMQ_POD_VALUE, at, "a port is a number from 1 to 65535");
        } else if (!tcp && strcmp(protocol, "UDP") != 0 && strcmp(protocol, "SCTP") != 0) {
                diag_report(c->d, VMQ_POD_VALUE, AT(at, "protocol"),
                            "'%s' is not one of TCP, UDP and SCTP", protocol);
        } else if (*ip && !is_address(ip)) {
                diag_report(c->d, VMQ_POD_VALUE, AT(at, "hostIP"), "'%s' is no IP address", ip);
        } else if (ref_bool(ref_get(c->spec, "hostNetwork"), false)) {
                return; /* it is the host's port already */
        } else if (host) {
                key_addf(c, u, KEY_PublishPort, at, "%s%s%s%s%lld:%lld%s", six ? "[" : "", ip,
                         six ? "]" : "", *ip ? ":" : "", host, inside,
                         tcp                ? ""
                         : *protocol == 'U' ? "/udp"
                                            : "/sctp");
        } else if (!c->launcher) {
                diag_report(c->d, VMQ_POD_PORT, at,
                            "port %lld is not published on the host; add hostPort if it is to be",
                            inside);
        }
}

static void add_ports(struct convert *c, struct unit *u, const char *list)
{
        REF_EACH(k, ref_get(c->spec, list)) {
                const struct path *at = AT_INDEX(AT(c->at_spec, list), k.i);

                REF_EACH(p, ref_get(k.item, "ports"))
                        add_port(c, u, p.item, AT_INDEX(AT(at, "ports"), p.i));
        }
}

/* ---- the rest ---------------------------------------------------------------------------------
 */

/* Namespaces that Kubernetes shares and Podman's pods do not, or the other way round. */
static void add_namespaces(struct convert *c, struct unit *u)
{
        struct ref host_users = ref_get(c->spec, "hostUsers");

        if (ref_bool(ref_get(c->spec, "hostPID"), false))
                key_podman_arg(c, u, "--pid", "host", AT(c->at_spec, "hostPID"));
        else if (ref_bool(ref_get(c->spec, "shareProcessNamespace"), false))
                key_podman_arg(c, u, "--share", "+pid", AT(c->at_spec, "shareProcessNamespace"));
        if (ref_kind(host_users) == JV_KIND_FALSE)
                key_add(c, u, KEY_UserNS, "auto", AT(c->at_spec, "hostUsers"));
}

/* [Pod] has no Sysctl=; Podman splits the value of --sysctl as CSV. */
static void add_sysctl(struct convert *c, struct unit *u, struct ref sysctl, const struct path *at)
{
        BUF_AUTO struct buf pair = BUF_INIT, v = BUF_INIT;
        const char *name = ref_text(sysctl, "name"), *value = ref_text(sysctl, "value");

        if (!*name || strchr(name, '=')) {
                diag_report(c->d, VMQ_POD_VALUE, AT(at, "name"), "'%s' is no sysctl", name);
                return;
        }
        if (!text_ok(c, unit_check(name), AT(at, "name")) ||
            !text_ok(c, unit_check(value), AT(at, "value")) ||
            !text_ok(c, unit_mount_field(&pair, name, value), AT(at, "value")))
                return;
        (void)unit_word(&v, "--sysctl");
        if (text_ok(c, unit_word(&v, pair.s), at))
                systemd_add(u, "Pod", "PodmanArgs", v.s);
}

static void add_labels(struct convert *c, struct unit *u)
{
        if (c->launcher)
                return;
        REF_EACH(l, ref_at(c->pod, "metadata.labels"))
                key_addf(c, u, KEY_PodLabel, AT_KEY(AT(c->at, "metadata.labels"), l.key), "%s=%s",
                         l.key, ref_str(l.item));
}

/* The infra container holds the emptyDirs, so that they outlive a container's restart. */
static void add_empty_dirs(struct convert *c, struct unit *u)
{
        for (size_t i = 0; i < c->volumes.n; i++) {
                const struct volume *v = &c->volumes.list[i];

                if (v->kind == VOLUME_EMPTY)
                        key_addf(c, u, KEY_PodVolume, &v->at, "%s:/.emptydir/%s", v->unit, v->stem);
        }
}

/* A VM that is to be started by hand has no place in default.target. */
static bool starts_at_boot(const struct convert *c)
{
        return c->run != RUN_HALTED && c->run != RUN_MANUAL;
}

static void add_stop_timeout(struct convert *c, struct unit *u)
{
        long long grace = pod_grace(c);

        if (grace < 0)
                return;
        /* Above what its containers have (container.c); Podman before 5.7 stops the pod itself
         * after 10 seconds, when its containers are gone already. */
        key_addf(c, u, KEY_PodStopTimeout, AT(c->at_spec, "terminationGracePeriodSeconds"), "%lld",
                 grace + 30);
        systemd_addf(u, "Service", "TimeoutStopSec", "%lld", grace + 60);
}

static void check_rest(struct convert *c)
{
        struct ref secrets = ref_get(c->spec, "imagePullSecrets");
        const char *os = ref_text(c->spec, "os.name");
        const char *version = ref_text(c->pod, "apiVersion");

        if (*version && strcmp(version, "v1") != 0)
                diag_report(c->d, VMQ_POD_VALUE, AT(c->at, "apiVersion"),
                            "a Pod of '%s' is not one of Kubernetes; its apiVersion is v1",
                            version);
        if (ref_len(secrets) && !c->launcher)
                diag_report(c->d, VMQ_POD_PARTLY, AT(c->at_spec, "imagePullSecrets"),
                            "Podman takes no pull secrets from units; log in with podman login");
        if (*os && strcmp(os, "linux") != 0)
                diag_report(c->d, VMQ_POD_VALUE, AT(c->at_spec, "os.name"),
                            "'%s' does not run under Podman; linux does", os);
}

void pod_units(struct convert *c)
{
        UNIT_AUTO struct unit u = UNIT_INIT;
        BUF_AUTO struct buf name = BUF_INIT;

        systemd_addf(&u, "Unit", "Description", "Pod %s", c->name);
        key_add(c, &u, KEY_PodName, c->name, AT(c->at, "metadata.name"));
        key_add(c, &u, KEY_ExitPolicy, "continue", NULL);
        add_network(c, &u);
        add_host_name(c, &u,
                      *ref_text(c->spec, "hostnameOverride") ? "hostnameOverride" : "hostname");
        REF_EACH(a, ref_get(c->spec, "hostAliases"))
                add_host_alias(c, &u, a.item, AT_INDEX(AT(c->at_spec, "hostAliases"), a.i));
        add_dns(c, &u);
        add_ports(c, &u, "initContainers");
        add_ports(c, &u, "containers");
        add_labels(c, &u);
        add_namespaces(c, &u);
        REF_EACH(s, ref_at(c->spec, "securityContext.sysctls"))
                add_sysctl(c, &u, s.item, AT_INDEX(AT(c->at_spec, "securityContext.sysctls"), s.i));
        resources_add_pod(c, &u);
        add_empty_dirs(c, &u);
        add_stop_timeout(c, &u);
        if (starts_at_boot(c))
                systemd_add(&u, "Install", "WantedBy", "default.target");
        check_rest(c);
        buf_addf(&name, "%s.pod", c->name);
        file_add_unit(c, name.s, &u, AT(c->at, "metadata.name"));
        add_network_unit(c);
}
