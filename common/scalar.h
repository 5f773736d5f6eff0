/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar - what a plain YAML scalar means.
 *
 * The rules are those of kubectl: sigs.k8s.io/yaml on go-yaml v2 (resolve.go), which is YAML 1.1
 * with the octal and binary prefixes of Go. So `yes`, `on` and `n` are booleans, `0x1F`, `017`,
 * `0o17`, `0b11` and `1_000` whole numbers, `1e3`, `.5` and `08` floats, `~` is null; dates and
 * numbers with colons (190:20:30) stay texts.
 */
#ifndef VMQ_SCALAR_H
#define VMQ_SCALAR_H

#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

enum scalar_kind {
        SCALAR_TEXT,
        SCALAR_NULL,
        SCALAR_BOOL,
        SCALAR_WHOLE,
        SCALAR_FLOAT,
        SCALAR_NO_NUMBER, /* .inf and .nan, which JSON lacks */
};

struct scalar {
        enum scalar_kind kind;
        bool truth;    /* of SCALAR_BOOL */
        bool negative; /* SCALAR_WHOLE is a sign and a magnitude: Go takes -2^63 to 2^64-1 */
        unsigned long long whole;
        double number; /* of SCALAR_FLOAT and SCALAR_NO_NUMBER */
};

struct scalar scalar_resolve(const char *text);

/* Its JSON value, owned by the caller; text is what it was resolved from. Invalid for
 * SCALAR_NO_NUMBER. */
jv scalar_value(const struct scalar *s, const char *text);

/* Append what it is called as the key of an object: `yes` is "true", 0x10 is "16". False where
 * Kubernetes takes no such key: null, and whole numbers beyond 2^63-1. */
bool scalar_key(const struct scalar *s, const char *text, struct buf *out);

#endif
