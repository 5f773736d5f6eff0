/* SPDX-License-Identifier: Apache-2.0 */
/* Networks and the interfaces on them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "jvx.h"
#include "mem.h"
#include "names.h"
#include "release.h"
#include "rules/rules.h"

static struct ref network_of(const struct subject *s, struct ref nic)
{
        return named(&s->network_at, s->networks, ref_text(nic, "name"));
}

static bool on_pod_network(const struct subject *s, struct ref nic)
{
        return ref_is_set(ref_get(network_of(s, nic), "pod"));
}

void rule_network_default(const struct subject *s)
{
        int pods = 0, defaults = 0;

        REF_EACH(net, s->networks) {
                bool pod = ref_is_set(ref_get(net.item, "pod"));
                bool multus = ref_bool(ref_at(net.item, "multus.default"), false);

                pods += pod;
                defaults += multus;
                if (pod && pods > 1)
                        diag_report(s->d, VMQ_POD_NETWORKS, AT(AT_NETWORK(net.i), "pod"),
                                    "a second pod network; the interfaces of a VM share one");
                if (multus && defaults > 1)
                        diag_report(s->d, VMQ_MULTUS_DEFAULTS,
                                    AT(AT_NETWORK(net.i), "multus.default"),
                                    "a second default Multus network; keep one");
                if ((pod || multus) && pods && defaults && pods <= 1 && defaults <= 1)
                        diag_report(
                                s->d, VMQ_MULTUS_DEFAULTS, AT_NETWORK(net.i),
                                "a pod network and a default Multus network exclude each other; "
                                "keep one");
        }
}

void rule_network_sources(const struct subject *s)
{
        static const char *const kinds[] = { "pod", "multus", "resourceClaim", NULL };

        REF_EACH(net, s->networks) {
                int n = count_set(net.item, kinds);

                if (!n)
                        report_missing(s, VMQ_NETWORK_SOURCE, AT_NETWORK(net.i),
                                       "the network has no kind; add pod: {}");
                else if (n > 1)
                        diag_report(s->d, VMQ_NETWORK_SOURCE, AT_NETWORK(net.i),
                                    "the network has %d kinds; keep pod: {}", n);
                if (ref_is_set(ref_get(net.item, "multus")) &&
                    !*ref_text(net.item, "multus.networkName"))
                        report_missing(s, VMQ_MULTUS_NAME, AT(AT_NETWORK(net.i), "multus"),
                                       "the Multus network has no networkName");
        }
}

void rule_network_names(const struct subject *s)
{
        REF_EACH(net, s->networks) {
                const char *name = ref_text(net.item, "name");
                int first = index_of(&s->network_at, name);
                const struct path *at = AT(AT_NETWORK(net.i), "name");

                if (first >= 0 && first != net.i)
                        diag_report(s->d, VMQ_NETWORK_TWICE, at,
                                    "networks[%d] is called '%.100s' already; name them apart",
                                    first, name);
                if (index_of(&s->interface_at, name) < 0)
                        diag_report(s->d, VMQ_NETWORK_UNUSED, at,
                                    "no interface is on the network '%.100s'; add one to "
                                    "devices.interfaces, or drop the network",
                                    name);
        }
}

void rule_network_dra(const struct subject *s)
{
        REF_EACH(net, s->networks)
                if (ref_is_set(ref_get(net.item, "resourceClaim")))
                        diag_report(s->d, VMQ_NETWORK_DRA, AT(AT_NETWORK(net.i), "resourceClaim"),
                                    "networks from resource claims need the feature gate "
                                    "NetworkDevicesWithDRA, which is off; use pod: {}");
}

void rule_interface_names(const struct subject *s)
{
        static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                      "0123456789-_";

        REF_EACH(nic, s->interfaces) {
                const char *name = ref_text(nic.item, "name");
                const struct path *at = AT(AT_INTERFACE(nic.i), "name");

                if (!*name || name[strspn(name, allowed)])
                        diag_report(s->d, VMQ_INTERFACE_NAME, at,
                                    "'%.100s' is not a name for an interface; use letters, digits, "
                                    "'-' and '_'",
                                    name);
                if (index_of(&s->interface_at, name) >= 0 &&
                    index_of(&s->interface_at, name) != nic.i)
                        diag_report(s->d, VMQ_INTERFACE_TWICE, at,
                                    "another interface is on the network '%.100s' already; give it "
                                    "a network of its own",
                                    name);
                if (index_of(&s->network_at, name) < 0 &&
                    (ref_len(s->networks) || ref_len(s->interfaces)))
                        diag_report(s->d, VMQ_INTERFACE_NETWORK, at,
                                    "there is no network '%.100s'; add {name: %.100s, pod: {}} to "
                                    "spec.template.spec.networks",
                                    name, name);
        }
}

/* --- bindings ------------------------------------------------------------------------------- */

static const char *const old_bindings[] = { "slirp", "passt", "macvtap", NULL };

/* 1.9 wants one binding; 1.8 only does not take a plugin beside another. */
void rule_interface_binding(const struct subject *s)
{
        static const char *const bindings[] = { "bridge",       "masquerade", "sriov",
                                                "passtBinding", "binding",    NULL };
        bool one = release_of(s->settings)->one_binding;

        REF_EACH(nic, s->interfaces) {
                int n = count_set(nic.item, bindings);

                if (!one && (n < 2 || !ref_is_set(ref_get(nic.item, "binding"))))
                        continue;
                /* A binding that was withdrawn has a message of its own. */
                if (n > 1 || (!n && !count_set(nic.item, old_bindings)))
                        report_missing(s, VMQ_BINDING, AT_INTERFACE(nic.i),
                                       n ? "the interface has more than one binding; keep "
                                           "masquerade: {}"
                                         : "the interface has no binding; add masquerade: {}");
        }
}

void rule_interface_binding_old(const struct subject *s)
{
        REF_EACH(nic, s->interfaces)
                for (int i = 0; old_bindings[i]; i++)
                        if (ref_is_set(ref_get(nic.item, old_bindings[i])))
                                diag_report(s->d, VMQ_BINDING_OLD,
                                            AT(AT_INTERFACE(nic.i), old_bindings[i]),
                                            "the %s binding was withdrawn in KubeVirt 1.3; use "
                                            "masquerade: {} or passtBinding: {}",
                                            old_bindings[i]);
}

void rule_interface_binding_network(const struct subject *s)
{
        static const char *const pod_only[] = { "masquerade", "passtBinding" };

        REF_EACH(nic, s->interfaces) {
                for (size_t i = 0; i < ARRAY_LEN(pod_only); i++)
                        if (ref_is_set(ref_get(nic.item, pod_only[i])) &&
                            !on_pod_network(s, nic.item))
                                diag_report(s->d, VMQ_BINDING_NETWORK,
                                            AT(AT_INTERFACE(nic.i), "name"),
                                            "%s works on the pod network only, and '%.100s' is "
                                            "none",
                                            pod_only[i], ref_text(nic.item, "name"));
                if (ref_is_set(ref_get(nic.item, "masquerade")) &&
                    ref_eq(ref_get(nic.item, "macAddress"), "02:00:00:00:00:00"))
                        diag_report(s->d, VMQ_MAC_RESERVED, AT(AT_INTERFACE(nic.i), "macAddress"),
                                    "this address is that of the bridge in the pod; choose another "
                                    "one");
        }
}

static bool is_default_network(struct ref net)
{
        return ref_is_set(ref_get(net, "pod")) || ref_bool(ref_at(net, "multus.default"), false);
}

/* pkg/network/vmispec/network.go, LookUpDefaultNetwork: the first one. */
static const char *default_network(const struct subject *s)
{
        REF_EACH(net, s->networks)
                if (is_default_network(net.item))
                        return ref_text(net.item, "name");
        return NULL;
}

void rule_interface_state(const struct subject *s)
{
        static const char *const known[] = { "up", "down", "absent", NULL };
        const char *standard = default_network(s);

        REF_EACH(nic, s->interfaces) {
                const struct path *at = AT(AT_INTERFACE(nic.i), "state");
                const char *state = ref_text(nic.item, "state");
                bool absent = strcmp(state, "absent") == 0;

                one_of(s, VMQ_INTERFACE_STATE, at, state, known);
                if (ref_is_set(ref_get(nic.item, "sriov")) &&
                    (strcmp(state, "up") == 0 || strcmp(state, "down") == 0))
                        diag_report(s->d, VMQ_INTERFACE_STATE, at,
                                    "the link of an SR-IOV interface cannot be set; drop state");
                if (absent && !ref_is_set(ref_get(nic.item, "bridge")))
                        diag_report(s->d, VMQ_INTERFACE_STATE, at,
                                    "only an interface with bridge binding can be absent");
                if (absent && standard && strcmp(standard, ref_text(nic.item, "name")) == 0)
                        diag_report(s->d, VMQ_INTERFACE_STATE, at,
                                    "the interface of the default network cannot be absent; drop "
                                    "the interface");
        }
}

/* --- fields --------------------------------------------------------------------------------- */

void rule_interface_model(const struct subject *s)
{
        static const char *const known[] = { "virtio",   "e1000", "e1000e",  "igb",
                                             "ne2k_pci", "pcnet", "rtl8139", NULL };

        REF_EACH(nic, s->interfaces)
                one_of(s, VMQ_INTERFACE_MODEL, AT(AT_INTERFACE(nic.i), "model"),
                       ref_text(nic.item, "model"), known);
}

void rule_interface_addresses(const struct subject *s)
{
        REF_EACH(nic, s->interfaces) {
                const char *mac = ref_text(nic.item, "macAddress");
                const char *pci = ref_text(nic.item, "pciAddress");
                int bytes = name_mac_bytes(mac);

                if (*mac && bytes != 6)
                        diag_report(s->d, VMQ_MAC, AT(AT_INTERFACE(nic.i), "macAddress"),
                                    "'%.60s' is %s; write six bytes, 52:54:00:12:34:56", mac,
                                    bytes ? "too long for a MAC address" : "not a MAC address");
                if (*pci && !name_is_pci(pci))
                        diag_report(s->d, VMQ_INTERFACE_PCI, AT(AT_INTERFACE(nic.i), "pciAddress"),
                                    "'%.60s' is not a PCI address; write 0000:81:00.1", pci);
        }
}

static void check_port(const struct subject *s, struct ref port, const struct path *at, jv *names)
{
        static const char *const protocols[] = { "TCP", "UDP", NULL };
        const char *name = ref_text(port, "name");
        long long number = ref_int(ref_get(port, "port"), 0);

        if (*name && ref_is_set(ref_get(ref_of(names), name)))
                diag_report(s->d, VMQ_PORT_NAME, AT(at, "name"),
                            "another port is called '%.60s' already", name);
        if (*name && !name_is_port(name))
                diag_report(s->d, VMQ_PORT_NAME, AT(at, "name"),
                            "'%.60s' is not a port name; use at most 15 of a-z, 0-9 and '-', one a "
                            "letter",
                            name);
        if (*name)
                jvx_set(names, name, jv_true());
        if (!number)
                report_missing(s, VMQ_PORT, AT(at, "port"), "the port has no number");
        else if (number < 0 || number > 65535)
                diag_report(s->d, VMQ_PORT, AT(at, "port"), "%lld is not a port; use 1 to 65535",
                            number);
        one_of(s, VMQ_PORT_PROTOCOL, AT(at, "protocol"), ref_text(port, "protocol"), protocols);
}

void rule_interface_ports(const struct subject *s)
{
        REF_EACH(nic, s->interfaces) {
                JVX_AUTO jv names = jv_object();
                const struct path *at = AT(AT_INTERFACE(nic.i), "ports");

                if (!on_pod_network(s, nic.item))
                        continue;
                REF_EACH(port, ref_get(nic.item, "ports"))
                        check_port(s, port.item, AT_INDEX(at, port.i), &names);
        }
}

void rule_interface_port_ranges(const struct subject *s)
{
        REF_EACH(nic, s->interfaces)
                if (ref_is_set(ref_get(nic.item, "portRanges")))
                        diag_report(s->d, VMQ_PORT_RANGES, AT(AT_INTERFACE(nic.i), "portRanges"),
                                    "portRanges on the interface named '%.100s' need the feature "
                                    "gate PortRangesSpec, which is off; list the ports",
                                    ref_text(nic.item, "name"));
}

static void check_private_options(const struct subject *s, struct ref options,
                                  const struct path *at)
{
        JVX_AUTO jv seen = jv_object();

        REF_EACH(o, options) {
                long long number = ref_int(ref_get(o.item, "option"), 0);
                const struct path *here = AT(AT_INDEX(at, o.i), "option");
                char key[32];

                (void)snprintf(key, sizeof key, "%lld", number);
                if (ref_is_set(ref_get(ref_of(&seen), key)))
                        diag_report(s->d, VMQ_DHCP_OPTION, here,
                                    "the private DHCP option %lld is there already", number);
                jvx_set(&seen, key, jv_true());
                if (number < 224 || number > 254)
                        diag_report(s->d, VMQ_DHCP_OPTION, here,
                                    "%lld is not a private DHCP option; use 224 to 254", number);
        }
}

void rule_interface_dhcp(const struct subject *s)
{
        REF_EACH(nic, s->interfaces) {
                struct ref dhcp = ref_get(nic.item, "dhcpOptions");
                const struct path *at = AT(AT_INTERFACE(nic.i), "dhcpOptions");

                check_private_options(s, ref_get(dhcp, "privateOptions"), AT(at, "privateOptions"));
                REF_EACH(ntp, ref_get(dhcp, "ntpServers")) {
                        const char *ip = ref_str(ntp.item);

                        if (ip && !name_is_ipv4(ip))
                                diag_report(s->d, VMQ_NTP_SERVER,
                                            AT_INDEX(AT(at, "ntpServers"), ntp.i),
                                            "'%.100s' is not an IPv4 address; DHCP hands out "
                                            "addresses only",
                                            ip);
                }
        }
}
