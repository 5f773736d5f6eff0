/* SPDX-License-Identifier: Apache-2.0 */
/* CPUs of the guest: topology, pinning, NUMA, realtime. */
#include <stdlib.h>

#include "mem.h"
#include "rules/rules.h"

static bool pinned(const struct subject *s)
{
        return ref_bool(ref_get(s->cpu, "dedicatedCpuPlacement"), false);
}

/* pkg/util/hardware/hw_utils.go, GetNumberOfVCPUs: what is zero does not count; 32 bits, as there.
 */
static long long vcpus(const struct subject *s)
{
        unsigned n = s->cores;

        if (s->sockets)
                n = n ? n * s->sockets : s->sockets;
        if (s->threads)
                n = n ? n * s->threads : s->threads;
        return n;
}

void rule_cpu_limit(const struct subject *s)
{
        long long request = quantity_milli_value(s->request_cpu);
        long long limit = quantity_milli_value(s->limit_cpu);
        MEM_AUTO char *request_text = shown(ref_at(s->resources, "requests.cpu"));
        MEM_AUTO char *limit_text = shown(ref_at(s->resources, "limits.cpu"));

        if (limit > 0 && request > limit)
                diag_report(s->d, VMQ_CPU_LIMIT, AT_DOMAIN("resources.requests.cpu"),
                            "the request of %.60s is above the limit of %.60s; raise limits.cpu",
                            request_text, limit_text);
}

void rule_cpu_pinned_memory(const struct subject *s)
{
        if (!pinned(s) || !quantity_is_zero(s->limit_memory) ||
            !quantity_is_zero(s->request_memory) || ref_is_set(ref_get(s->memory, "hugepages")))
                return;
        if (!s->has_guest || quantity_is_zero(s->guest))
                diag_report(s->d, VMQ_PINNED_MEMORY, AT_DOMAIN("cpu.dedicatedCpuPlacement"),
                            "dedicated CPUs need a memory figure; add memory.guest or "
                            "resources.limits.memory");
}

static void want_whole(const struct subject *s, struct quantity q, const struct path *at)
{
        /* more than fits in thousandths is no whole figure, as in Go */
        unsigned long long milli = (unsigned long long)quantity_value(q) * 1000;

        if (quantity_value(q) > 0 && (long long)milli != quantity_milli_value(q))
                diag_report(s->d, VMQ_PINNED_WHOLE, at,
                            "dedicated CPUs are whole; round the figure");
}

void rule_cpu_pinned_whole(const struct subject *s)
{
        if (!pinned(s))
                return;
        want_whole(s, s->request_cpu, AT_DOMAIN("resources.requests.cpu"));
        want_whole(s, s->limit_cpu, AT_DOMAIN("resources.limits.cpu"));
}

void rule_cpu_pinned_equal(const struct subject *s)
{
        long long cpu = quantity_value(s->request_cpu), cpu_limit = quantity_value(s->limit_cpu);
        long long mem = quantity_value(s->request_memory);
        long long mem_limit = quantity_value(s->limit_memory);

        if (!pinned(s))
                return;
        if (mem > 0 && mem_limit > 0 && mem != mem_limit)
                diag_report(s->d, VMQ_PINNED_EQUAL, AT_DOMAIN("resources.requests.memory"),
                            "with dedicated CPUs the memory request equals the limit; make them "
                            "the same");
        if (cpu > 0 && cpu_limit > 0 && cpu != cpu_limit)
                diag_report(s->d, VMQ_PINNED_EQUAL, AT_DOMAIN("cpu.dedicatedCpuPlacement"),
                            "with dedicated CPUs resources.requests.cpu equals "
                            "resources.limits.cpu; make them the same");
        if ((cpu > 0 || cpu_limit > 0) && vcpus(s) > 0 && cpu != vcpus(s) && cpu_limit != vcpus(s))
                diag_report(s->d, VMQ_PINNED_TOPOLOGY, AT_DOMAIN("cpu.dedicatedCpuPlacement"),
                            "the topology has %lld CPUs and resources say otherwise; leave "
                            "resources.requests.cpu and limits.cpu out",
                            vcpus(s));
}

void rule_cpu_pinned_threads(const struct subject *s)
{
        if (!pinned(s))
                return;
        if (s->threads > 1 && ref_eq(ref_get(s->vmi, "architecture"), "arm64"))
                diag_report(s->d, VMQ_ARM64_THREADS, AT_DOMAIN("cpu.threads"),
                            "%u threads a core, and architecture arm64 has one; use cores",
                            s->threads);
        if (s->threads > 2)
                diag_report(s->d, VMQ_PINNED_THREADS, AT_DOMAIN("cpu.threads"),
                            "%u threads a core, and at most 2 go with dedicatedCpuPlacement; use "
                            "cores",
                            s->threads);
}

void rule_numa(const struct subject *s)
{
        const struct path *at = AT_DOMAIN("cpu.numa.guestMappingPassthrough");

        if (!ref_is_set(ref_at(s->cpu, "numa.guestMappingPassthrough")))
                return;
        if (!pinned(s))
                diag_report(s->d, VMQ_NUMA, at,
                            "NUMA nodes of the host are mapped for dedicated CPUs only; set "
                            "cpu.dedicatedCpuPlacement: true");
        if (!ref_is_set(ref_get(s->memory, "hugepages")))
                diag_report(s->d, VMQ_NUMA, at,
                            "NUMA nodes of the host are mapped with huge pages only; add "
                            "memory.hugepages");
}

void rule_cpu_isolate_emulator(const struct subject *s)
{
        if (ref_bool(ref_get(s->cpu, "isolateEmulatorThread"), false) && !pinned(s))
                diag_report(s->d, VMQ_ISOLATE_EMULATOR, AT_DOMAIN("cpu.isolateEmulatorThread"),
                            "a CPU for the emulator goes with dedicated CPUs only; set "
                            "cpu.dedicatedCpuPlacement: true");
}

void rule_cpu_feature_policies(const struct subject *s)
{
        static const char *const known[] = { "force",   "require", "optional",
                                             "disable", "forbid",  NULL };

        REF_EACH(f, ref_get(s->cpu, "features"))
                one_of(s, VMQ_CPU_FEATURE_POLICY,
                       AT(AT_INDEX(AT_DOMAIN("cpu.features"), f.i), "policy"),
                       ref_text(f.item, "policy"), known);
}

void rule_cpu_max_sockets(const struct subject *s)
{
        unsigned max = (unsigned)ref_int(ref_get(s->cpu, "maxSockets"), 0);

        if (max && s->sockets > max)
                diag_report(s->d, VMQ_MAX_SOCKETS, AT_DOMAIN("cpu.sockets"),
                            "%u sockets are above maxSockets: %u; drop maxSockets, CPUs are not "
                            "added to a running guest here",
                            s->sockets, max);
}

void rule_realtime(const struct subject *s)
{
        if (!ref_is_set(ref_get(s->cpu, "realtime")))
                return;
        if (!pinned(s))
                diag_report(s->d, VMQ_REALTIME, AT_DOMAIN("cpu.realtime"),
                            "realtime needs dedicated CPUs; set cpu.dedicatedCpuPlacement: true");
        if (!ref_is_set(ref_at(s->cpu, "numa.guestMappingPassthrough")))
                diag_report(s->d, VMQ_REALTIME, AT_DOMAIN("cpu.realtime"),
                            "realtime needs the host's NUMA nodes; add "
                            "cpu.numa.guestMappingPassthrough: {}");
}

void rule_cpu_count(const struct subject *s)
{
        long long sockets = ref_int(ref_get(s->cpu, "sockets"), 1);
        long long cores = ref_int(ref_get(s->cpu, "cores"), 1);
        long long threads = ref_int(ref_get(s->cpu, "threads"), 1);
        const long long most = 4096; /* what QEMU's largest machines take */

        sockets = sockets > 0 ? sockets : 1;
        cores = cores > 0 ? cores : 1;
        threads = threads > 0 ? threads : 1;
        if (sockets > most || cores > most || threads > most || sockets * cores * threads > most)
                diag_report(s->d, VMQ_CPU_COUNT, AT_DOMAIN("cpu"),
                            "sockets, cores and threads make more than %lld CPUs, which no machine "
                            "type has; use fewer",
                            most);
}

void rule_arm64_cpu_model(const struct subject *s)
{
        const char *model = ref_text(s->cpu, "model");

        if (ref_eq(ref_get(s->vmi, "architecture"), "arm64") && *model &&
            !ref_eq(ref_get(s->cpu, "model"), "host-passthrough"))
                diag_report(s->d, VMQ_ARM64_CPU_MODEL, AT_DOMAIN("cpu.model"),
                            "arm64 has host-passthrough only, not '%.100s'; leave the model out",
                            model);
}
