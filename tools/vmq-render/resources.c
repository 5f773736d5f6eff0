/* SPDX-License-Identifier: Apache-2.0 */
#include "resources.h"

#include <string.h>

#include "amounts.h"
#include "array.h"
#include "jvx.h"

/* What a comment names without a file is in pkg/virt-controller/services/renderresources.go. */

#define DEVICE(name) "devices.kubevirt.io/" name

/* ResourceRenderer: the VMI's own amounts go over those that were calculated, whatever the order.
 */
struct renderer {
        const struct vm *vm;
        struct amounts vm_limits, vm_requests;
        struct amounts limits, requests;
        jv claims;
};

static struct quantity whole(long long n)
{
        return quantity_units(n, QUANTITY_DECIMAL_SI);
}

/* WithEphemeralStorageRequest */
static void ephemeral_storage(struct renderer *r)
{
        const char *name = "ephemeral-storage";
        struct quantity own = whole(50000000);

        amounts_add(&r->vm_requests, name, own);
        if (amounts_get(&r->vm_limits, name))
                amounts_add(&r->vm_limits, name, own);
}

/* pkg/network/vmispec/devices.go, RequiresTunDevice */
static bool needs_tun(const struct vm *vm)
{
        return ref_len(vm->interfaces) > 0 ||
               ref_bool(ref_get(vm->devices, "autoattachPodInterface"), true);
}

/* pkg/network/vmispec/interface.go, hasVirtioIface: no model is virtio too */
static bool needs_vhost_net(const struct vm *vm)
{
        REF_EACH(iface, vm->interfaces) {
                const char *model = ref_text(iface.item, "model");

                if (!model[0] || strcmp(model, "virtio") == 0)
                        return true;
        }
        return false;
}

/* getRequiredResources, WithVirtualizationResources */
static void virtualization(struct renderer *r)
{
        if (needs_tun(r->vm))
                amounts_set(&r->vm_limits, DEVICE("tun"), whole(1));
        if (needs_vhost_net(r->vm))
                amounts_set(&r->vm_limits, DEVICE("vhost-net"), whole(1));
        amounts_set(&r->vm_limits, DEVICE("kvm"), whole(1));
        if (ref_bool(ref_get(r->vm->devices, "autoattachVSOCK"), false))
                amounts_set(&r->vm_limits, DEVICE("vhost-vsock"), whole(1));
}

/* WithMemoryRequests: the guest's memory, else one huge page. */
static bool guest_memory(const struct vm *vm, struct quantity *ret)
{
        return quantity_of(ref_get(vm->memory, "guest"), ret) ||
               (!ref_is_set(ref_get(vm->memory, "guest")) &&
                quantity_of(ref_at(vm->memory, "hugepages.pageSize"), ret));
}

/* WithMemoryRequests, where the VMI asks for no memory or for 0 (template.go,
 * emptyMemoryRequest) */
static void memory_requests(struct renderer *r)
{
        struct quantity limit = amounts_or_zero(&r->vm_limits, "memory");
        struct quantity guest;

        if (!quantity_is_zero(amounts_or_zero(&r->vm_requests, "memory")))
                return;
        if (!quantity_is_zero(limit))
                amounts_set(&r->vm_requests, "memory", limit);
        else if (!amounts_get(&r->vm_requests, "memory") && guest_memory(r->vm, &guest) &&
                 quantity_value(guest) > 0)
                amounts_set(&r->vm_requests, "memory", guest);
}

/* WithCPUPinning: how many CPUs the emulator's isolated thread takes (with what template.go,
 * VMIResourcePredicates, counts of I/O threads): 2 where the VMI asks for even numbers and
 * 1 would make it odd. */
static long long emulator_cpus(const struct vm *vm, long long limit)
{
        bool pool = ref_eq(ref_get(vm->domain, "ioThreadsPolicy"), "supplementalPool");
        long long more = pool ? vm_io_threads(vm) : 0;
        bool even = ref_is_set(
                ref_get(vm->annotations, "alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity"));

        return even && ((limit ^ more) & 1) == 0 ? 2 : 1;
}

/* WithCPUPinning: limits and requests are whole CPUs, and memory is limited to the request */
static void cpu_pinning(struct renderer *r)
{
        struct quantity threads = quantity_units(vm_io_threads(r->vm), QUANTITY_BINARY_SI);
        long long vcpus = vm_vcpus(r->vm);

        if (vcpus != 0) {
                struct quantity all = quantity_units(vcpus, QUANTITY_BINARY_SI);

                all = quantity_add(all, threads);
                amounts_set(&r->vm_limits, "cpu", all);
                amounts_set(&r->vm_requests, "cpu", all);
        } else {
                if (amounts_get(&r->vm_limits, "cpu"))
                        amounts_add(&r->vm_limits, "cpu", threads);
                if (amounts_get(&r->vm_requests, "cpu"))
                        amounts_add(&r->vm_requests, "cpu", threads);
        }
        if (ref_bool(ref_get(r->vm->cpu, "isolateEmulatorThread"), false)) {
                long long limit = quantity_value(amounts_or_zero(&r->vm_limits, "cpu"));
                struct quantity emulator =
                        quantity_units(emulator_cpus(r->vm, limit), QUANTITY_BINARY_SI);

                amounts_add(&r->vm_limits, "cpu", emulator);
                if (amounts_get(&r->vm_requests, "cpu"))
                        amounts_add(&r->vm_requests, "cpu", emulator);
        }
        if (amounts_get(&r->vm_requests, "memory"))
                amounts_set(&r->vm_limits, "memory", amounts_or_zero(&r->vm_requests, "memory"));
}

/* WithoutDedicatedCPU: a tenth of a CPU for each. KubeVirt writes the number with %g, which from a
 * million on is an exponent. */
static void cpu_shares(struct renderer *r)
{
        long long cpus = ref_is_set(r->vm->cpu) ? vm_vcpus(r->vm) : 1;

        cpus += vm_io_threads(r->vm);
        if (cpus > 0)
                amounts_set(&r->requests, "cpu",
                            quantity_milli(cpus * 100, cpus >= 10000000 ? QUANTITY_DECIMAL_EXPONENT
                                                                        : QUANTITY_DECIMAL_SI));
}

/* WithHugePages: by how much the amount is above the guest's memory. */
static struct quantity above(const struct amounts *list, const struct quantity *guest)
{
        struct quantity memory = amounts_or_zero(list, "memory");

        if (!guest || quantity_value(memory) <= quantity_value(*guest))
                return whole(0);
        return quantity_subtract(quantity_add(whole(0), memory), *guest);
}

/* WithHugePages: the guest is on huge pages, ordinary memory is for the overhead and for what was
 * asked for beyond the guest's */
static void hugepages(struct renderer *r)
{
        BUF_AUTO struct buf name = BUF_INIT;
        struct quantity memory = amounts_or_zero(&r->vm_requests, "memory");
        struct quantity guest_memory, overhead = r->vm->overhead;
        const struct quantity *guest = NULL;

        if (quantity_of(ref_get(r->vm->memory, "guest"), &guest_memory))
                guest = &guest_memory;
        if (guest && quantity_value(memory) > quantity_value(*guest))
                memory = *guest;
        buf_addf(&name, "hugepages-%s", ref_text(r->vm->memory, "hugepages.pageSize"));
        amounts_set(&r->requests, name.s, memory);
        amounts_set(&r->limits, name.s, memory);
        amounts_set(&r->vm_requests, "memory",
                    quantity_add(above(&r->vm_requests, guest), overhead));
        if (amounts_get(&r->vm_limits, "memory"))
                amounts_set(&r->vm_limits, "memory",
                            quantity_add(above(&r->vm_limits, guest), overhead));
}

/* WithMemoryOverhead */
static void memory_overheads(struct renderer *r)
{
        struct quantity memory = amounts_or_zero(&r->vm_requests, "memory");

        if (!ref_bool(ref_at(r->vm->domain, "resources.overcommitGuestOverhead"), false))
                memory = quantity_add(memory, r->vm->overhead);
        amounts_set(&r->vm_requests, "memory", memory);
        if (amounts_get(&r->vm_limits, "memory"))
                amounts_add(&r->vm_limits, "memory", r->vm->overhead);
}

/* requestResource, bumpResources: one more of a device plugin's, in both lists */
static void request_device(struct renderer *r, const char *name)
{
        struct {
                struct amounts *own, *calculated;
        } lists[] = { { &r->vm_limits, &r->limits }, { &r->vm_requests, &r->requests } };

        for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
                const struct quantity *own = amounts_get(lists[i].own, name);

                if (own)
                        amounts_set(lists[i].calculated, name, *own);
                amounts_add(lists[i].calculated, name, whole(1));
        }
}

/*
 * WithGPUsDevicePlugins and WithGPUsDRA, and the same for host devices: a device is either a device
 * plugin's, by its resource name, or a claim's of dynamic resource allocation, which needs a gate.
 */
static void devices(struct renderer *r, const char *list, const char *gate)
{
        const struct path *at = AT(AT(r->vm->spec_at, "domain.devices"), list);

        REF_EACH(device, ref_get(r->vm->devices, list)) {
                const char *name = vm_text(device.item, "deviceName");
                bool claims = ref_is_set(ref_get(device.item, "claimName")) ||
                              ref_is_set(ref_get(device.item, "requestName"));

                if (name && !claims)
                        request_device(r, name);
                else if (!name && claims && release_gate(r->vm->release, gate))
                        jvx_append(&r->claims, jvx_build("{name: %s, request: %s}",
                                                         ref_text(device.item, "claimName"),
                                                         vm_text(device.item, "requestName")));
                else
                        diag_report(
                                r->vm->diag, VMQ_RENDER_DEVICE, AT_INDEX(at, device.i),
                                "KubeVirt %s gives the Pod nothing for this device; name it with "
                                "deviceName and without a claim",
                                r->vm->release->name);
        }
}

/* template.go, VMIResourcePredicates; WithSEV, WithTDX, WithPersistentReservation: devices that go
 * with a feature */
static void feature_devices(struct renderer *r)
{
        const struct vm *vm = r->vm;
        bool reserves = false;

        if (vm_sev(vm))
                request_device(r, DEVICE("sev"));
        if (vm_tdx(vm) && vm->release->tdx_device)
                request_device(r, DEVICE("tdx"));
        REF_EACH(disk, ref_get(vm->devices, "disks"))
                reserves = reserves || vm_reserves(disk.item);
        if (reserves)
                request_device(r, DEVICE("pr-helper"));
}

/* template.go, newResourceRenderer and VMIResourcePredicates: the order of the steps;
 * ResourceRequirements: their sum */
static jv render(struct renderer *r)
{
        const struct vm *vm = r->vm;
        struct ref own = ref_get(vm->domain, "resources");
        const struct path *at = AT(vm->spec_at, "domain.resources");

        amounts_read(&r->vm_limits, ref_get(own, "limits"), AT(at, "limits"), vm->diag);
        amounts_read(&r->vm_requests, ref_get(own, "requests"), AT(at, "requests"), vm->diag);
        ephemeral_storage(r);
        virtualization(r);
        memory_requests(r);
        if (vm->dedicated)
                cpu_pinning(r);
        else
                cpu_shares(r);
        if (vm_hugepages(vm))
                hugepages(r);
        else
                memory_overheads(r);
        devices(r, "gpus", "GPUsWithDRA");
        devices(r, "hostDevices", "HostDevicesWithDRA");
        feature_devices(r);
        amounts_overlay(&r->limits, &r->vm_limits);
        amounts_overlay(&r->requests, &r->vm_requests);
        return jvx_build("{limits: %j, requests: %j, claims: %j}", amounts_json(&r->limits),
                         amounts_json(&r->requests), jvx_take(&r->claims));
}

jv compute_resources(const struct vm *vm)
{
        struct renderer r = { .vm = vm,
                              .vm_limits = AMOUNTS_INIT,
                              .vm_requests = AMOUNTS_INIT,
                              .limits = AMOUNTS_INIT,
                              .requests = AMOUNTS_INIT,
                              .claims = jv_invalid() };
        jv resources = render(&r);

        amounts_release(&r.vm_limits);
        amounts_release(&r.vm_requests);
        amounts_release(&r.limits);
        amounts_release(&r.requests);
        return resources;
}
