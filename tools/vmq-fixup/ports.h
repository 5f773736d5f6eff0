/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ports - which ports of the host are published, and by whom.
 */
#ifndef VMQ_PORTS_H
#define VMQ_PORTS_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

struct port {
        char *address; /* without brackets; "": all of them */
        int from, to;  /* on the host, both included */
        bool udp;
        char *by; /* who: "FILE:LINE" */
};

struct ports {
        struct port *ports;
        size_t n, cap;
};

/* Append the address as PublishPort= wants it, in brackets if it is IPv6; false if the text is no
 * IPv4 or IPv6 address. */
bool port_address(const char *text, struct buf *out);

/*
 * Take a PublishPort= value ([ADDRESS:]HOST:CONTAINER[/udp], ports may be ranges) for `by`. Returns
 * who has published one of these ports already; NULL, and it is noted down, if nobody has. Values
 * that leave the host's port to Podman are nobody's.
 */
const char *ports_take(struct ports *p, const char *value, const char *by);

void ports_release(struct ports *p);

#endif
