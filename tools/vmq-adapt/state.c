/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "buf.h"
#include "hints.h"
#include "hostpath.h"
#include "index.h"
#include "jvx.h"
#include "parts.h"
#include "quantity.h"
#include "script.h"

#define STATE    "vm-state"
#define DIR_INIT "virt-handler-dir-init"
#define STATE_AT "/vm-state-init"

/* emptyDirs for the folders between, so that QEMU's user can write to them, and what of vm-state
 * lies below (PathForNVram, PathForSwtpm, PathForSwtpmLocalca in pkg/util/util.go, non-root). */
static const struct {
        const char *volume, *path;
        const char *part; /* subPath; NULL: an emptyDir */
} mounts[] = {
        { "private-libvirt", POD_PRIVATE "/libvirt", NULL },
        { "private-libvirt-qemu", POD_PRIVATE "/libvirt/qemu", NULL },
        { STATE, POD_PRIVATE "/libvirt/qemu/nvram", "nvram" },
        { STATE, POD_PRIVATE "/libvirt/qemu/swtpm", "swtpm" },
        { STATE, POD_PRIVATE "/var/lib/swtpm-localca", "swtpm-localca" },
};

/* The volume of the Pod that KubeVirt makes for a VM with a persistent TPM or EFI: this is it, no
 * second one is added (differences D11). Its index, -1 if there is none; a volume of the VM that
 * has the name is none. */
static int rendered_state(const struct pod *p)
{
        struct ref volumes = pod_view(p, &p->volumes);

        for (int i = 0; i < ref_len(volumes); i++) {
                struct ref volume = ref_item(volumes, i);

                if (ref_eq(ref_get(volume, "name"), STATE) &&
                    ref_is_set(ref_get(volume, "persistentVolumeClaim")) &&
                    !ref_is_set(ref_find(ref_at(p->vmi, "spec.volumes"), "name", STATE)))
                        return i;
        }
        return -1;
}

static bool add_state_volumes(struct pod *p, const char *claim)
{
        jv state = jvx_build("{name: '" STATE "', persistentVolumeClaim: {claimName: %s}}", claim);
        int rendered = rendered_state(p);
        bool good = true;

        if (rendered >= 0)
                jvx_set_item(&p->volumes, rendered, state);
        else
                good = pod_add_volume(p, state);
        for (size_t i = 0; i < ARRAY_LEN(mounts); i++) {
                struct ref have = ref_find(pod_view(p, &p->volumes), "name", mounts[i].volume);

                if (mounts[i].part || (rendered >= 0 && ref_is_set(ref_get(have, "emptyDir"))))
                        continue;
                good &= pod_add_volume(p, jvx_build("{name: %s, emptyDir: {}}", mounts[i].volume));
        }
        return good;
}

void adapt_state(struct pod *p)
{
        const char *name = ref_text(p->vmi, "metadata.name");
        BUF_AUTO struct buf claim = BUF_INIT;

        if (!ref_is_set(p->vmi) || !jvx_is(&p->compute, JV_KIND_OBJECT))
                return;
        buf_addf(&claim, "%s-vm-state", name);
        if (!add_state_volumes(p, claim.s))
                return;
        for (size_t i = 0; i < ARRAY_LEN(mounts); i++) {
                struct ref have = ref_get(pod_view(p, &p->compute), "volumeMounts");

                if (ref_is_set(ref_find(have, "mountPath", mounts[i].path)))
                        continue;
                pod_mount(p, jvx_build("{name: %s, mountPath: %s, subPath: %s}", mounts[i].volume,
                                       mounts[i].path, mounts[i].part));
        }
}

/* Of these volumes, add those that the containers write to, through any of their mounts. The
 * proxies write to none: they only connect. */
static void add_written(struct ref containers, const jv *of, jv *volumes)
{
        REF_EACH(c, containers) {
                const char *name = ref_text(c.item, "name");

                if (strcmp(name, "vnc-proxy") == 0 || strcmp(name, "console-proxy") == 0)
                        continue;
                REF_EACH(mount, ref_get(c.item, "volumeMounts")) {
                        const char *volume = ref_text(mount.item, "name");

                        if (index_get(of, volume) >= 0 &&
                            !ref_bool(ref_get(mount.item, "readOnly"), false))
                                jvx_set(volumes, volume, jv_true());
                }
        }
}

struct dir_init {
        jv args;
        jv mounts;
        bool disks;
};

static void will_clear(struct dir_init *d, const char *volume_at)
{
        jvx_append(&d->args, jv_string("--clear"));
        jvx_append(&d->args, jv_string(volume_at));
}

static void will_make(struct dir_init *d, const char *volume_at, const char *folder)
{
        jvx_append(&d->args, jv_string("--make"));
        jvx_append(&d->args, jv_string(volume_at));
        jvx_append(&d->args, jv_string(folder));
}

static void will_link(struct dir_init *d, const char *volume_at, const char *name, const char *to)
{
        jvx_append(&d->args, jvx_build("'--link'"));
        jvx_append(&d->args, jv_string(volume_at));
        jvx_append(&d->args, jv_string(name));
        jvx_append(&d->args, jv_string(to));
}

/* The emptyDirs: cleared, unless another container writes to them, whose files would be lost (an
 * init container's: it does not run again; a sidecar's: it may be running). */
static void plan_empty_dirs(const struct pod *p, struct dir_init *d)
{
        struct ref mounts_of_compute = ref_get(pod_view(p, &p->compute), "volumeMounts");
        JVX_AUTO jv known = index_first(pod_view(p, &p->volumes), "name");
        JVX_AUTO jv written = jv_object();

        add_written(pod_view(p, &p->inits), &known, &written);
        add_written(pod_view(p, &p->containers), &known, &written);
        REF_EACH(c, pod_view(p, &p->volumes)) {
                const char *name = ref_text(c.item, "name");
                BUF_AUTO struct buf at = BUF_INIT;

                if (!ref_is_set(ref_get(c.item, "emptyDir")))
                        continue;
                struct ref mount = ref_find(mounts_of_compute, "name", name);
                bool shared = ref_is_set(ref_get(pod_view(p, &written), name));
                bool private = ref_eq(ref_get(mount, "mountPath"), POD_PRIVATE);

                buf_addf(&at, "/emptydir/%s", name);
                if (shared && !private)
                        continue;
                if (!shared)
                        will_clear(d, at.s);
                if (private) {
                        will_make(d, at.s, "libvirt/qemu");
                        will_make(d, at.s, "var/lib/swtpm-localca");
                        if (adapt_socket_folder(p))
                                will_link(d, at.s, "default", adapt_socket_folder(p));
                }
                jvx_append(&d->mounts, jvx_build("{name: %s, mountPath: %s}", name, at.s));
        }
}

/* No part of the path leads out of the volume. */
static bool stays_inside(const char *path)
{
        return *path && *path != '/' && !strstr(path, "..");
}

/* The parts of vm-state that compute mounts. */
static void plan_state(const struct pod *p, struct dir_init *d)
{
        bool any = false;

        REF_EACH(c, ref_get(pod_view(p, &p->compute), "volumeMounts")) {
                const char *part = ref_text(c.item, "subPath");

                if (!ref_eq(ref_get(c.item, "name"), STATE) || !stays_inside(part))
                        continue;
                will_make(d, STATE_AT, part);
                any = true;
        }
        if (any)
                jvx_append(&d->mounts, jvx_build("{name: '" STATE "', mountPath: '" STATE_AT "'}"));
}

/* hostDisks of type DiskOrCreate: virt-handler makes the file (CreateHostDisks in
 * pkg/host-disk/host-disk.go). */
static void plan_host_disks(const struct pod *p, struct dir_init *d)
{
        REF_EACH(c, ref_at(p->vmi, "spec.volumes")) {
                struct ref disk = ref_get(c.item, "hostDisk");
                BUF_AUTO struct buf path = BUF_INIT;
                BUF_AUTO struct buf at = BUF_INIT;

                if (!ref_eq(ref_get(disk, "type"), "DiskOrCreate") ||
                    !hostpath_clean(ref_text(disk, "path"), &path) ||
                    !ref_is_set(
                            ref_find(pod_view(p, &p->volumes), "name", ref_text(c.item, "name"))))
                        continue;
                buf_addf(&at, "/host-disk/%s", ref_text(c.item, "name"));
                jvx_append(&d->mounts,
                           jvx_build("{name: %r, mountPath: %s}", ref_get(c.item, "name"), at.s));
                buf_adds(&at, strrchr(path.s, '/'));
                d->disks = true;
                jvx_append(&d->args, jvx_build("'--disk'"));
                jvx_append(&d->args, jv_string(at.s));
                jvx_append(&d->args, script_number(quantity_value(
                                             quantity_or_zero(ref_get(disk, "capacity")))));
        }
}

void adapt_dir_init(struct pod *p)
{
        struct dir_init d = { .args = jvx_build("[%j]", script_owner()), .mounts = jv_array() };

        if (jvx_is(&p->compute, JV_KIND_OBJECT)) {
                plan_empty_dirs(p, &d);
                plan_state(p, &d);
                plan_host_disks(p, &d);
        }
        if (ref_len(ref_of(&d.mounts)) == 0) {
                jv_free(d.args);
                jv_free(d.mounts);
        } else if (pod_add_init(p,
                                script_container(p, DIR_INIT,
                                                 d.disks ? script_dir_init_disks : script_dir_init,
                                                 d.args, d.mounts),
                                true)) {
                jvx_append(&p->again, jv_string(DIR_INIT));
        }
}
