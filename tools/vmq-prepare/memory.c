/* SPDX-License-Identifier: Apache-2.0 */
/* memory - how much the guest sees, and how much it may grow to. */
#include "defaults.h"
#include "jvx.h"
#include "quantity.h"

#define MIB           ((long long)1 << 20)
#define GIB           ((long long)1 << 30)

#define HOTPLUG_RATIO 4 /* pkg/virt-config/virt-config.go, DefaultMaxHotplugRatio */

/*
 * pkg/defaults/defaults.go, setGuestMemory: from the request, else the limit, else one huge page.
 * A page size that is no quantity leaves the guest without any.
 */
void set_guest_memory(jv *vmi)
{
        struct ref domain = ref_at(ref_of(vmi), "spec.domain");
        static const char *const sources[] = { "resources.requests.memory",
                                               "resources.limits.memory" };
        struct quantity q;

        if (ref_is_set(ref_at(domain, "memory.guest")))
                return;
        for (int i = 0; i < 2; i++) {
                if (!quantity_of(ref_at(domain, sources[i]), &q) || quantity_is_zero(q))
                        continue;
                jvx_set_at(vmi, "spec.domain.memory.guest", quantity_text(q));
                return;
        }
        if (quantity_of(ref_at(domain, "memory.hugepages.pageSize"), &q))
                jvx_set_at(vmi, "spec.domain.memory.guest", quantity_text(q));
        else
                jvx_set_default_at(vmi, "spec.domain.memory", jv_object());
}

/* pkg/defaults/defaults.go, setGuestMemoryStatus. */
void set_memory_status(jv *vmi)
{
        struct ref guest = ref_at(ref_of(vmi), "spec.domain.memory.guest");

        if (ref_is_set(guest))
                jvx_set_at(vmi, "status.memory",
                           jvx_build("{guestAtBoot: %r, guestCurrent: %r, guestRequested: %r}",
                                     guest, guest, guest));
}

/* pkg/liveupdate/memory/memory.go, ValidateLiveUpdateMemory: can this guest's memory grow? An
 * architecture that is not said is not amd64 here. */
static bool can_grow(struct ref spec, struct quantity guest, struct quantity max)
{
        struct ref domain = ref_get(spec, "domain");
        long long block =
                ref_eq(ref_at(domain, "memory.hugepages.pageSize"), "1Gi") ? GIB : 2 * MIB;

        return !ref_is_set(ref_at(domain, "cpu.realtime")) &&
               !ref_is_set(ref_at(domain, "cpu.numa.guestMappingPassthrough")) &&
               !ref_is_set(ref_get(domain, "launchSecurity")) &&
               quantity_compare(guest, max) <= 0 && quantity_value(guest) % block == 0 &&
               quantity_value(max) % block == 0 && ref_eq(ref_get(spec, "architecture"), "amd64") &&
               quantity_value(guest) >= GIB;
}

/* pkg/defaults/defaults.go, setupMemoryHotplug: up to four times what it starts with. The product
 * wraps around as Go's does. */
void set_max_guest(jv *vmi)
{
        struct ref spec = ref_get(ref_of(vmi), "spec");
        struct quantity guest;

        if (ref_is_set(ref_at(spec, "domain.memory.maxGuest")) ||
            !quantity_of(ref_at(spec, "domain.memory.guest"), &guest))
                return;
        uint64_t product = (uint64_t)quantity_value(guest) * HOTPLUG_RATIO;
        struct quantity max = quantity_units((long long)product, QUANTITY_BINARY_SI);

        if (can_grow(spec, guest, max))
                jvx_set_at(vmi, "spec.domain.memory.maxGuest", quantity_text(max));
}
