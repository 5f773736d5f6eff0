/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intake - from the bytes of a file to work items.
 *
 * What comes in is a stream of work items (JSON), or of bare objects of the kind that the stage
 * works on; the first stages also read YAML, open `List`s and pass over other kinds with a note.
 * A bare object becomes the item {vmq: 1, source: {file, document, line}, KEY: object}.
 */
#ifndef VMQ_INTAKE_H
#define VMQ_INTAKE_H

#include <jv.h>
#include <stdbool.h>

#include "diag.h"
#include "input.h"
#include "places.h"

struct intake {
        const char *file; /* its name in messages, borrowed */
        bool documents;   /* YAML, List and other kinds are welcome */
        const char *kind, *key;

        struct input in;
        struct places places;
        size_t document; /* of the stream, from 1 */
        char *source;    /* the file that the item at hand names */
};

enum intake_result {
        INTAKE_END,    /* nothing more */
        INTAKE_ITEM,   /* *item is a work item, owned by the caller */
        INTAKE_BAD,    /* a document was refused, with a report; go on */
        INTAKE_BROKEN, /* the stream can't be read on, with a report */
};

#define INTAKE_LIMIT ((size_t)64 << 20) /* bytes of one work item */

void intake_open(struct intake *k, int fd, const char *file, bool documents, const char *kind,
                 const char *key);
void intake_close(struct intake *k);

/* The next work item. Starts a document on d (diag_begin), which stays open for the stage's own
 * reports until diag_flush(); places and lines are valid until the next call. */
enum intake_result intake_next(struct intake *k, jv *item, struct diag *d);

#endif
