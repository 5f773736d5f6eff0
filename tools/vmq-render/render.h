/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render - from a VirtualMachineInstance to the Pod that runs it.
 *
 * Restates RenderLaunchManifest of pkg/virt-controller/services/template.go (KubeVirt v1.9.0 and
 * v1.8.4; what differs is in common/release.c) for the cluster of the decision document: its
 * defaults, the feature gates ImageVolume and HostDisk, disableSerialConsoleLog, the pull secret
 * pull-secret-1, and no object but the VMI and its claims. As in the reference converter, nobody
 * gives the TemplateService generators of annotations or a netMemoryCalculator, which the
 * virt-controller of a cluster does.
 */
#ifndef VMQ_RENDER_H
#define VMQ_RENDER_H

#include "array.h"
#include "stage.h"

/* item.vmi and item.pvcs -> item.pod. Where the item has no pvcs, they are made for the claims that
 * the VMI names; a VMI without namespace or UID gets "default" and its namespace. */
void render_each(jv *item, struct vmq_run *run);

#endif
