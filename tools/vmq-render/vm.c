/* SPDX-License-Identifier: Apache-2.0 */
#include "vm.h"

#include <stdint.h>
#include <string.h>

#include "index.h"
#include "jvx.h"

static struct quantity amount(const struct vm *vm, const char *path)
{
        return quantity_or_zero(ref_at(vm->domain, path));
}

/* The request equals the limit and is not 0; a limit alone counts as a memory request too. */
static bool wants_guaranteed(const struct vm *vm)
{
        struct quantity memory = amount(vm, "resources.requests.memory");
        struct quantity memory_limit = amount(vm, "resources.limits.memory");
        struct quantity cpu = amount(vm, "resources.requests.cpu");
        struct quantity cpu_limit = amount(vm, "resources.limits.cpu");
        bool by_memory = quantity_is_zero(memory) ? !quantity_is_zero(memory_limit)
                                                  : quantity_compare(memory, memory_limit) == 0;

        return by_memory && !quantity_is_zero(cpu) && quantity_compare(cpu, cpu_limit) == 0;
}

/* The claims of the VMI's namespace; one that names none is in it. */
static jv pvc_index(const struct vm *vm)
{
        jv index = jv_object();

        REF_EACH(pvc, vm->pvcs) {
                const char *namespace = vm_text(pvc.item, "metadata.namespace");

                if (!namespace || strcmp(namespace, vm->namespace) == 0)
                        index_set(&index, ref_text(pvc.item, "metadata.name"), pvc.i);
        }
        return index;
}

void vm_look(struct vm *vm)
{
        vm->spec = ref_get(vm->vmi, "spec");
        vm->status = ref_get(vm->vmi, "status");
        vm->domain = ref_get(vm->spec, "domain");
        vm->devices = ref_get(vm->domain, "devices");
        vm->cpu = ref_get(vm->domain, "cpu");
        vm->memory = ref_get(vm->domain, "memory");
        vm->volumes = ref_get(vm->spec, "volumes");
        vm->interfaces = ref_get(vm->devices, "interfaces");
        vm->annotations = vm_object(ref_at(vm->vmi, "metadata.annotations"));
        vm->labels = vm_object(ref_at(vm->vmi, "metadata.labels"));
        vm->name = ref_text(vm->vmi, "metadata.name");
        vm->namespace = ref_text(vm->vmi, "metadata.namespace");
        vm->uid = ref_text(vm->vmi, "metadata.uid");
        vm->arch = ref_text(vm->spec, "architecture");
        vm->nonroot = ref_int(ref_get(vm->status, "runtimeUser"), 0) != 0 ||
                      ref_str(ref_get(vm->annotations, "kubevirt.io/nonroot"));
        vm->dedicated = ref_bool(ref_get(vm->cpu, "dedicatedCpuPlacement"), false);
        vm->guaranteed = wants_guaranteed(vm);
        vm->volume_index = index_make(vm->volumes, "name");
        vm->pvc_index = pvc_index(vm);
}

void vm_release(struct vm *vm)
{
        jvx_release(&vm->volume_index);
        jvx_release(&vm->pvc_index);
}

struct ref vm_volume(const struct vm *vm, const char *name)
{
        return ref_item(vm->volumes, index_get(&vm->volume_index, name));
}

long long vm_vcpus(const struct vm *vm)
{
        static const char *const factors[] = { "cores", "sockets", "threads" };
        uint32_t vcpus = 0;

        for (int i = 0; i < 3; i++) {
                uint32_t n = (uint32_t)ref_int(ref_get(vm->cpu, factors[i]), 0);

                if (n != 0)
                        vcpus = vcpus == 0 ? n : vcpus * n;
        }
        return vcpus;
}

long long vm_io_threads(const struct vm *vm)
{
        return ref_int(ref_at(vm->domain, "ioThreads.supplementalPoolThreadCount"), 0);
}

static bool secures(const struct vm *vm, const char *path)
{
        return ref_is_set(ref_at(ref_get(vm->domain, "launchSecurity"), path));
}

bool vm_sev(const struct vm *vm)
{
        return secures(vm, "sev") || secures(vm, "snp");
}

bool vm_sev_es(const struct vm *vm)
{
        return ref_bool(ref_at(vm->domain, "launchSecurity.sev.policy.encryptedState"), false);
}

bool vm_sev_snp(const struct vm *vm)
{
        return secures(vm, "snp");
}

bool vm_tdx(const struct vm *vm)
{
        return secures(vm, "tdx");
}

bool vm_secure_execution(const struct vm *vm)
{
        return ref_is_set(ref_get(vm->domain, "launchSecurity")) && strcmp(vm->arch, "s390x") == 0;
}

bool vm_tpm(const struct vm *vm)
{
        struct ref tpm = ref_get(vm->devices, "tpm");

        return ref_is_set(tpm) && ref_bool(ref_get(tpm, "enabled"), true);
}

bool vm_persistent_tpm(const struct vm *vm)
{
        return vm_tpm(vm) && ref_bool(ref_at(vm->devices, "tpm.persistent"), false);
}

bool vm_persistent_efi(const struct vm *vm)
{
        return ref_bool(ref_at(vm->domain, "firmware.bootloader.efi.persistent"), false);
}

bool vm_tracks_blocks(const struct vm *vm)
{
        struct ref state = ref_at(vm->status, "changedBlockTracking.state");

        return ref_eq(state, "Initializing") || ref_eq(state, "Enabled");
}

struct ref vm_kernel_boot(const struct vm *vm)
{
        return ref_at(vm->domain, "firmware.kernelBoot.container");
}

bool vm_hugepages(const struct vm *vm)
{
        return ref_is_set(ref_get(vm->memory, "hugepages"));
}

bool vm_reserves(struct ref disk)
{
        return ref_bool(ref_at(disk, "lun.reservation"), false);
}

bool vm_any_has(struct ref list, const char *field)
{
        REF_EACH(e, list)
                if (ref_is_set(ref_get(e.item, field)))
                        return true;
        return false;
}

struct ref vm_object(struct ref r)
{
        return ref_kind(r) == JV_KIND_OBJECT ? r : ref_none();
}

const char *vm_text(struct ref r, const char *path)
{
        const char *text = ref_text(r, path);

        return text[0] ? text : NULL;
}

struct ref vm_pvc(const struct vm *vm, const char *claim)
{
        return ref_item(vm->pvcs, index_get(&vm->pvc_index, claim));
}
