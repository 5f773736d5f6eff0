/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "jvx.h"
#include "mem.h"
#include "parts.h"

struct device {
        const char *name; /* of the volume */
        const char *path;
};

static const struct device always[] = {
        { "kvm", "/dev/kvm" },
        { "tun", "/dev/net/tun" },
        { "vhost-net", "/dev/vhost-net" },
};

static const struct device nvidia_control[] = {
        { "nvidiactl", "/dev/nvidiactl" },
        { "nvidia-uvm", "/dev/nvidia-uvm" },
        { "nvidia-uvm-tools", "/dev/nvidia-uvm-tools" },
        { "nvidia-modeset", "/dev/nvidia-modeset" },
};

enum vendor { NVIDIA, DRI, UNKNOWN };

static const struct {
        const char *word; /* in lower case */
        enum vendor vendor;
} vendors[] = {
        { "nvidia", NVIDIA },
        { "amd", DRI },
        { "radeon", DRI },
        { "intel", DRI },
};

static void add_device(struct pod *p, const char *name, const char *path)
{
        if (pod_add_volume(p, jvx_build("{name: %s, hostPath: {path: %s, type: 'CharDevice'}}",
                                        name, path)))
                pod_mount(p, jvx_build("{name: %s, mountPath: %s}", name, path));
}

static void add_devices(struct pod *p, const struct device *devices, size_t n)
{
        for (size_t i = 0; i < n; i++)
                add_device(p, devices[i].name, devices[i].path);
}

/* A device with a number in both names. */
static void add_numbered(struct pod *p, const char *name, int n, const char *path, int node)
{
        BUF_AUTO struct buf full_name = BUF_INIT;
        BUF_AUTO struct buf full_path = BUF_INIT;

        buf_addf(&full_name, "%s%d", name, n);
        buf_addf(&full_path, "%s%d", path, node);
        add_device(p, full_name.s, full_path.s);
}

/* Does the text have the word in it, in whatever case? */
static bool has_word(const char *text, const char *word)
{
        for (; *text; text++) {
                size_t i = 0;

                while (word[i] && tolower((unsigned char)text[i]) == word[i])
                        i++;
                if (!word[i])
                        return true;
        }
        return false;
}

static enum vendor vendor_of(const char *device_name)
{
        for (size_t i = 0; i < ARRAY_LEN(vendors); i++) {
                if (has_word(device_name, vendors[i].word))
                        return vendors[i].vendor;
        }
        return UNKNOWN;
}

static void add_gpu(struct pod *p, int i, struct ref gpu)
{
        const struct path *at = AT_INDEX(AT(NULL, "spec.template.spec.domain.devices.gpus"), i);
        const char *name = ref_text(gpu, "deviceName");

        switch (vendor_of(name)) {
        case NVIDIA:
                add_numbered(p, "nvidia", i, "/dev/nvidia", i);
                if (i == 0)
                        add_devices(p, nvidia_control, ARRAY_LEN(nvidia_control));
                else if (vendor_of(ref_text(ref_item(ref_at(p->vmi, "spec.domain.devices.gpus"), 0),
                                            "deviceName")) != NVIDIA)
                        diag_report(p->diag, VMQ_ADAPT_GPU_ORDER, AT(at, "deviceName"),
                                    "the first GPU is no NVIDIA, so /dev/nvidiactl is not mounted; "
                                    "put the NVIDIA GPU first");
                break;
        case DRI:
                add_numbered(p, "dri-card", i, "/dev/dri/card", i);
                add_numbered(p, "dri-render", i, "/dev/dri/renderD", 128 + i);
                break;
        case UNKNOWN:
                if (*name)
                        diag_report(
                                p->diag, VMQ_ADAPT_GPU_VENDOR, AT(at, "deviceName"),
                                "the maker of GPU '%s' is not known; /dev/dri/card%d is mounted",
                                name, i);
                else
                        diag_report(p->diag, VMQ_ADAPT_GPU_VENDOR, at,
                                    "a resource claim does not say here which GPU it is; "
                                    "/dev/dri/card%d is mounted",
                                    i);
                add_numbered(p, "dri-card", i, "/dev/dri/card", i);
                break;
        }
}

/* The names of the IOMMU groups of all devices that are bound to vfio-pci. */
struct groups {
        char **names;
        size_t n, cap;
};

static int compare_names(const void *a, const void *b)
{
        return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The group of a PCI device, which is a number; NULL if it has none. Owned by the caller. */
static char *group_of(const char *device)
{
        char target[4096];
        ssize_t len = readlink(device, target, sizeof target - 1);
        const char *name;

        if (len <= 0)
                return NULL;
        target[len] = '\0';
        name = strrchr(target, '/');
        name = name ? name + 1 : target;
        return *name && strspn(name, "0123456789") == strlen(name) ? mem_strdup(name) : NULL;
}

static void scan_groups(const struct pod *p, struct groups *g)
{
        BUF_AUTO struct buf path = BUF_INIT;
        size_t folder;
        DIR *dir;

        buf_addf(&path, "%s/bus/pci/drivers/vfio-pci", p->self->sysfs);
        dir = opendir(path.s);
        if (!dir) {
                if (errno != ENOENT)
                        diag_report(p->diag, VMQ_ADAPT_SYSFS, NULL,
                                    "%s: %s; no device is passed through", path.s, strerror(errno));
                return;
        }
        folder = path.len;
        for (struct dirent *e; (e = readdir(dir));) {
                char *group;

                if (!strchr(e->d_name, ':'))
                        continue;
                path.len = folder;
                buf_addf(&path, "/%s/iommu_group", e->d_name);
                group = group_of(path.s);
                if (!group)
                        continue;
                MEM_GROW(g->names, g->n, g->cap);
                g->names[g->n++] = group;
        }
        closedir(dir);
        if (g->n)
                qsort(g->names, g->n, sizeof *g->names, compare_names);
}

static void add_group(struct pod *p, const char *group)
{
        BUF_AUTO struct buf name = BUF_INIT;
        BUF_AUTO struct buf path = BUF_INIT;

        buf_addf(&name, "vfio-group-%s", group);
        buf_addf(&path, "/dev/vfio/%s", group);
        add_device(p, name.s, path.s);
}

static void add_host_devices(struct pod *p, struct ref devices)
{
        struct groups g = { 0 };

        scan_groups(p, &g);
        if (g.n == 0) {
                REF_EACH(c, devices) {
                        diag_report(
                                p->diag, VMQ_ADAPT_VFIO,
                                AT_INDEX(AT(NULL, "spec.template.spec.domain.devices.hostDevices"),
                                         c.i),
                                "no device for '%s' is bound to vfio-pci; bind one "
                                "(echo ADDRESS > /sys/bus/pci/drivers/vfio-pci/bind) and convert "
                                "again",
                                ref_text(c.item, "name"));
                }
        }
        add_device(p, "vfio", "/dev/vfio/vfio");
        for (size_t i = 0; i < g.n; i++) {
                if (i == 0 || strcmp(g.names[i], g.names[i - 1]) != 0)
                        add_group(p, g.names[i]);
        }
        for (size_t i = 0; i < g.n; i++)
                free(g.names[i]);
        free(g.names);
}

void adapt_devices(struct pod *p)
{
        struct ref devices = ref_at(p->vmi, "spec.domain.devices");

        if (!jvx_is(&p->compute, JV_KIND_OBJECT))
                return;
        add_devices(p, always, ARRAY_LEN(always));
        /* Without it the guest's network is slower, not absent (differences D29). */
        jvx_append(&p->optional, jv_string("vhost-net"));
        if (pod_add_volume(p, jvx_build("{name: 'cgroup', hostPath: {path: '/sys/fs/cgroup',"
                                        " type: 'Directory'}}")))
                pod_mount(
                        p,
                        jvx_build("{name: 'cgroup', mountPath: '/sys/fs/cgroup', readOnly: true}"));
        REF_EACH(c, ref_get(devices, "gpus"))
                add_gpu(p, c.i, c.item);
        if (ref_len(ref_get(devices, "hostDevices")) > 0)
                add_host_devices(p, ref_get(devices, "hostDevices"));
}
