/* SPDX-License-Identifier: Apache-2.0 */
/*
 * virtiofs - containers that serve volumes to the guest as file systems.
 *
 * Restates pkg/virt-controller/services/virtiofs.go and pkg/virtiofs/resources.go.
 */
#ifndef VMQ_RENDER_VIRTIOFS_H
#define VMQ_RENDER_VIRTIOFS_H

#include "vm.h"

/* Append a container for each volume that a filesystem of the VMI shows, in the order of the
 * volumes. */
void add_virtiofs(jv *containers, const struct vm *vm);

#endif
