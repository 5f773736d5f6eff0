/* SPDX-License-Identifier: Apache-2.0 */
/*
 * volumes - the Pod's volumes and where the compute container mounts them.
 *
 * Restates pkg/virt-controller/services/rendervolumes.go and newVolumeRenderer of template.go with
 * the gate ImageVolume on. What is in a volume follows in the order in which KubeVirt's options
 * run; kinds that none of them knows (emptyDisk, memoryDump, containerPath, serviceAccount) have
 * no volume of their own.
 */
#ifndef VMQ_RENDER_VOLUMES_H
#define VMQ_RENDER_VOLUMES_H

#include "buf.h"
#include "vm.h"

struct volumes {
        jv volumes; /* of the Pod */
        jv mounts;  /* of the compute container */
        jv devices; /* ... its volumeDevices: claims in Block mode; invalid if there are none */
        struct buf shared; /* mounts of claims that others may write too, with ':' between */
};

#define VOLUMES_AUTO __attribute__((cleanup(volumes_release)))

/* Report what can't be rendered. The caller owns and releases the result. */
struct volumes volumes_of(const struct vm *vm);
void volumes_release(struct volumes *v);

/* The stubs of all claims that the VMI's volumes name, as vmq-prepare makes them
 * (docs/pipeline.md); for a bare VMI. */
jv volumes_claims(struct ref vmi);

/* The names of the pull secrets: of container disks, of the kernel boot container, and the
 * cluster's own (imgPullSecrets, appendUniqueImagePullSecret). */
jv volumes_pull_secrets(const struct vm *vm);

/* Where the contents of a volume of this kind are mounted, if it is made of configuration
 * (pkg/config/config.go): configMap, secret and downwardAPI. NULL: another kind. */
const char *volumes_config_dir(const char *kind);

#endif
