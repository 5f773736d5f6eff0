/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <string.h>

#include "buf.h"
#include "jvx.h"
#include "mem.h"
#include "parts.h"

/* The folder where the proxies look for the sockets. virt-launcher makes it under the VM's UID,
 * which is the namespace: where that is another, dir-init puts a link here that follows it (D13).
 */
#define SOCKETS "default"

struct proxy {
        const char *name;
        enum setting on, port, image;
        const char *socket; /* in virt-launcher's folder of the VM */
        const char *device; /* of spec.domain.devices: false switches the socket off */
        const char *what;
};

static const struct proxy proxies[] = {
        { "console-proxy", SET_CONSOLE_PROXY, SET_CONSOLE_PORT, SET_CONSOLE_IMAGE, "virt-serial0",
          "autoattachSerialConsole", "serial console" },
        { "vnc-proxy", SET_VNC_PROXY, SET_VNC_PORT, SET_VNC_IMAGE, "virt-vnc",
          "autoattachGraphicsDevice", "VNC console" },
};

/* The volume that compute mounts at /var/run/kubevirt-private; NULL if there is none. */
static const char *private_volume(const struct pod *p)
{
        REF_EACH(c, ref_get(pod_view(p, &p->compute), "volumeMounts")) {
                if (ref_eq(ref_get(c.item, "mountPath"), POD_PRIVATE))
                        return ref_str(ref_get(c.item, "name"));
        }
        return NULL;
}

/* The UID of the VM, which names virt-launcher's folder. A Pod of KubeVirt has it as a label too.
 */
static const char *uid_of(const struct pod *p)
{
        const char *uid = ref_text(p->vmi, "metadata.uid");

        if (!*uid)
                uid = ref_str(ref_get(ref_at(pod_view(p, &p->object), "metadata.labels"),
                                      "kubevirt.io/created-by"));
        return uid && *uid ? uid : SOCKETS;
}

/* False after a report if the UID would not stay the name of one folder. */
static bool check_uid(const struct pod *p)
{
        if (pod_plain(uid_of(p)))
                return true;
        diag_report(p->diag, VMQ_ADAPT_DOMAIN, AT(NULL, "metadata.uid"),
                    "cannot be part of a socket's path; use letters, digits and '-'");
        return false;
}

const char *adapt_socket_folder(const struct pod *p)
{
        bool any = false;

        for (size_t i = 0; i < ARRAY_LEN(proxies); i++)
                any = any || setting_on(p->settings, proxies[i].on);
        return any && strcmp(uid_of(p), SOCKETS) != 0 && pod_plain(uid_of(p)) ? uid_of(p) : NULL;
}

static bool is_wildcard(const char *address)
{
        return strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0 || !*address;
}

/* Note that the Pod publishes the port; false after a report if another of the stream does. */
static bool take_port(struct pod *p, int port, const char *address)
{
        struct adapt *a = p->self;

        for (size_t i = 0; i < a->n; i++) {
                const struct adapt_port *other = &a->ports[i];

                if (other->port != port || (strcmp(other->address, address) != 0 &&
                                            !is_wildcard(other->address) && !is_wildcard(address)))
                        continue;
                diag_report(p->diag, VMQ_ADAPT_PORT, NULL,
                            "port %d is published by %s already; give a port of its own with "
                            "--vnc-port or --console-port",
                            port,
                            strcmp(other->owner, pod_name(p)) == 0 ? "the other proxy"
                                                                   : other->owner);
                return false;
        }
        MEM_GROW(a->ports, a->n, a->cap);
        a->ports[a->n++] = (struct adapt_port){ .port = port,
                                                .address = mem_strdup(address),
                                                .owner = mem_strdup(pod_name(p)) };
        return true;
}

/* Is it an address? Says which kind. */
static bool check_address(const struct pod *p, const char *address, bool *ret_v6)
{
        unsigned char bytes[sizeof(struct in6_addr)];

        *ret_v6 = inet_pton(AF_INET6, address, bytes) == 1;
        if (*ret_v6 || inet_pton(AF_INET, address, bytes) == 1)
                return true;
        diag_report(p->diag, VMQ_ADAPT_ADDRESS, NULL,
                    "--publish-address: '%s' is no address; give one of the host, as 127.0.0.1",
                    address);
        return false;
}

/* socat's two addresses. In the Pod's own network it listens everywhere, since the port is
 * published on one address of the host; in the host's network it must not. */
static void add_proxy(struct pod *p, const struct proxy *proxy, const char *volume)
{
        const char *address = setting_text(p->settings, SET_PUBLISH_ADDRESS);
        const char *network = setting_text(p->settings, SET_NETWORK);
        int port = setting_int(p->settings, proxy->port);
        bool v6;
        BUF_AUTO struct buf listen = BUF_INIT;
        BUF_AUTO struct buf socket = BUF_INIT;

        if (!address)
                address = "";
        if (!check_address(p, address, &v6) || !take_port(p, port, address))
                return;
        if (network && strcmp(network, "host") == 0)
                buf_addf(&listen,
                         v6 ? "TCP6-LISTEN:%d,fork,reuseaddr,bind=[%s]"
                            : "TCP-LISTEN:%d,fork,reuseaddr,bind=%s",
                         port, address);
        else
                buf_addf(&listen, "TCP-LISTEN:%d,fork,reuseaddr", port);
        buf_addf(&socket, "UNIX:" POD_PRIVATE "/" SOCKETS "/%s", proxy->socket);
        pod_add_container(p, jvx_build("{name: %s, image: %s, command: ['socat', %s, %s],"
                                       " volumeMounts: [{name: %s, mountPath: %s}]}",
                                       proxy->name, setting_text(p->settings, proxy->image),
                                       listen.s, socket.s, volume, POD_PRIVATE));
}

void adapt_proxies(struct pod *p)
{
        for (size_t i = 0; i < ARRAY_LEN(proxies); i++) {
                const struct proxy *proxy = &proxies[i];
                const char *volume = private_volume(p);

                if (!setting_on(p->settings, proxy->on))
                        continue;
                if (!volume) {
                        diag_report(p->diag, VMQ_ADAPT_PROXY, NULL,
                                    "--%s: nothing is mounted at " POD_PRIVATE "; left out",
                                    proxy->name);
                        continue;
                }
                if (!ref_bool(ref_get(ref_at(p->vmi, "spec.domain.devices"), proxy->device), true))
                        diag_report(
                                p->diag, VMQ_ADAPT_PROXY,
                                AT(AT(NULL, "spec.template.spec.domain.devices"), proxy->device),
                                "the VM has no %s, --%s will find no socket; leave out one of the "
                                "two",
                                proxy->what, proxy->name);
                if (!check_uid(p))
                        return;
                add_proxy(p, proxy, volume);
        }
}
