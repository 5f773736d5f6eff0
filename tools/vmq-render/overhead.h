/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overhead - the memory that a guest costs besides its own.
 *
 * Restates GetMemoryOverhead of pkg/hypervisor/kvm/hypervisorbackend.go. Of the cluster's settings,
 * additionalGuestMemoryOverheadRatio is not set. What the network bindings cost (template.go,
 * CalculateMemoryOverhead) is left out, as the reference converter has no netMemoryCalculator; a
 * cluster's (pkg/network/resources/memory.go, Calculate) counts 250 MiB for passt.
 */
#ifndef VMQ_RENDER_OVERHEAD_H
#define VMQ_RENDER_OVERHEAD_H

#include "vm.h"

struct quantity memory_overhead(const struct vm *vm);

#endif
