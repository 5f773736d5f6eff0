/* SPDX-License-Identifier: Apache-2.0 */
/*
 * path - where in a document we are, as a chain on the caller's stack.
 *
 * Walking down costs nothing; the text ("spec.volumes[2].name") is only made
 * when there is a message to print, and the place in the file is looked up with
 * the same chain (places.h).
 *
 *      void check_volume(struct ref vol, const struct path *at, struct diag *d)
 *      {
 *              diag_report(d, VMQ_..., AT(at, "containerDisk.image"), "...");
 *      }
 *      check_volume(item, AT_INDEX(AT(NULL, "spec.template.spec.volumes"), i), d);
 */
#ifndef VMQ_PATH_H
#define VMQ_PATH_H

#include <stdbool.h>

#include "buf.h"

struct path {
        const struct path *up; /* NULL: directly below the root */
        const char *key;       /* a field or map key; NULL: an element of a list */
        int index;             /* the element's index, from 0 */
        bool opaque;           /* key is one map key whatever is in it, not dotted field names */
};

/* Steps down from `up` (NULL: the root). They live as long as the enclosing block. The fields of
 * AT may be several, with dots between. AT_KEY is for keys that the user chose (labels). */
#define AT(up_, fields_)  (&(const struct path){ .up = (up_), .key = (fields_) })
#define AT_KEY(up_, key_) (&(const struct path){ .up = (up_), .key = (key_), .opaque = true })
#define AT_INDEX(up_, i_) (&(const struct path){ .up = (up_), .index = (i_) })

/* Append the text of the path, as kubectl writes it: a.b[0].labels[kubevirt.io/x]. */
void path_print(const struct path *p, struct buf *out);

#endif
