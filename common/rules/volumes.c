/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes: where disks and filesystems come from. */
#include <string.h>

#include "array.h"
#include "names.h"
#include "rules/rules.h"

#define CLOUD_INIT_MAX 2048

static const char *const sources[] = { "persistentVolumeClaim",
                                       "sysprep",
                                       "cloudInitNoCloud",
                                       "cloudInitConfigDrive",
                                       "containerDisk",
                                       "ephemeral",
                                       "emptyDisk",
                                       "hostDisk",
                                       "dataVolume",
                                       "configMap",
                                       "secret",
                                       "downwardAPI",
                                       "serviceAccount",
                                       "downwardMetrics",
                                       "memoryDump",
                                       "containerPath",
                                       NULL };

void rule_volume_names(const struct subject *s)
{
        REF_EACH(vol, s->volumes) {
                const char *name = ref_text(vol.item, "name");
                int first = index_of(&s->volume_at, name);
                const struct path *at = AT(AT_VOLUME(vol.i), "name");

                if (first >= 0 && first != vol.i)
                        diag_report(s->d, VMQ_VOLUME_TWICE, at,
                                    "volumes[%d] is called '%.100s' already; name them apart",
                                    first, name);
                /* A disk of that name has been told so. */
                if (index_of(&s->disk_at, name) < 0)
                        want_label(s, VMQ_VOLUME_NAME, at, name);
        }
}

void rule_volume_sources(const struct subject *s)
{
        REF_EACH(vol, s->volumes) {
                int n = count_set(vol.item, sources);

                if (!n)
                        report_missing(
                                s, VMQ_VOLUME_SOURCE, AT_VOLUME(vol.i),
                                "the volume has no source; add one, say emptyDisk: {capacity: "
                                "1Gi}");
                else if (n > 1)
                        diag_report(s->d, VMQ_VOLUME_SOURCE, AT_VOLUME(vol.i),
                                    "the volume has %d sources; keep one", n);
        }
}

/* Fields of a volume without which there is nothing to mount. */
void rule_volume_fields(const struct subject *s)
{
        static const struct {
                const char *source, *field, *what;
                enum diag_code code;
        } rows[] = {
                { "dataVolume", "name", "the name of the DataVolume", VMQ_VOLUME_FIELD },
                { "persistentVolumeClaim", "claimName", "the name of the claim", VMQ_VOLUME_FIELD },
                { "containerDisk", "image", "the image with the disk", VMQ_VOLUME_FIELD },
                { "configMap", "name", "the name of the ConfigMap", VMQ_VOLUME_FIELD },
                { "secret", "secretName", "the name of the Secret", VMQ_VOLUME_FIELD },
                { "serviceAccount", "serviceAccountName", "the name of the service account",
                  VMQ_VOLUME_FIELD },
                { "hostDisk", "path", "the path on the host", VMQ_VOLUME_FIELD },
                { "emptyDisk", "capacity", "the size of the disk", VMQ_VOLUME_SIZE },
        };

        REF_EACH(vol, s->volumes) {
                for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
                        struct ref source = ref_get(vol.item, rows[i].source);
                        struct ref value = ref_get(source, rows[i].field);

                        if (ref_is_set(source) && (!ref_is_set(value) || ref_eq(value, "")))
                                report_missing(
                                        s, rows[i].code,
                                        AT(AT(AT_VOLUME(vol.i), rows[i].source), rows[i].field),
                                        "%s is missing; add %s", rows[i].what, rows[i].field);
                }
                if (ref_is_set(ref_get(vol.item, "ephemeral")) &&
                    !*ref_text(vol.item, "ephemeral.persistentVolumeClaim.claimName"))
                        report_missing(s, VMQ_VOLUME_FIELD,
                                       AT(AT_VOLUME(vol.i), "ephemeral.persistentVolumeClaim"),
                                       "the name of the claim is missing; add claimName");
        }
}

void rule_volume_counts(const struct subject *s)
{
        static const char *const once[] = { "serviceAccount", "downwardMetrics", "memoryDump" };

        for (size_t i = 0; i < ARRAY_LEN(once); i++) {
                int n = 0;

                REF_EACH(vol, s->volumes) {
                        if (!ref_is_set(ref_get(vol.item, once[i])) || !n++)
                                continue;
                        diag_report(s->d, VMQ_VOLUME_ONCE, AT(AT_VOLUME(vol.i), once[i]),
                                    "the volumes have a %s source already; keep one", once[i]);
                }
        }
}

/* --- cloud-init ----------------------------------------------------------------------------- */

/* One of userData and networkData, each of which may come in three ways. */
struct cloud_field {
        const char *plain, *base64, *ref, *what;
};

static const struct cloud_field cloud_fields[] = {
        { "userData", "userDataBase64", "secretRef", "user data" },
        { "networkData", "networkDataBase64", "networkDataSecretRef", "network data" },
};

/* How many ways are used; the faults are reported. */
static int check_cloud_field(const struct subject *s, struct ref cloud, const struct path *at,
                             const struct cloud_field *f)
{
        const char *plain = ref_text(cloud, f->plain), *base64 = ref_text(cloud, f->base64);
        int n = (*plain != 0) + (*base64 != 0) + (*ref_text(ref_get(cloud, f->ref), "name") != 0);
        long len = 0;

        if (*base64) {
                len = name_base64_length(base64);
                if (len < 0)
                        diag_report(s->d, VMQ_CLOUD_BASE64, AT(at, f->base64),
                                    "this is not base64; encode it with `base64 -w0`, or use %s",
                                    f->plain);
        }
        if (*plain)
                len = (long)strlen(plain);
        if (n > 1)
                diag_report(s->d, VMQ_CLOUD_SOURCES, AT(at, f->plain),
                            "%s, %s and %s exclude each other; keep one", f->plain, f->base64,
                            f->ref);
        if (len > CLOUD_INIT_MAX)
                diag_report(s->d, VMQ_CLOUD_SIZE, AT(at, *plain ? f->plain : f->base64),
                            "%ld bytes of %s (%s) are more than the %d that KubeVirt takes inline; "
                            "shorten it, or pass --admission=warn",
                            len, f->what, f->plain, CLOUD_INIT_MAX);
        return n;
}

void rule_cloud_init(const struct subject *s)
{
        REF_EACH(vol, s->volumes) {
                bool no_cloud = ref_is_set(ref_get(vol.item, "cloudInitNoCloud"));
                const char *kind = no_cloud ? "cloudInitNoCloud" : "cloudInitConfigDrive";
                struct ref cloud = ref_get(vol.item, kind);
                const struct path *at = AT(AT_VOLUME(vol.i), kind);
                int n = 0;

                if (!ref_is_set(cloud))
                        continue;
                for (size_t i = 0; i < ARRAY_LEN(cloud_fields); i++)
                        n += check_cloud_field(s, cloud, at, &cloud_fields[i]);
                if (!n)
                        report_missing(s, VMQ_CLOUD_EMPTY, at,
                                       "there is no user data and no network data; add userData");
        }
}

/* --- hostDisk and containerDisk ------------------------------------------------------------- */

void rule_host_disk(const struct subject *s)
{
        static const char *const types[] = { "Disk", "DiskOrCreate", NULL };

        REF_EACH(vol, s->volumes) {
                struct ref disk = ref_get(vol.item, "hostDisk");
                const struct path *at = AT(AT_VOLUME(vol.i), "hostDisk");
                struct quantity capacity = quantity_or_zero(ref_get(disk, "capacity"));

                if (!ref_is_set(disk))
                        continue;
                if (!*ref_text(disk, "type"))
                        report_missing(s, VMQ_HOST_DISK_TYPE, AT(at, "type"),
                                       "the type is missing; use Disk for an image that is there, "
                                       "DiskOrCreate for one that may have to be made");
                one_of(s, VMQ_HOST_DISK_TYPE, AT(at, "type"), ref_text(disk, "type"), types);
                if (ref_eq(ref_get(disk, "type"), "Disk") && !quantity_is_zero(capacity))
                        diag_report(s->d, VMQ_HOST_DISK_CAPACITY, AT(at, "capacity"),
                                    "an image that is there has its size; drop capacity, or set "
                                    "type: DiskOrCreate");
        }
}

void rule_container_disk(const struct subject *s)
{
        REF_EACH(vol, s->volumes) {
                const char *path = ref_text(vol.item, "containerDisk.path");
                const char *fault = *path ? path_fault(path) : NULL;

                if (fault)
                        diag_report(s->d, VMQ_CONTAINER_DISK_PATH,
                                    AT(AT_VOLUME(vol.i), "containerDisk.path"), "'%.200s' %s", path,
                                    fault);
        }
}

void rule_utility_volumes(const struct subject *s)
{
        if (ref_is_set(ref_get(s->vmi, "utilityVolumes")))
                diag_report(s->d, VMQ_UTILITY_VOLUMES, AT_VMI("utilityVolumes"),
                            "utility volumes are added to a running guest, never with it; drop "
                            "them");
}

void rule_container_path(const struct subject *s)
{
        static const char *const reserved[] = { "/var/run/kubevirt", "/var/run/libvirt" };

        REF_EACH(vol, s->volumes) {
                const char *name = ref_text(vol.item, "name");
                const char *path = ref_text(vol.item, "containerPath.path");
                const struct path *at = AT(AT_VOLUME(vol.i), "containerPath");

                if (!ref_is_set(ref_get(vol.item, "containerPath")))
                        continue;
                if (index_of(&s->disk_at, name) >= 0 || index_of(&s->filesystem_at, name) < 0)
                        diag_report(s->d, VMQ_CONTAINER_PATH, at,
                                    "a containerPath is shared as a filesystem, not a disk; add "
                                    "{name: %.100s, virtiofs: {}} to devices.filesystems and drop "
                                    "the disk",
                                    name);
                for (size_t i = 0; i < ARRAY_LEN(reserved); i++)
                        if (strncmp(path, reserved[i], strlen(reserved[i])) == 0)
                                diag_report(s->d, VMQ_CONTAINER_PATH, AT(at, "path"),
                                            "%s is KubeVirt's own; share another folder",
                                            reserved[i]);
        }
}

/* generateVirtioFSContainers (virtiofs.go of pkg/virt-controller/services) mounts the volume of a
 * filesystem into a container of its own; only these sources make a Pod volume with files in it
 * (rendervolumes.go beside it). A hostDisk makes one of its whole folder, which is
 * not given away here (differences.md, D19). */
void rule_virtiofs_volume(const struct subject *s)
{
        static const char *const mounted[] = { "persistentVolumeClaim",
                                               "dataVolume",
                                               "configMap",
                                               "secret",
                                               "downwardAPI",
                                               "serviceAccount",
                                               "containerPath",
                                               "containerDisk",
                                               "ephemeral",
                                               NULL };

        REF_EACH(fs, s->filesystems) {
                const char *name = ref_text(fs.item, "name");
                struct ref vol = named(&s->volume_at, s->volumes, name);
                const struct path *at = AT(AT_INDEX(AT_DEVICES("filesystems"), fs.i), "name");

                want_label(s, VMQ_FILESYSTEM_NAME, at, name);
                if (!ref_is_set(vol))
                        diag_report(s->d, VMQ_FILESYSTEM_VOLUME, at,
                                    "there is no volume '%.100s' to share; add it, or drop the "
                                    "filesystem",
                                    name);
                else if (!count_set(vol, mounted))
                        diag_report(s->d, VMQ_FILESYSTEM_VOLUME, at,
                                    "the volume '%.100s' holds a disk, not files that could be "
                                    "shared; use a persistentVolumeClaim",
                                    name);
                if (index_of(&s->filesystem_at, name) != fs.i)
                        diag_report(s->d, VMQ_FILESYSTEM_NAME, at,
                                    "another filesystem is called '%.100s' already", name);
        }
}
