/* SPDX-License-Identifier: Apache-2.0 */
/* fields - the table of a Pod's fields (kubernetes/api core/v1/types.go), for walk.c. */
#ifndef VMQ_FIELDS_H
#define VMQ_FIELDS_H

enum how {
        GOOD,    /* honoured; the code that does says what it can't */
        CLUSTER, /* about the cluster: of no meaning here */
        LOST,    /* no counterpart */
        QUIET,   /* says nothing about how to run the Pod */
};

enum type {
        TEXT,
        INT,
        BOOL,
        INT_OR_TEXT,
        TEXTS,   /* a list of texts */
        INTS,    /* a list of whole numbers */
        MAP,     /* texts by key */
        AMOUNTS, /* quantities by key */
        AMOUNT,
        OBJECT,
        LIST, /* of objects */
        ANY,
};

struct field {
        const char *name;
        enum type type;
        enum how how;
        const struct field *sub; /* of OBJECT and LIST */
        const char *why;         /* of LOST: the end of the message */
};

/* The fields of a Pod; the last one has no name. */
extern const struct field pod_fields[];

#endif
