/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "buf.h"
#include "hostpath.h"
#include "jvx.h"
#include "parts.h"
#include "quantity.h"
#include "script.h"

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

/* DiskOrCreate: the init container that makes the file, with the folder in a volume of its own. */
static void add_creator(struct pod *p, const char *volume, const char *folder, const char *file,
                        struct ref capacity)
{
        JVX_AUTO jv name = script_name("init-disk-", volume);
        JVX_AUTO jv source = script_name("host-folder-", volume);
        BUF_AUTO struct buf disk = BUF_INIT;

        buf_addf(&disk, "/host-disk/%s", file);
        if (!pod_add_volume(p,
                            jvx_build("{name: %r, hostPath: {path: %s, type: 'DirectoryOrCreate'}}",
                                      ref_of(&source), folder)))
                return;
        pod_add_init(p,
                     script_container(
                             p, ref_str(ref_of(&name)), script_init_disk,
                             jvx_build("[%s, %j, %j, 'host']", disk.s,
                                       script_number(quantity_value(quantity_or_zero(capacity))),
                                       script_owner()),
                             jvx_build("[{name: %r, mountPath: '/host-disk'}]", ref_of(&source))),
                     true);
}

/* The Pod's volume becomes the file; it has to be there only for type Disk. */
static void point_at_file(struct pod *p, int place, const char *path, bool create)
{
        JVX_AUTO jv volume = jvx_detach_item(&p->volumes, place);

        jvx_set(&volume, "hostPath",
                jvx_build("{path: %s, type: %s}", path, create ? NULL : "File"));
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
        point_at_file(p, place, path.s, create);
        mount_file(p, ref_text(volume, "name"), file + 1);
        if (create)
                add_creator(p, ref_text(volume, "name"), folder.s, file + 1,
                            ref_get(disk, "capacity"));
}

void adapt_host_disks(struct pod *p)
{
        struct ref volumes = ref_at(p->vmi, "spec.volumes");

        if (!jvx_is(&p->compute, JV_KIND_OBJECT))
                return;
        /* Backwards, since each init container is put first. */
        for (int i = ref_len(volumes) - 1; i >= 0; i--) {
                struct ref volume = ref_item(volumes, i);
                struct ref list = ref_of(&p->volumes);

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
