/* SPDX-License-Identifier: Apache-2.0 */
#include "overhead.h"

#include <stdint.h>
#include <string.h>

#include "array.h"

/* What a comment names without a file is in pkg/hypervisor/kvm/hypervisorbackend.go. */

static bool always(const struct vm *vm)
{
        (void)vm;
        return true;
}

static bool has_graphics(const struct vm *vm)
{
        return ref_bool(ref_get(vm->devices, "autoattachGraphicsDevice"), true);
}

/* edk2 on arm64 has two flash devices of 64 MiB */
static bool is_arm64(const struct vm *vm)
{
        return strcmp(vm->arch, "arm64") == 0;
}

/* pkg/vmitrait/vmitrait.go, HasVFIO (1.8: pkg/util/util.go, IsVFIOVMI) */
static bool has_vfio(const struct vm *vm)
{
        return ref_len(ref_get(vm->devices, "hostDevices")) > 0 ||
               ref_len(ref_get(vm->devices, "gpus")) > 0 || vm_any_has(vm->interfaces, "sriov");
}

/* pkg/downwardmetrics/downwardmetrics.go, HasDownwardMetricDisk */
static bool has_metrics_disk(const struct vm *vm)
{
        return vm_any_has(vm->volumes, "downwardMetrics");
}

static bool probes_liveness(const struct vm *vm)
{
        return ref_is_set(ref_at(vm->spec, "livenessProbe.exec"));
}

static bool probes_readiness(const struct vm *vm)
{
        return ref_is_set(ref_at(vm->spec, "readinessProbe.exec"));
}

static bool probes(const struct vm *vm)
{
        return probes_liveness(vm) || probes_readiness(vm);
}

static bool is_sev(const struct vm *vm)
{
        return vm_sev(vm) || vm_sev_es(vm);
}

static bool must_not_share(const struct vm *vm)
{
        return vm->dedicated || vm->guaranteed;
}

#define MI (1LL << 20)

/* GetMemoryOverhead, addProbeOverheads */
static const struct {
        long long bytes;
        bool (*applies)(const struct vm *vm);
} parts[] = {
        { 25 * MI, always },          /* virt-launcher-monitor */
        { 100 * MI, always },         /* virt-launcher */
        { 25 * MI, always },          /* virtlogd */
        { 40 * MI, always },          /* virtqemud */
        { 30 * MI, always },          /* QEMU itself */
        { 8 * MI, always },           /* an I/O thread */
        { 32 * MI, has_graphics },    /* video memory */
        { 128 * MI, is_arm64 },       /* firmware */
        { 1024 * MI, has_vfio },      /* mapped registers, which are locked as well */
        { 1 * MI, has_metrics_disk }, /* an emptyDir in memory */
        { 10 * MI, probes_liveness }, /* one virt-probe */
        { 10 * MI, probes_readiness },
        { 100 * MI, probes },
        { 256 * MI, is_sev },         /* bounce buffers */
        { 53 * MI, vm_tpm },          /* swtpm */
        { 100 * MI, must_not_share }, /* nothing may be reclaimed under pressure */
};

/* GetMemoryOverhead: one bit for every 512 bytes of the memory that is asked for, counted in
 * kilobytes. */
static struct quantity page_tables(const struct vm *vm)
{
        struct quantity memory = quantity_or_zero(ref_at(vm->domain, "resources.requests.memory"));
        long long value = quantity_value(memory);
        long long kilo = value / 1000 + (value % 1000 > 0 ? 1 : 0);

        return quantity_units(kilo <= INT64_MAX / 1000 ? kilo * 1000 / 512 : kilo / 512 * 1000,
                              QUANTITY_DECIMAL_SI);
}

/* GetMemoryOverhead: where the VMI has no topology, the CPU limit or request stands in. */
static long long vcpus(const struct vm *vm)
{
        struct ref resources = ref_get(vm->domain, "resources");
        struct ref limit = ref_at(resources, "limits.cpu");
        long long n = vm_vcpus(vm);
        struct quantity cpu = { 0 };

        if (!ref_is_set(vm->cpu) &&
            (quantity_of(limit, &cpu) || quantity_of(ref_at(resources, "requests.cpu"), &cpu)))
                n = quantity_value(cpu);
        return n < 1 ? 1 : n;
}

/* GetMemoryOverhead; pkg/util/util.go, RequiresMemoryOverheadReservation */
struct quantity memory_overhead(const struct vm *vm)
{
        struct quantity sum = page_tables(vm), reserved;
        long long cpus = vcpus(vm);

        for (size_t i = 0; i < ARRAY_LEN(parts); i++)
                if (parts[i].applies(vm))
                        sum = quantity_add(sum, quantity_units(parts[i].bytes, QUANTITY_BINARY_SI));
        /* 8 MiB a vCPU; more vCPUs than there are bytes are capped */
        if (cpus > INT64_MAX / (8 * MI))
                cpus = INT64_MAX / (8 * MI);
        sum = quantity_add(sum, quantity_units(cpus * 8 * MI, QUANTITY_BINARY_SI));
        if (quantity_of(ref_at(vm->memory, "reservedOverhead.addedOverhead"), &reserved))
                sum = quantity_add(sum, reserved);
        return sum;
}
