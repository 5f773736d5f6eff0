/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overhead - the memory that a guest costs besides its own.
 *
 * Restates GetMemoryOverhead of pkg/hypervisor/kvm/hypervisorbackend.go. Of the cluster's settings,
 * additionalGuestMemoryOverheadRatio is not set; the network bindings' own overhead
 * (template.go, CalculateMemoryOverhead) needs registered binding plugins, and there are none.
 */
#ifndef VMQ_RENDER_OVERHEAD_H
#define VMQ_RENDER_OVERHEAD_H

#include "vm.h"

struct quantity memory_overhead(const struct vm *vm);

#endif
