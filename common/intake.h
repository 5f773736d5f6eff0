/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intake - from the bytes of a file to work items.
 *
 * What comes in is a stream of work items (JSON), or of bare objects of the kind that the stage
 * works on. The first stages read documents too, mixed with items as they come: JSON or YAML, a
 * `List` is opened, other kinds are passed over with a note, empty documents without a word; and a
 * VirtualMachine must be one of kubevirt.io. A bare object becomes the item
 * {vmq: 1, source: {file, document, line}, KEY: object}.
 *
 * A document that starts with { or [ is tried as JSON first. What is no JSON, and everything else,
 * is YAML; what is neither is refused up to the next line that starts with `---`.
 */
#ifndef VMQ_INTAKE_H
#define VMQ_INTAKE_H

#include <jv.h>
#include <stdbool.h>

#include "diag.h"
#include "input.h"
#include "keys.h"
#include "others.h"
#include "path.h"
#include "places.h"

struct intake {
        const char *file; /* its name in messages, borrowed */
        bool documents;   /* YAML, List and other kinds are welcome */
        const char *kind, *key;
        struct keys *keys; /* as in json.h; the caller's, as are the names below */
        const char *const *unread;
        bool forget;
        struct others *others; /* where other kinds are remembered, NULL: nowhere; the caller's */
        /* Optional: asked about every object of another kind. True: it is of use, so no note. */
        bool (*take)(const jv *object, void *self);
        void *take_self;

        struct input in;
        struct places places;
        size_t document; /* of the stream, from 1 */
        char *source;    /* the file that the item at hand names */
        int node;        /* of the object at hand in places; -1: none */

        jv list;             /* the items of an open List; invalid: none is open */
        int list_at;         /* the next one */
        int list_node;       /* its node */
        bool list_of_vms;    /* VirtualMachineList: what its items don't say */
        struct path base[2]; /* .items[i], for diag */
};

enum intake_result {
        INTAKE_END,    /* nothing more */
        INTAKE_ITEM,   /* *item is a work item, owned by the caller */
        INTAKE_OTHER,  /* an object of another kind was passed over, with a note; go on */
        INTAKE_BAD,    /* a document was refused, with a report; go on */
        INTAKE_BROKEN, /* the stream can't be read on, with a report */
};

#define INTAKE_LIMIT ((size_t)64 << 20) /* bytes of one work item */

void intake_open(struct intake *k, int fd, const char *file, bool documents, const char *kind,
                 const char *key);
void intake_close(struct intake *k);

/* The next work item. Starts a document on d (diag_begin), which stays open for the stage's own
 * reports until diag_flush(); places and lines are valid until the next call. Where the file can't
 * be read the stream just ends, with k->in.error set. */
enum intake_result intake_next(struct intake *k, jv *item, struct diag *d);

/* The document at hand is some thousand bytes long, and as small when its aliases are written out.
 */
bool intake_is_small(const struct intake *k);

/* Report the keys that the object at hand has twice, now that it is known how much that weighs. */
void intake_report_again(const struct intake *k, struct diag *d);

#endif
