/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sha1 - the digest of FIPS 180-4 that KubeVirt makes names and UUIDs from. Not for secrets.
 */
#ifndef VMQ_SHA1_H
#define VMQ_SHA1_H

#include <stddef.h>

#define SHA1_SIZE 20

/* The digest of len bytes. */
void sha1(const void *bytes, size_t len, unsigned char digest[SHA1_SIZE]);

/* The same as 40 lower-case hexadecimal digits and a NUL. */
void sha1_hex(const void *bytes, size_t len, char hex[2 * SHA1_SIZE + 1]);

#endif
