/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resources - what the compute container asks of the node.
 *
 * Restates pkg/virt-controller/services/renderresources.go and newResourceRenderer and
 * VMIResourcePredicates of template.go, with the cluster's defaults: CPU allocation ratio 10, no
 * memory overcommit (100 percent), no emulation, no quotas (so no automatic limits), no
 * permittedHostDevices. Networks never ask for resources: their attachment definitions are in the
 * cluster only.
 */
#ifndef VMQ_RENDER_RESOURCES_H
#define VMQ_RENDER_RESOURCES_H

#include "vm.h"

/* {limits, requests, claims}. Amounts that are none are reported. */
jv compute_resources(const struct vm *vm);

#endif
