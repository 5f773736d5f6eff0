/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the guest: figures that must fit each other. */
#include <stdlib.h>

#include "array.h"
#include "mem.h"
#include "rules/rules.h"

static struct quantity zero(void)
{
        return quantity_units(0, QUANTITY_DECIMAL_SI);
}

static bool positive(struct quantity q)
{
        return quantity_compare(q, zero()) > 0;
}

/* Values of resources that are given and not above zero: validateResourceQuantities of the
 * reference converter; KubeVirt itself refuses the negative ones only. */
void rule_resources_positive(const struct subject *s)
{
        static const char *const lists[] = { "requests", "limits" };
        static const char *const names[] = { "memory", "cpu" };

        for (size_t l = 0; l < ARRAY_LEN(lists); l++) {
                for (size_t n = 0; n < ARRAY_LEN(names); n++) {
                        struct ref value = ref_get(ref_get(s->resources, lists[l]), names[n]);
                        struct quantity q;
                        MEM_AUTO char *text = shown(value);

                        if (!quantity_of(value, &q) || positive(q))
                                continue;
                        diag_report(s->d, VMQ_NOT_POSITIVE,
                                    AT(AT(AT_DOMAIN("resources"), lists[l]), names[n]),
                                    "%.60s is not a positive amount; leave it out or raise it",
                                    text);
                }
        }
}

void rule_memory_request(const struct subject *s)
{
        struct ref value = ref_at(s->resources, "requests.memory");
        MEM_AUTO char *text = shown(value);

        if (positive(s->request_memory) &&
            quantity_compare(s->request_memory, quantity_units(1000000, QUANTITY_DECIMAL_SI)) < 0)
                diag_report(s->d, VMQ_MEMORY_REQUEST, AT_DOMAIN("resources.requests.memory"),
                            "%.60s is below 1M; 'm' means thousandths, 'M' and 'Mi' millions",
                            text);
}

void rule_memory_limit(const struct subject *s)
{
        MEM_AUTO char *request = shown(ref_at(s->resources, "requests.memory"));
        MEM_AUTO char *limit = shown(ref_at(s->resources, "limits.memory"));

        if (quantity_value(s->limit_memory) > 0 &&
            quantity_value(s->request_memory) > quantity_value(s->limit_memory))
                diag_report(s->d, VMQ_MEMORY_LIMIT, AT_DOMAIN("resources.requests.memory"),
                            "the request of %.60s is above the limit of %.60s; raise "
                            "limits.memory",
                            request, limit);
}

/* The memory that hugepages are cut from, as vmi-create-admitter.go picks it,
 * validateHugepagesMemoryRequests. */
static long long hugepages_memory(const struct subject *s)
{
        long long memory = quantity_value(s->request_memory);

        if (!memory)
                memory = quantity_value(s->guest);
        return memory ? memory : quantity_value(s->limit_memory);
}

void rule_hugepages(const struct subject *s)
{
        struct ref hugepages = ref_get(s->memory, "hugepages");
        const char *text = ref_text(hugepages, "pageSize");
        const struct path *at = AT_DOMAIN("memory.hugepages.pageSize");
        struct quantity size;

        if (!ref_is_set(hugepages))
                return;
        /* A size beyond 63 bits has the value 0, in Go as here. */
        if (!quantity_parse(text, &size) || !positive(size) || quantity_value(size) == 0) {
                diag_report(s->d, VMQ_HUGEPAGES_SIZE, at,
                            "'%.60s' is not a page size; use 2Mi or 1Gi", text);
                return;
        }
        long long memory = hugepages_memory(s), page = quantity_value(size);
        bool asked = !quantity_is_zero(s->request_memory);

        if (memory > 0 && memory < page)
                diag_report(s->d, VMQ_HUGEPAGES_FIT, at,
                            "a page of %.60s is larger than the guest's memory (%s); use smaller "
                            "pages",
                            text, asked ? "resources.requests.memory" : "memory.guest");
        else if (memory % page)
                diag_report(s->d, VMQ_HUGEPAGES_FIT, at,
                            "the guest's memory (%s) is not a multiple of the page size %.60s; "
                            "round it up",
                            asked ? "resources.requests.memory" : "memory.guest", text);
}

/* pkg/liveupdate/memory/memory.go, ValidateLiveUpdateMemory: what does not go with room for more
 * memory; only the first counts. */
static const char *hotplug_fault(const struct subject *s, struct quantity max)
{
        long long block =
                ref_eq(ref_at(s->memory, "hugepages.pageSize"), "1Gi") ? 1LL << 30 : 2LL << 20;

        if (ref_is_set(ref_get(s->cpu, "realtime")))
                return "more memory than guest cannot be held ready for a realtime VM";
        if (ref_is_set(ref_at(s->cpu, "numa.guestMappingPassthrough")))
                return "more memory than guest cannot be held ready with guestMappingPassthrough";
        if (ref_is_set(ref_get(s->domain, "launchSecurity")))
                return "more memory than guest cannot be held ready for an encrypted VM";
        if (!s->has_guest)
                return "maxGuest needs memory.guest";
        if (quantity_compare(s->guest, max) > 0)
                return "memory.guest is above maxGuest";
        if (quantity_value(s->guest) % block)
                return block == 2LL << 20 ? "memory.guest is not a multiple of 2Mi"
                                          : "memory.guest is not a multiple of 1Gi";
        if (quantity_value(max) % block)
                return block == 2LL << 20 ? "maxGuest is not a multiple of 2Mi"
                                          : "maxGuest is not a multiple of 1Gi";
        if (!ref_eq(ref_get(s->vmi, "architecture"), "amd64") && *ref_text(s->vmi, "architecture"))
                return "maxGuest works on amd64 only";
        if (quantity_value(s->guest) < 1LL << 30)
                return "maxGuest needs at least 1Gi of memory.guest";
        return NULL;
}

void rule_max_guest(const struct subject *s)
{
        struct ref max = ref_get(s->memory, "maxGuest");
        struct quantity q;

        if (!ref_is_set(max) || !quantity_of(max, &q))
                return;
        const char *fault = hotplug_fault(s, q);

        if (fault)
                diag_report(s->d, VMQ_MAX_GUEST, AT_DOMAIN("memory.maxGuest"),
                            "%s; drop maxGuest, memory is not added to a running guest here",
                            fault);
}

void rule_reserved_overhead(const struct subject *s)
{
        if (ref_is_set(ref_get(s->memory, "reservedOverhead")))
                diag_report(
                        s->d, VMQ_RESERVED_OVERHEAD, AT_DOMAIN("memory.reservedOverhead"),
                        "reservedOverhead needs the feature gate ReservedOverheadMemlock, which "
                        "is off; raise resources.requests.memory instead");
}

void rule_guest_memory(const struct subject *s)
{
        struct ref guest = ref_get(s->memory, "guest");
        bool asked = !quantity_is_zero(s->request_memory);
        struct quantity q;
        MEM_AUTO char *text = shown(guest);

        if (quantity_of(guest, &q) && !positive(q)) {
                diag_report(s->d, VMQ_GUEST_MEMORY, AT_DOMAIN("memory.guest"),
                            "%.60s is no memory to run a guest in; say how much it has", text);
                return;
        }
        if (ref_is_set(s->vmi) && !asked && !ref_is_set(guest) &&
            !ref_is_set(ref_get(s->memory, "hugepages")) && quantity_is_zero(s->limit_memory) &&
            !ref_is_set(ref_get(s->spec, "instancetype")))
                report_missing(s, VMQ_NO_MEMORY, AT_DOMAIN("memory.guest"),
                               "the guest has no memory; add domain.memory.guest");
        if (quantity_of(guest, &q) && positive(s->limit_memory) &&
            quantity_compare(s->limit_memory, q) < 0)
                diag_report(s->d, VMQ_GUEST_ABOVE_LIMIT, AT_DOMAIN("resources.limits.memory"),
                            "the limit is below the guest's memory of %.60s, so the kernel kills "
                            "the VM once it uses that much; raise the limit",
                            text);
}
