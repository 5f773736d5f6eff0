/* SPDX-License-Identifier: Apache-2.0 */
/*
 * adapt - the virt-launcher Pod becomes one that Podman can run without a cluster.
 *
 * Everything here is step 5 of the decision document, in its order. What virt-handler, CDI and the
 * device plugins do on a node is done by mounts and init containers; what only the API server
 * understands is taken out.
 */
#ifndef VMQ_ADAPT_H
#define VMQ_ADAPT_H

#include <jv.h>

#include "stage.h"

/* A port of the host that a VM of the stream has taken. */
struct adapt_port {
        int port;
        char *address;
        char *owner; /* the Pod */
};

struct adapt {
        const char *sysfs; /* --sysfs */

        struct adapt_port *ports;
        size_t n, cap;
};

/* Adapt item.pod, with item.vmi and item.vm where they are there, and write item.run (hints.h). */
void adapt_each(jv *item, struct vmq_run *run);

/* Release what was kept over the stream. */
void adapt_release(struct adapt *a);

#endif
