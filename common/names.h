/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names - what Kubernetes takes for a name, a label, an address.
 *
 * Each function answers whether the text is one; the rules are those of k8s.io/apimachinery
 * pkg/util/validation/validation.go and of Go's net package, so that a VM which a cluster takes is
 * taken here.
 */
#ifndef VMQ_NAMES_H
#define VMQ_NAMES_H

#include <stdbool.h>

/* a-z, 0-9 and '-', no '-' at the ends, at most 63 bytes (IsDNS1123Label). */
bool name_is_label(const char *s);

/* Such labels, of any length, with dots between, at most 253 bytes (IsDNS1123Subdomain). */
bool name_is_subdomain(const char *s);

/* [subdomain/]name with 1 to 63 letters, digits, '-', '_' and '.' (IsQualifiedName). */
bool name_is_label_key(const char *s);

/* The name part of a label key, or nothing (IsValidLabelValue). */
bool name_is_label_value(const char *s);

/* At most 15 of a-z, 0-9 and '-', one of them a letter (IsValidPortName). */
bool name_is_port(const char *s);

/* An IPv4 address, in IPv6's notation of one too; leading zeros are decimal (ip.h). */
bool name_is_ipv4(const char *s);

/* An IPv4 or IPv6 address without zone. */
bool name_is_ip(const char *s);

/* Bytes of a MAC address in one of the notations of Go's net.ParseMAC (6, 8 or 20); 0 if it is
 * none. */
int name_mac_bytes(const char *s);

/* What can be the name of a container image, and not be taken for an option, a path or a unit's
 * specifier by Podman. Not Kubernetes' rule, which takes any text. */
bool name_is_image(const char *s);

/* 0000:00:00.0 (hw_utils.go ParsePciAddress). */
bool name_is_pci(const char *s);

/* A UUID with or without dashes. */
bool name_is_uuid(const char *s);

/* A decimal number, with a sign or without, that fits in 64 bits (Go's strconv.Atoi); false: none,
 * and *ret is as it was. */
bool name_is_number(const char *s, long long *ret);

/* Decoded length of standard base64, line breaks ignored (Go's StdEncoding); -1 if it is none. */
long name_base64_length(const char *s);

#endif
