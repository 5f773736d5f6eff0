/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check - everything that is known about a VirtualMachine before it is converted.
 *
 * vmq-validate is this and nothing else; vmq-prepare does it before anything else.
 */
#ifndef VMQ_CHECK_H
#define VMQ_CHECK_H

#include <jv.h>
#include <stdbool.h>

#include "claims.h"
#include "diag.h"
#include "keys.h"
#include "ref.h"
#include "settings.h"

/*
 * Check item.vm and leave there what KubeVirt's API would hold: decoded by the field tables
 * (schema.h), then held against the rules (rules/). What is wrong is reported on d; item.vm is
 * changed even so. An item that vmq-validate has passed is checked again, but only its errors are
 * reported: it may have been edited on the way. keys (keys.h) may be NULL.
 */
void check_vm(jv *item, const struct settings *settings, struct keys *keys, struct diag *d);

/* What the VMs of the stream have taken so far: names, ports, images. A stage that checks keeps one
 * in its own struct. */
struct check_stream {
        struct claims claims;
};

void check_stream_open(struct check_stream *c);

/* Report where the VM, checked before, meets an earlier one of the stream, and remember it. False,
 * with errno: the temporary file could not be read or written. */
bool check_together(struct check_stream *c, struct ref item, const struct settings *settings,
                    struct diag *d);

void check_stream_release(struct check_stream *c);

/* Note in the item (`validated: true`) that its warnings and notes have been printed. */
void check_done(jv *item);

#endif
