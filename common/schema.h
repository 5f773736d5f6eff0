/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schema - KubeVirt's API as tables (decode.h holds a value against them).
 *
 * A struct type is a Go struct of KubeVirt's API (or of what it borrows from Kubernetes and CDI), a
 * struct field is one of its JSON members. The tables are in common/types/, in the order and under
 * the names of the Go files, one array a struct:
 *
 *      static const struct field tpm_device_fields[] = {
 *              BOOL("enabled", F_POINTER),
 *              BOOL("persistent", F_POINTER),
 *      };
 *      TYPE(tpm_device, "TPMDevice");
 *
 * What is not in a table is not in the API. docs/fields.md is printed from them.
 */
#ifndef VMQ_SCHEMA_H
#define VMQ_SCHEMA_H

#include <stddef.h>

#include "array.h"
#include "buf.h"

enum field_kind {
        FIELD_TEXT,
        FIELD_BOOL,
        FIELD_INT32,
        FIELD_INT64,
        FIELD_UINT32,
        FIELD_UINT64,
        FIELD_QUANTITY,      /* resource.Quantity: quantity.h */
        FIELD_INT_OR_STRING, /* a port by number or name */
        FIELD_TIME,          /* RFC 3339 */
        FIELD_OBJECT,        /* of field.type */
        FIELD_ANY,           /* taken as it is */
};

enum field_flag {
        F_LIST = 1 << 0,     /* a list of the kind */
        F_MAP = 1 << 1,      /* a map from text to the kind */
        F_POINTER = 1 << 2,  /* a zero that was written is not the same as nothing: it is kept */
        F_REQUIRED = 1 << 3, /* the API server refuses an object without it */
        F_ALWAYS = 1 << 4,   /* Go writes it even if nobody set it (no omitempty) */
        F_SERVER = 1 << 5,   /* the API server's own, dropped from what a user sends */
        F_MAX_256 = 1 << 6,  /* a list that takes 256 elements at most */

        /* Who minds a word that is not among field.words; without a flag the API server does. */
        F_RULED = 1 << 7, /* an admission rule does: common/rules/ */
        F_LAX = 1 << 8,   /* the API does not, but who reads it will */

        F_IP = 1 << 9,    /* an IP address, which is tidied up where it is one (ip.h) */
        F_CIDR = 1 << 10, /* one with a prefix length */

        /* Texts that may be written without quotes: sigs.k8s.io/yaml makes texts again of what YAML
         * took for numbers and booleans. It does not get below VirtualMachineInstanceSpec, which
         * decodes itself (UnmarshalJSON). */
        F_LOOSE = 1 << 11,
};

/* The field came with KubeVirt 1.minor. */
#define F_SINCE(minor)    ((unsigned)(minor) << 16)
#define F_SINCE_OF(flags) ((flags) >> 16)

struct type;

struct field {
        const char *name;
        enum field_kind kind;
        unsigned flags;
        const struct type *type;  /* of an object */
        const char *const *words; /* the values that a text may have, NULL-terminated; NULL: any */
};

struct type {
        const char *name; /* the Go struct's: "Disk" */
        const struct field *fields;
        size_t n_fields;
};

/* Rows. OBJECT is a pointer to a struct (or, with F_LIST and F_MAP, structs); STRUCT is one inside
 * its parent, which Go writes as {} even when it is empty. */
/* clang-format off */
#define TEXT(n, fl)          { .name = (n), .kind = FIELD_TEXT, .flags = (fl) }
#define ONE_OF(n, w, fl)     { .name = (n), .kind = FIELD_TEXT, .flags = (fl), .words = (w) }
#define BOOL(n, fl)          { .name = (n), .kind = FIELD_BOOL, .flags = (fl) }
#define INT32(n, fl)         { .name = (n), .kind = FIELD_INT32, .flags = (fl) }
#define INT64(n, fl)         { .name = (n), .kind = FIELD_INT64, .flags = (fl) }
#define UINT32(n, fl)        { .name = (n), .kind = FIELD_UINT32, .flags = (fl) }
#define UINT64(n, fl)        { .name = (n), .kind = FIELD_UINT64, .flags = (fl) }
#define QUANTITY(n, fl)      { .name = (n), .kind = FIELD_QUANTITY, .flags = (fl) }
#define INT_OR_STRING(n, fl) { .name = (n), .kind = FIELD_INT_OR_STRING, .flags = (fl) }
#define TIME(n, fl)          { .name = (n), .kind = FIELD_TIME, .flags = (fl) }
#define ANY(n, fl)           { .name = (n), .kind = FIELD_ANY, .flags = (fl) }
#define OBJECT(n, t, fl)     { .name = (n), .kind = FIELD_OBJECT, .flags = (fl) | F_POINTER, .type = &type_##t }
#define STRUCT(n, t, fl)     { .name = (n), .kind = FIELD_OBJECT, .flags = (fl), .type = &type_##t }

/* The type of the rows in SYMBOL_fields: for its own file, for all of common/types/, and one
 * without any field. */
#define TYPE(symbol, go_name)                                                                      \
        static const struct type type_##symbol = { (go_name), symbol##_fields, ARRAY_LEN(symbol##_fields) }
#define SHARED_TYPE(symbol, go_name)                                                               \
        const struct type type_##symbol = { (go_name), symbol##_fields, ARRAY_LEN(symbol##_fields) }
#define EMPTY_TYPE(symbol, go_name)                                                                \
        static const struct type type_##symbol = { (go_name), NULL, 0 }
/* clang-format on */

extern const struct type type_virtual_machine;
extern const struct type type_virtual_machine_instance;

/* The field of that name; NULL if the type has none. */
const struct field *schema_field(const struct type *type, const char *name);

/* The kind's name for a reader: "int32 or text". */
const char *schema_kind_name(enum field_kind kind);

/* Append docs/fields.md: every field of a VirtualMachine and a VirtualMachineInstance. */
void schema_print_fields(struct buf *out);

#endif
