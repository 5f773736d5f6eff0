/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert.h"
#include "quantity.h"

#define CPU_PERIOD    100000 /* microseconds */
#define CPU_QUOTA_MIN 1000   /* what Linux takes at least */

/* The quantity of resources.LIST.NAME; false if there is none, or it is 0, or (with a report) no
 * quantity. */
static bool get(struct convert *c, struct ref resources, const struct path *at, const char *list,
                const char *name, struct quantity *ret)
{
        struct ref v = ref_get(ref_get(resources, list), name);

        if (!ref_is_set(v))
                return false;
        if (quantity_of(v, ret) && quantity_compare(*ret, quantity_or_zero(ref_get(v, ""))) >= 0)
                return !quantity_is_zero(*ret);
        diag_report(c->d, VMQ_POD_VALUE, AT_KEY(AT(at, list), name),
                    "not an amount of %s; write it like 500m, 2 or 1Gi", name);
        return false;
}

static void add_cpu_limit(struct convert *c, struct unit *u, struct quantity cpu,
                          const struct path *at)
{
        long long quota = quantity_milli_value(cpu) * (CPU_PERIOD / 1000);
        BUF_AUTO struct buf text = BUF_INIT;

        buf_addf(&text, "%lld", quota < CPU_QUOTA_MIN ? CPU_QUOTA_MIN : quota);
        key_podman_arg(c, u, "--cpu-quota", text.s, at);
        buf_clear(&text);
        buf_addf(&text, "%d", CPU_PERIOD);
        key_podman_arg(c, u, "--cpu-period", text.s, at);
}

/* As the kubelet weighs containers (pkg/kubelet/cm, MilliCPUToShares). */
static void add_cpu_request(struct convert *c, struct unit *u, struct quantity cpu,
                            const struct path *at)
{
        long long shares = quantity_milli_value(cpu) * 1024 / 1000;
        BUF_AUTO struct buf text = BUF_INIT;

        buf_addf(&text, "%lld", shares < 2 ? 2 : shares > 262144 ? 262144 : shares);
        key_podman_arg(c, u, "--cpu-shares", text.s, at);
}

/* Resources with a meaning here, or reported elsewhere. */
static bool is_known(const char *name)
{
        return strcmp(name, "cpu") == 0 || strcmp(name, "memory") == 0;
}

static void note_huge_pages(struct convert *c, struct ref amount, const char *size,
                            const struct path *at)
{
        struct quantity total, page;

        if (!quantity_of(amount, &total) || !quantity_parse(size, &page) || page.nano <= 0)
                diag_report(c->d, VMQ_POD_VALUE, at, "not an amount of huge pages");
        else if (total.nano > 0)
                diag_report(c->d, VMQ_HUGEPAGES, at,
                            "the host must set aside %lld huge pages of %s for this",
                            (long long)((total.nano + page.nano - 1) / page.nano), size);
}

/* Huge pages are noted where they are limits: requests of them are the same (core/v1). */
static void check_others(struct convert *c, struct ref list, const struct path *at)
{
        bool limits = strcmp(at->key, "limits") == 0;

        REF_EACH(r, list) {
                bool huge = strncmp(r.key, "hugepages-", 10) == 0;

                if (is_known(r.key) || (huge && !limits))
                        continue;
                if (huge)
                        note_huge_pages(c, r.item, r.key + 10, AT_KEY(at, r.key));
                else if (!c->launcher)
                        diag_report(c->d, VMQ_POD_FIELD, AT_KEY(at, r.key),
                                    "not honoured; Podman limits only CPU and memory");
        }
}

void resources_add(struct convert *c, const struct container *k, struct unit *u)
{
        struct ref resources = ref_get(k->ref, "resources");
        const struct path *at = AT(k->at, "resources");
        BUF_AUTO struct buf text = BUF_INIT;
        struct quantity q;

        if (get(c, resources, at, "limits", "memory", &q))
                key_addf(c, u, KEY_Memory, AT(at, "limits.memory"), "%lld", quantity_value(q));
        if (get(c, resources, at, "requests", "memory", &q)) {
                buf_addf(&text, "%lld", quantity_value(q));
                key_podman_arg(c, u, "--memory-reservation", text.s, AT(at, "requests.memory"));
        }
        if (get(c, resources, at, "limits", "cpu", &q))
                add_cpu_limit(c, u, q, AT(at, "limits.cpu"));
        /* A VM's requests are the scheduler's, not the launcher's share. */
        if (get(c, resources, at, "requests", "cpu", &q) && !c->launcher)
                add_cpu_request(c, u, q, AT(at, "requests.cpu"));
        check_others(c, ref_get(resources, "limits"), AT(at, "limits"));
        check_others(c, ref_get(resources, "requests"), AT(at, "requests"));
}

/* spec.resources: the pod's own cgroup. */
void resources_add_pod(struct convert *c, struct unit *u)
{
        struct ref resources = ref_get(c->spec, "resources");
        const struct path *at = AT(c->at_spec, "resources");
        BUF_AUTO struct buf text = BUF_INIT;
        struct quantity q;

        if (get(c, resources, at, "limits", "memory", &q)) {
                buf_addf(&text, "%lld", quantity_value(q));
                key_podman_arg(c, u, "--memory", text.s, AT(at, "limits.memory"));
        }
        buf_clear(&text);
        if (get(c, resources, at, "limits", "cpu", &q)) {
                long long milli = quantity_milli_value(q);

                buf_addf(&text, "%lld.%03lld", milli / 1000, milli % 1000);
                key_podman_arg(c, u, "--cpus", text.s, AT(at, "limits.cpu"));
        }
        if (ref_len(ref_get(resources, "requests")))
                diag_report(c->d, VMQ_POD_FIELD, AT(at, "requests"),
                            "not honoured; a pod of Podman has limits only");
        check_others(c, ref_get(resources, "limits"), AT(at, "limits"));
}
