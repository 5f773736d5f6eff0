/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "buf.h"
#include "hostpath.h"
#include "jvx.h"
#include "parts.h"

/* Make the mount of the volume in compute one of the file: its path ends with the file's name. */
static void mount_file(struct pod *p, const char *volume, const char *file)
{
        BUF_AUTO struct buf folder = BUF_INIT;
        BUF_AUTO struct buf path = BUF_INIT;
        JVX_AUTO jv mounts = jvx_detach(&p->compute, "volumeMounts");

        buf_addf(&folder, POD_DISKS "/%s", volume);
        buf_addf(&path, "%s/%s", folder.s, file);
        for (int i = 0; i < ref_len(ref_of(&mounts)); i++) {
                JVX_AUTO jv mount = jvx_detach_item(&mounts, i);

                if (ref_eq(ref_get(ref_of(&mount), "name"), volume) &&
                    ref_eq(ref_get(ref_of(&mount), "mountPath"), folder.s))
                        jvx_set(&mount, "mountPath", jv_string(path.s));
                jvx_set_item(&mounts, i, jvx_take(&mount));
        }
        jvx_set(&p->compute, "volumeMounts", jvx_take(&mounts));
}

static void point_at(struct pod *p, int place, const char *path, const char *type)
{
        JVX_AUTO jv volume = jvx_detach_item(&p->volumes, place);

        jvx_set(&volume, "hostPath", jvx_build("{path: %s, type: %s}", path, type));
        jvx_set_item(&p->volumes, place, jvx_take(&volume));
}

static void adapt_one(struct pod *p, int place, struct ref volume, const struct path *at)
{
        struct ref disk = ref_get(volume, "hostDisk");
        bool create = ref_eq(ref_get(disk, "type"), "DiskOrCreate");
        BUF_AUTO struct buf path = BUF_INIT;
        BUF_AUTO struct buf folder = BUF_INIT;
        const char *file;

        if (!hostpath_clean(ref_text(disk, "path"), &path)) {
                diag_report(p->diag, VMQ_ADAPT_HOST_DISK, AT(at, "hostDisk.path"),
                            "not the absolute path of a file, without '..'; give one as "
                            "/srv/vms/disk.img");
                return;
        }
        file = strrchr(path.s, '/');
        buf_add(&folder, path.s, file == path.s ? 1 : (size_t)(file - path.s));
        if (create && hostpath_in_system(path.s)) {
                diag_report(p->diag, VMQ_ADAPT_HOST_DISK, AT(at, "hostDisk.path"),
                            "%s is a folder of the system; use a folder for disks, as /srv/vms",
                            folder.s);
                return;
        }
        if (create) {
                /* Compute sees the folder, where dir-init makes the file (state.c). */
                point_at(p, place, folder.s, "DirectoryOrCreate");
        } else {
                point_at(p, place, path.s, "File");
                mount_file(p, ref_text(volume, "name"), file + 1);
        }
}

void adapt_host_disks(struct pod *p)
{
        struct ref volumes = ref_at(p->vmi, "spec.volumes");

        if (!jvx_is(&p->compute, JV_KIND_OBJECT))
                return;
        for (int i = 0; i < ref_len(volumes); i++) {
                struct ref volume = ref_item(volumes, i);
                struct ref list = pod_view(p, &p->volumes);

                if (!ref_is_set(ref_get(volume, "hostDisk")))
                        continue;
                for (int k = 0; k < ref_len(list); k++) {
                        if (!ref_eq(ref_get(ref_item(list, k), "name"), ref_text(volume, "name")))
                                continue;
                        adapt_one(p, k, volume,
                                  AT_INDEX(AT(NULL, "spec.template.spec.volumes"), i));
                        break;
                }
        }
}
