/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ip - IP addresses as KubeVirt's API tidies them up when it reads a VM.
 *
 * It takes what Kubernetes once took (netutils.ParseIPSloppy, ParseCIDRSloppy: decimal numbers with
 * leading zeros) and writes it as Go prints addresses: sanitizeIP and sanitizeCIDR in
 * staging/src/kubevirt.io/api/core/v1/sanitizers.go.
 */
#ifndef VMQ_IP_H
#define VMQ_IP_H

#include <stdbool.h>

#include "buf.h"

/* Append the address in its usual form: "10.1.2.3" for "010.001.002.003", "2001:db8::1" for
 * "2001:DB8:0:0:0:0:0:1". False, with nothing appended, if the text is no address. */
bool ip_tidy(const char *text, struct buf *out);

/* The same for "ADDRESS/LENGTH"; the address is kept whole. */
bool ip_tidy_cidr(const char *text, struct buf *out);

#endif
