/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scheduling - which nodes the Pod may run on.
 *
 * Of no use on one host, but a Pod for `podman kube play` or for a cluster has it as KubeVirt does:
 * newNodeSelectorRenderer and setNodeAffinity... of template.go, nodeselectorrenderer.go. The gate
 * HypervStrictCheck is off in every release, so Hyper-V features select no nodes.
 */
#ifndef VMQ_RENDER_SCHEDULING_H
#define VMQ_RENDER_SCHEDULING_H

#include "vm.h"

jv node_selector(const struct vm *vm);

/* Invalid if there is none. */
jv affinity(const struct vm *vm);

/* Labels that Pods with a persistent reservation on the same claim share; invalid if there are none
 * (pkg/storage/reservation/pr.go, PersistentReservationPVCLabels). */
jv reservation_labels(const struct vm *vm);

#endif
