/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probes - the liveness and readiness probe of the compute container.
 *
 * Restates copyProbe and wrapGuestAgentPingWithVirtProbe of template.go and updateReadinessProbe,
 * updateLivenessProbe and wrapExecProbeWithVirtProbe of rendercontainer.go: the guest's agent is
 * asked through virt-probe, with 10 s more until the first time (libvirt must start) and 1 s more
 * for each.
 */
#ifndef VMQ_RENDER_PROBES_H
#define VMQ_RENDER_PROBES_H

#include "vm.h"

/* The container's form of the VMI's probe; invalid where that is absent. */
jv probe_of(const struct vm *vm, struct ref probe);

#endif
