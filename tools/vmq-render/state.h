/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state - the claim that keeps what outlives a run: TPM, EFI variables, changed blocks.
 *
 * Restates withBackendStorage of pkg/virt-controller/services/rendervolumes.go. A cluster makes a
 * claim persistent-state-for-NAME-xxxxx; here it is NAME-vm-state, and nobody need have made it
 * (differences.md, D11).
 */
#ifndef VMQ_RENDER_STATE_H
#define VMQ_RENDER_STATE_H

#include "volumes.h"

/* Nothing happens where nothing is to be kept. */
void state_volumes(struct volumes *v, const struct vm *vm);

#endif
