/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pod - a Pod taken apart for editing, and what all the parts of vmq-adapt need to know about it.
 *
 * The lists that every part adds to are out of the Pod while it is worked on, and the container
 * `compute` is out of its list, so that every change is in place.
 */
#ifndef VMQ_POD_H
#define VMQ_POD_H

#include <jv.h>
#include <stdbool.h>

#include "adapt.h"
#include "diag.h"
#include "ref.h"
#include "settings.h"

#define POD_MAIN     "compute" /* the container that runs virt-launcher */
#define POD_QEMU_UID 107       /* the user that runs QEMU: util.NonRootUID, pkg/util/util.go */
#define POD_PRIVATE  "/var/run/kubevirt-private" /* util.VirtPrivateDir */
#define POD_DISKS    POD_PRIVATE "/vmi-disks"    /* pvcBaseDir, pkg/host-disk/host-disk.go */

struct pod {
        struct ref vmi, vm; /* of the item; absent for a bare Pod */
        const struct settings *settings;
        struct adapt *self;
        struct diag *diag;
        struct keys *keys; /* for pod_view() */

        jv object;     /* the Pod without the rest */
        jv volumes;    /* spec.volumes */
        jv containers; /* spec.containers; compute's place holds null */
        jv inits;      /* spec.initContainers */
        jv compute;    /* the container of that name; invalid: there is none */
        int place;     /* of compute in containers */

        jv optional; /* names of volumes whose host path need not be there */
        jv beside;   /* names of containers that were sidecars */
        jv again;    /* names of init containers that run before every start of compute */
};

/* Is this a name that is one word wherever it is put: in a path, a unit's name, a command? */
bool pod_plain(const char *name);

/* Take the Pod apart; pod is consumed. False after a report if it has no Pod's shape; pod_release()
 * is due either way. The rest of *p is the caller's to fill in before. */
bool pod_open(struct pod *p, jv pod);

/* Put it together again, owned by the caller; *p is empty afterwards. */
jv pod_close(struct pod *p);

void pod_release(struct pod *p);

/* View a part of the Pod, which is one of the values above. */
struct ref pod_view(const struct pod *p, const jv *part);

/* The Pod's name. Borrowed, "" if it has none. */
const char *pod_name(const struct pod *p);

/* Add a volume {name, ...}; consumed. False after a report if the Pod, or the VM, has one of that
 * name already. */
bool pod_add_volume(struct pod *p, jv volume);

/* Add a mount to compute; consumed. Does nothing if there is no compute. */
void pod_mount(struct pod *p, jv mount);

/* Add a container; consumed. False after a report if there is one of that name. */
bool pod_add_container(struct pod *p, jv container);

/* Add an init container behind the others, or before them; consumed. As pod_add_container(). */
bool pod_add_init(struct pod *p, jv container, bool first);

#endif
