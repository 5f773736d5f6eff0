/* SPDX-License-Identifier: Apache-2.0 */
/*
 * containers - the compute container and the init containers.
 *
 * Restates renderLaunchManifest and newContainerSpecRenderer of template.go, rendercontainer.go,
 * serialconsolelog.go, and CreateImageVolumeInitContainer of pkg/container-disk/container-disk.go.
 * There are no hook sidecars: the gate Sidecar is off, and no network binding plugin is registered.
 */
#ifndef VMQ_RENDER_CONTAINERS_H
#define VMQ_RENDER_CONTAINERS_H

#include "volumes.h"

/* Seconds that the guest has to shut down (gracePeriodInSeconds), and KubeVirt's padding, which is
 * added once for virt-launcher and twice for the Pod. */
long long grace_period(const struct vm *vm);
#define GRACE_PADDING 15

/* The container named compute; takes mounts and devices out of v. */
jv compute_container(const struct vm *vm, struct volumes *v);

/* The console log, and one container for each image, which does nothing but have it pulled;
 * invalid if there are none. */
jv init_containers(const struct vm *vm);

#endif
