/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/rules.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "jvx.h"
#include "mem.h"
#include "names.h"

jv index_by(struct ref list, const char *field)
{
        jv table = jv_object();

        REF_EACH(e, list) {
                const char *name = ref_str(ref_get(e.item, field));

                if (name && index_of(&table, name) < 0)
                        jvx_set(&table, name, jv_number(e.i));
        }
        return table;
}

int index_of(const jv *table, const char *name)
{
        return (int)ref_int(ref_get(ref_of(table), name), -1);
}

struct ref named(const jv *table, struct ref list, const char *name)
{
        return ref_item(list, index_of(table, name));
}

bool feature_on(struct ref state)
{
        return ref_is_set(state) && ref_bool(ref_get(state, "enabled"), true);
}

void one_of(const struct subject *s, enum diag_code code, const struct path *at, const char *value,
            const char *const words[])
{
        BUF_AUTO struct buf list = BUF_INIT;

        if (!*value)
                return;
        for (int i = 0; words[i]; i++) {
                if (strcmp(words[i], value) == 0)
                        return;
                buf_addf(&list, "%s%s", !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
        }
        diag_report(s->d, code, at, "'%.100s' is not a known value; use %s", value, list.s);
}

bool disk_is_read_only(const struct subject *s, const char *name)
{
        struct ref disk = named(&s->disk_at, s->disks, name);

        return ref_is_set(ref_get(disk, "cdrom")) ||
               ref_bool(ref_at(disk, "disk.readonly"), false) ||
               ref_bool(ref_at(disk, "lun.readonly"), false) ||
               ref_bool(ref_get(disk, "shareable"), false);
}

void report_missing(const struct subject *s, enum diag_code code, const struct path *at,
                    const char *fmt, ...)
{
        BUF_AUTO struct buf text = BUF_INIT;
        va_list ap;

        if (diag_told(s->d, at))
                return;
        va_start(ap, fmt);
        buf_vaddf(&text, fmt, ap);
        va_end(ap);
        diag_report(s->d, code, at, "%s", text.s);
}

char *shown(struct ref value)
{
        BUF_AUTO struct buf text = BUF_INIT;

        if (ref_str(value))
                return mem_strdup(ref_str(value));
        if (ref_kind(value) != JV_KIND_INVALID)
                json_print(&value.v, &text);
        return text.len ? buf_detach(&text) : mem_strdup("");
}

void want_label(const struct subject *s, enum diag_code code, const struct path *at,
                const char *text)
{
        if (!name_is_label(text))
                report_missing(
                        s, code, at,
                        "'%.100s' is not a DNS label; use at most 63 of a-z, 0-9 and '-', with a "
                        "letter or digit at both ends",
                        text);
}

void want_subdomain(const struct subject *s, enum diag_code code, const struct path *at,
                    const char *text)
{
        if (!name_is_subdomain(text))
                report_missing(
                        s, code, at,
                        "'%.100s' is not a DNS name; use at most 253 of a-z, 0-9, '-' and '.', "
                        "with a letter or digit at both ends of every part",
                        text);
}

int count_set(struct ref r, const char *const members[])
{
        int n = 0;

        if (ref_kind(r) != JV_KIND_OBJECT)
                return 0;
        REF_EACH(m, r)
                for (int i = 0; members[i]; i++)
                        n += strcmp(members[i], m.key) == 0 && ref_is_set(m.item);
        return n;
}

const char *path_fault(const char *path)
{
        if (strcmp(path, "/") == 0)
                return "is the root; name a file";
        if (*path != '/')
                return "is not absolute; write it from the root on";
        while (*path++ == '/') {
                size_t n = strcspn(path, "/");

                if (!path[n] && !n)
                        break; /* one slash at the end is fine */
                if (!n || (n == 1 && *path == '.') || (n == 2 && path[0] == '.' && path[1] == '.'))
                        return "has an empty, '.' or '..' part; write it without";
                path += n;
                if (!*path)
                        break;
        }
        return NULL;
}

/* pkg/defaults/defaults.go, setDefaultResourceRequests: a CPU limit alone is the request as well.
 */
static void fill_amounts(struct subject *s)
{
        struct ref requests = ref_get(s->resources, "requests");
        struct ref limits = ref_get(s->resources, "limits");
        struct ref guest = ref_get(s->memory, "guest");
        struct quantity page;

        s->request_memory = quantity_or_zero(ref_get(requests, "memory"));
        s->limit_memory = quantity_or_zero(ref_get(limits, "memory"));
        s->request_cpu = quantity_or_zero(ref_get(requests, "cpu"));
        s->limit_cpu = quantity_or_zero(ref_get(limits, "cpu"));
        if (quantity_is_zero(s->request_cpu))
                s->request_cpu = s->limit_cpu;

        /* setGuestMemory of that file */
        s->has_guest = true;
        if (quantity_of(guest, &s->guest))
                return;
        if (!quantity_is_zero(s->request_memory))
                s->guest = s->request_memory;
        else if (!quantity_is_zero(s->limit_memory))
                s->guest = s->limit_memory;
        else if (quantity_of(ref_at(s->memory, "hugepages.pageSize"), &page))
                s->guest = page;
        else
                s->has_guest = false;
}

/* pkg/defaults/defaults.go, SetDefaultGuestCPUTopology */
static void fill_topology(struct subject *s)
{
        struct ref limit = ref_at(s->resources, "limits.cpu");
        struct ref request = ref_at(s->resources, "requests.cpu");
        long long sockets = 1;

        s->sockets = (unsigned)ref_int(ref_get(s->cpu, "sockets"), 0);
        s->cores = (unsigned)ref_int(ref_get(s->cpu, "cores"), 0);
        s->threads = (unsigned)ref_int(ref_get(s->cpu, "threads"), 0);
        if (s->sockets || s->cores || s->threads)
                return;
        if (ref_is_set(limit))
                sockets = quantity_value(s->limit_cpu);
        else if (ref_is_set(request))
                sockets = quantity_value(s->request_cpu);
        s->sockets = (unsigned)sockets;
        s->cores = s->threads = 1;
}

/* pkg/network/vmispec/defaults.go, SetDefaultNetworkInterface, adds a pod network where there is no
 * interface and no network. */
static void fill_network(struct subject *s)
{
        if (!ref_len(s->networks) && !ref_len(s->interfaces))
                s->pod_network = ref_bool(ref_get(s->devices, "autoattachPodInterface"), true);
        REF_EACH(net, s->networks)
                s->pod_network = s->pod_network || ref_is_set(ref_get(net.item, "pod"));
}

static void fill_views(struct subject *s)
{
        s->spec = ref_get(s->vm, "spec");
        s->template = ref_get(s->spec, "template");
        s->vmi = ref_get(s->template, "spec");
        s->domain = ref_get(s->vmi, "domain");
        s->cpu = ref_get(s->domain, "cpu");
        s->memory = ref_get(s->domain, "memory");
        s->resources = ref_get(s->domain, "resources");
        s->devices = ref_get(s->domain, "devices");
        s->volumes = ref_get(s->vmi, "volumes");
        s->networks = ref_get(s->vmi, "networks");
        s->disks = ref_get(s->devices, "disks");
        s->filesystems = ref_get(s->devices, "filesystems");
        s->interfaces = ref_get(s->devices, "interfaces");
        s->templates = ref_get(s->spec, "dataVolumeTemplates");
}

static jv index_templates(struct ref templates)
{
        jv table = jv_object();

        REF_EACH(t, templates) {
                const char *name = ref_text(t.item, "metadata.name");

                if (*name && index_of(&table, name) < 0)
                        jvx_set(&table, name, jv_number(t.i));
        }
        return table;
}

void subject_open(struct subject *s, struct ref item)
{
        s->vm = ref_get(item, "vm");
        fill_views(s);
        s->name = ref_text(s->vm, "metadata.name");
        s->arch = ref_text(s->vmi, "architecture");
        if (!*s->arch)
                s->arch = "amd64";
        s->volume_at = index_by(s->volumes, "name");
        s->disk_at = index_by(s->disks, "name");
        s->filesystem_at = index_by(s->filesystems, "name");
        s->interface_at = index_by(s->interfaces, "name");
        s->network_at = index_by(s->networks, "name");
        s->template_at = index_templates(s->templates);
        fill_amounts(s);
        fill_topology(s);
        fill_network(s);
}

void subject_close(struct subject *s)
{
        jv_free(s->volume_at);
        jv_free(s->disk_at);
        jv_free(s->filesystem_at);
        jv_free(s->interface_at);
        jv_free(s->network_at);
        jv_free(s->template_at);
}

void rules_check(struct ref item, const struct settings *settings, struct diag *d)
{
        struct subject s = { .d = d, .settings = settings };

        subject_open(&s, item);
        for (int i = 0; i < n_rules; i++)
                rules[i].check(&s);
        subject_close(&s);
}
