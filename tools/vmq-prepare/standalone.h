/* SPDX-License-Identifier: Apache-2.0 */
/*
 * standalone - what a VMI needs to run without a cluster.
 *
 * Section "Step 3" of the decision document; where that is silent, pkg/standalone/pre_render.go of
 * the reference converter.
 */
#ifndef VMQ_PREPARE_STANDALONE_H
#define VMQ_PREPARE_STANDALONE_H

#include <jv.h>

#include "ref.h"

/* A stub for every claim that a volume names, once each, in the order of the volumes: what the
 * renderer would ask the cluster about. The state claim of a VM with a persistent TPM or EFI is not
 * among them: its name follows from the VM's (differences.md, D11). */
jv pvc_stubs(struct ref vm);

/* The steps after KubeVirt's own: input device, passt, UID, interface status. */
void fit_to_host(jv *vmi);

#endif
