/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ports - which ports of the host are published, and by whom.
 */
#ifndef VMQ_PORTS_H
#define VMQ_PORTS_H

#include <stdbool.h>

#include "buf.h"
#include "claims.h"

/* Append the address as PublishPort= wants it, in brackets if it is IPv6; false if the text is no
 * IPv4 or IPv6 address. */
bool port_address(const char *text, struct buf *out);

/*
 * Take a PublishPort= value ([ADDRESS:]HOST:CONTAINER[/udp], ports may be ranges) for `by`.
 * CLAIM_TAKEN, and `other` is who was it, if somebody has published one of these ports already; on
 * the same address, or one of both on all addresses. Values that leave the host's port to Podman
 * are nobody's. Time and memory do not depend on how many are published, nor on the size of ranges.
 */
enum claim ports_take(struct claims *c, const char *value, const char *by, struct buf *other);

#endif
