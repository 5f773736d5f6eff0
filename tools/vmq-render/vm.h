/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vm - the VirtualMachineInstance that is rendered, and what KubeVirt asks about it.
 *
 * Everything is borrowed from the work item, which does not change while a struct vm is in use.
 */
#ifndef VMQ_RENDER_VM_H
#define VMQ_RENDER_VM_H

#include <stdbool.h>

#include "diag.h"
#include "quantity.h"
#include "ref.h"
#include "release.h"

#define NON_ROOT_UID 107 /* pkg/util/util.go, NonRootUID */
#define PRIVATE_DIR  "/var/run/kubevirt-private"
#define SHARE_DIR    "/var/run/kubevirt"
#define PULL_POLICY  "IfNotPresent" /* of the launcher image: virt-config's default */

struct vm {
        struct ref vmi, spec, status;
        struct ref domain, devices, cpu, memory, volumes, interfaces;
        struct ref annotations, labels;
        struct ref pvcs;
        jv volume_index, pvc_index;                /* owned: index.h */
        const char *name, *namespace, *uid, *arch; /* "" where there is none */

        const struct release *release;
        const char *image; /* the launcher's */

        bool nonroot;   /* pkg/vmitrait/vmitrait.go, IsNonRoot (1.8: pkg/util/util.go, IsNonRootVMI)
                         */
        bool dedicated; /* api/core/v1/types.go, IsCPUDedicated */
        bool guaranteed;              /* types.go, WantsToHaveQOSGuaranteed */
        unsigned long long verbosity; /* how much virt-launcher logs */
        struct quantity overhead;     /* memory besides the guest's: overhead.h */

        bool bare; /* without its VM: nobody has checked it, or warned of what it loses here */
        const struct path *spec_at, *meta_at; /* for messages */
        struct diag *diag;
};

/* Fill in everything from vmi and pvcs, but not what is worked out: verbosity and overhead. */
void vm_look(struct vm *vm);
void vm_release(struct vm *vm);

/* The volume of the name, of several the last; absent if there is none. */
struct ref vm_volume(const struct vm *vm, const char *name);

/* vCPUs by cores, sockets and threads, 0 if none of them is set; in 32 bits, as KubeVirt counts
 * (pkg/util/hardware/hw_utils.go, GetNumberOfVCPUs). */
long long vm_vcpus(const struct vm *vm);

/* Threads of the supplemental pool (renderresources.go, getIOThreadsCount). */
long long vm_io_threads(const struct vm *vm);

/* pkg/util/amd64.go, IsSEVVMI (SNP is SEV too), IsSEVESVMI, IsSEVSNPVMI, IsTDXVMI; s390x.go,
 * IsSecureExecutionVMI */
bool vm_sev(const struct vm *vm);
bool vm_sev_es(const struct vm *vm);
bool vm_sev_snp(const struct vm *vm);
bool vm_tdx(const struct vm *vm);
bool vm_secure_execution(const struct vm *vm);

/* pkg/tpm/tpm.go, HasDevice and HasPersistentDevice */
bool vm_tpm(const struct vm *vm);
bool vm_persistent_tpm(const struct vm *vm);

/* pkg/storage/backend-storage/backend-storage.go, HasPersistentEFI */
bool vm_persistent_efi(const struct vm *vm);

/* pkg/storage/cbt/cbt.go, HasCBTStateEnabled: changed blocks are tracked in a state volume */
bool vm_tracks_blocks(const struct vm *vm);

/* The kernel boot container; absent if there is none (pkg/util/util.go,
 * HasKernelBootContainerImage). */
struct ref vm_kernel_boot(const struct vm *vm);

/* template.go, hasHugePages */
bool vm_hugepages(const struct vm *vm);

/* pkg/storage/reservation/pr.go, HasVMISpecPersistentReservation: the disk is a LUN with SCSI
 * persistent reservation */
bool vm_reserves(struct ref disk);

/* Does an element of the list have the field (set, not null)? */
bool vm_any_has(struct ref list, const char *field);

/* The view if it is of an object, which alone has keys to walk; absent otherwise. */
struct ref vm_object(struct ref r);

/* An optional text: NULL where it is empty, as Go leaves such a member out. */
const char *vm_text(struct ref r, const char *path);

/* The PersistentVolumeClaim of the name in the VMI's namespace; absent if there is none. */
struct ref vm_pvc(const struct vm *vm, const char *claim);

#endif
