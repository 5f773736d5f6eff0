/* SPDX-License-Identifier: Apache-2.0 */
/* What one host cannot do: the decision document's "Validation", and differences.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mem.h"
#include "hostpath.h"
#include "names.h"
#include "rules/rules.h"

void rule_instancetype(const struct subject *s)
{
        static const char *const fields[] = { "instancetype", "preference" };

        for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
                struct ref r = ref_get(s->spec, fields[i]);
                const char *name = ref_text(r, "name");
                const char *volume = ref_text(r, "inferFromVolume");

                if (ref_is_set(r))
                        diag_report(s->d, VMQ_INSTANCETYPE, AT(AT(NULL, "spec"), fields[i]),
                                    "vmq does not read the %s %s'%.100s'; write its CPUs, memory "
                                    "and devices into the template",
                                    fields[i], *name ? "" : "named by the volume ",
                                    *name ? name : volume);
        }
}

/* --- volumes -------------------------------------------------------------------------------- */

void rule_volume_cluster_objects(const struct subject *s)
{
        static const struct {
                const char *source, *what;
                enum diag_code code;
        } rows[] = {
                { "configMap", "a ConfigMap", VMQ_CONFIG_MAP_VOLUME },
                { "secret", "a Secret", VMQ_SECRET_VOLUME },
                { "serviceAccount", "a service account's token", VMQ_SERVICE_ACCOUNT_VOLUME },
        };

        REF_EACH(vol, s->volumes)
                for (size_t i = 0; i < ARRAY_LEN(rows); i++)
                        if (ref_is_set(ref_get(vol.item, rows[i].source)))
                                diag_report(s->d, rows[i].code,
                                            AT(AT_VOLUME(vol.i), rows[i].source),
                                            "%s lives in a cluster's API, which is not here; use a "
                                            "cloudInitNoCloud volume with the data inline, or a "
                                            "hostDisk",
                                            rows[i].what);
}

void rule_cloud_init_secrets(const struct subject *s)
{
        static const char *const kinds[] = { "cloudInitNoCloud", "cloudInitConfigDrive" };
        static const struct {
                const char *ref, *inline_field;
        } rows[] = { { "secretRef", "userData" }, { "networkDataSecretRef", "networkData" } };

        REF_EACH(vol, s->volumes)
                for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
                        for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
                                struct ref ref = ref_get(ref_get(vol.item, kinds[k]), rows[i].ref);

                                if (!*ref_text(ref, "name"))
                                        continue;
                                diag_report(s->d, VMQ_CLOUD_SECRET,
                                            AT(AT(AT_VOLUME(vol.i), kinds[k]), rows[i].ref),
                                            "vmq does not read the Secret '%.100s'; write the data "
                                            "into %s",
                                            ref_text(ref, "name"), rows[i].inline_field);
                        }
}

void rule_sysprep(const struct subject *s)
{
        static const char *const refs[] = { "configMap", "secret" };

        REF_EACH(vol, s->volumes) {
                struct ref sysprep = ref_get(vol.item, "sysprep");
                const struct path *at = AT(AT_VOLUME(vol.i), "sysprep");
                bool any = false;

                for (size_t i = 0; i < ARRAY_LEN(refs); i++) {
                        struct ref ref = ref_get(sysprep, refs[i]);

                        any = any || ref_is_set(ref);
                        if (ref_is_set(ref))
                                diag_report(s->d, VMQ_SYSPREP_REF, AT(at, refs[i]),
                                            "vmq does not read the answer file in '%.100s'; put it "
                                            "on an ISO image and use a hostDisk as cdrom",
                                            ref_text(ref, "name"));
                }
                if (ref_is_set(sysprep) && !any)
                        diag_report(s->d, VMQ_SYSPREP_EMPTY, at,
                                    "sysprep names no answer file; drop the volume");
        }
}

void rule_access_secrets(const struct subject *s)
{
        static const char *const kinds[] = { "sshPublicKey", "userPassword" };

        REF_EACH(cred, ref_get(s->vmi, "accessCredentials"))
                for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
                        struct ref secret = ref_at(ref_get(cred.item, kinds[k]), "source.secret");
                        const struct path *at =
                                AT(AT_INDEX(AT_VMI("accessCredentials"), cred.i), kinds[k]);

                        if (ref_is_set(secret))
                                diag_report(s->d, VMQ_ACCESS_SECRET, AT(at, "source.secret"),
                                            "vmq does not read the Secret '%.100s'; write keys and "
                                            "passwords into cloud-init's userData",
                                            ref_text(secret, "secretName"));
                }
}

/* The name that the Podman volume of a volume gets, for commands in messages. */
static void podman_volume(const struct subject *s, struct ref vol, const char *claim,
                          struct buf *out)
{
        if (strcmp(setting_text(s->settings, SET_VOLUME_NAMES), "claim") == 0)
                buf_addf(out, "%.200s", claim);
        else
                buf_addf(out, "systemd-virt-launcher-%.200s-%.63s", s->name, ref_text(vol, "name"));
}

const char *claim_of(struct ref vol)
{
        static const char *const fields[] = { "persistentVolumeClaim.claimName", "dataVolume.name",
                                              "ephemeral.persistentVolumeClaim.claimName" };

        for (size_t i = 0; i < ARRAY_LEN(fields); i++)
                if (*ref_text(vol, fields[i]))
                        return ref_text(vol, fields[i]);
        return NULL;
}

void rule_unfilled_claims(const struct subject *s)
{
        REF_EACH(vol, s->volumes) {
                const char *claim = claim_of(vol.item);
                bool data_volume = ref_is_set(ref_get(vol.item, "dataVolume"));
                BUF_AUTO struct buf name = BUF_INIT;

                if (!claim || index_of(&s->template_at, claim) >= 0 ||
                    index_of(&s->filesystem_at, ref_text(vol.item, "name")) >= 0)
                        continue;
                podman_volume(s, vol.item, claim, &name);
                diag_report(s->d, data_volume ? VMQ_DV_NO_TEMPLATE : VMQ_PVC_UNFILLED,
                            AT_VOLUME(vol.i),
                            "%s fills the %s '%.100s'; put a disk.img into it before the first "
                            "start: podman volume create --ignore %s && tar --owner=107 "
                            "--group=107 -c disk.img | podman volume import %s -",
                            data_volume ? "no dataVolumeTemplate" : "nothing",
                            data_volume ? "DataVolume" : "claim", claim, name.s, name.s);
        }
}

/* --- hostDisk ------------------------------------------------------------------------------- */

/* Is the folder of the file one of the system, however the path is written? */
static bool in_system_folder(const char *path)
{
        BUF_AUTO struct buf clean = BUF_INIT;

        return hostpath_clean(path, &clean) && hostpath_in_system(clean.s);
}

/* The path has a ".." part, so that it is not where it seems to be. */
static bool climbs(const char *path)
{
        for (const char *p = path; (p = strstr(p, "..")); p += 2)
                if ((p == path || p[-1] == '/') && (!p[2] || p[2] == '/'))
                        return true;
        return false;
}

void rule_host_disk_path(const struct subject *s)
{
        REF_EACH(vol, s->volumes) {
                struct ref disk = ref_get(vol.item, "hostDisk");
                const char *path = ref_text(disk, "path");
                const struct path *at = AT(AT_VOLUME(vol.i), "hostDisk.path");
                bool create = ref_eq(ref_get(disk, "type"), "DiskOrCreate");

                if (!*path)
                        continue;
                if (*path != '/')
                        diag_report(s->d, VMQ_HOST_DISK_RELATIVE, at,
                                    "'%.200s' is not absolute, and no folder is the right one to "
                                    "start from; write the path from the root on",
                                    path);
                else if (climbs(path))
                        diag_report(s->d, VMQ_HOST_DISK_PATH, at,
                                    "'%.200s' goes up with '..'; write where the disk is", path);
                else if (path[strlen(path) - 1] == '/')
                        diag_report(s->d, VMQ_HOST_DISK_PATH, at,
                                    "'%.200s' is a folder; name the file", path);
                else if (create && in_system_folder(path))
                        diag_report(s->d, VMQ_HOST_DISK_SYSTEM, at,
                                    "DiskOrCreate opens the folder of '%.200s' to the guest's "
                                    "container, and that is the system's; use a folder of its own "
                                    "such as /srv/vms",
                                    path);
        }
}

void rule_host_disk_unsized(const struct subject *s)
{
        REF_EACH(vol, s->volumes) {
                struct ref disk = ref_get(vol.item, "hostDisk");
                struct quantity size = quantity_or_zero(ref_get(disk, "capacity"));
                struct quantity zero = quantity_units(0, QUANTITY_DECIMAL_SI);
                const struct path *at = AT(AT_VOLUME(vol.i), "hostDisk.capacity");

                if (!ref_is_set(disk))
                        continue;
                if (quantity_compare(size, zero) < 0)
                        diag_report(s->d, VMQ_VOLUME_SIZE, at, "the capacity is negative");
                else if (quantity_is_zero(size) && ref_eq(ref_get(disk, "type"), "DiskOrCreate"))
                        diag_report(s->d, VMQ_HOST_DISK_UNSIZED, at,
                                    "a disk that is not there cannot be made without a size; add "
                                    "capacity");
        }
}

void rule_empty_disk_size(const struct subject *s)
{
        struct quantity zero = quantity_units(0, QUANTITY_DECIMAL_SI), size;

        REF_EACH(vol, s->volumes) {
                struct ref value = ref_at(vol.item, "emptyDisk.capacity");
                MEM_AUTO char *text = shown(value);

                if (quantity_of(value, &size) && quantity_compare(size, zero) <= 0)
                        report_missing(
                                s, VMQ_VOLUME_SIZE, AT(AT_VOLUME(vol.i), "emptyDisk.capacity"),
                                "the size %.60s is not positive; say how large the disk is", text);
        }
}

/* --- names ---------------------------------------------------------------------------------- */

/* Volumes that the Pod has of its own; `-empty` is what the units of its tmpfs are called. */
static const char *const own_volumes[] = {
        "private",
        "public",
        "sockets",
        "libvirt-runtime",
        "ephemeral-disks",
        "hotplug-disks",
        "container-disks",
        "virt-bin-share-dir",
        "private-libvirt",
        "private-libvirt-qemu",
        "vm-state",
        "kvm",
        "tun",
        "vhost-net",
        "cgroup",
        "vfio",
        "passt-bin",
        "launcher-volume",
        "kernel-boot-volume",
        "virtiofs-containers",
        "hugepages",
        "hugetblfs-dir",
};

/* Sources that become a volume of the Pod, and not a file inside it. */
static const char *const pod_sources[] = {
        "persistentVolumeClaim", "dataVolume",  "ephemeral", "hostDisk",
        "containerDisk",         "downwardAPI", NULL
};

static bool is_own_volume(const char *name)
{
        size_t len = strlen(name);

        for (size_t i = 0; i < ARRAY_LEN(own_volumes); i++) {
                size_t n = strlen(own_volumes[i]);

                if (strncmp(name, own_volumes[i], n) == 0 &&
                    (len == n || strcmp(name + n, "-empty") == 0))
                        return true;
        }
        return false;
}

void rule_volume_names_taken(const struct subject *s)
{
        REF_EACH(vol, s->volumes) {
                const char *name = ref_text(vol.item, "name");

                if (count_set(vol.item, pod_sources) && is_own_volume(name))
                        diag_report(
                                s->d, VMQ_VOLUME_TAKEN, AT(AT_VOLUME(vol.i), "name"),
                                "the Pod has a volume '%.100s' of its own; choose another name, "
                                "here and in devices.disks",
                                name);
        }
}

#define NAME_MAX_BYTES 255

/* The longest of the unit names, without the VM's own: quadlet names services after units. */
static size_t longest_suffix(const struct subject *s)
{
        size_t most = strlen("-private-libvirt-qemu-empty-volume.service");

        REF_EACH(vol, s->volumes) {
                size_t n = strlen(ref_text(vol.item, "name"));

                if (count_set(vol.item, pod_sources) && n < 300 &&
                    n + strlen("-import-disk-.container") > most)
                        most = n + strlen("-import-disk-.container");
        }
        REF_EACH(fs, s->filesystems) {
                size_t n = strlen(ref_text(fs.item, "name"));

                if (n < 300 && n + strlen("-virtiofs-.container") > most)
                        most = n + strlen("-virtiofs-.container");
        }
        return most;
}

void rule_unit_names(const struct subject *s)
{
        size_t room = NAME_MAX_BYTES - strlen("virt-launcher-");
        size_t suffix = longest_suffix(s);
        size_t most = suffix < room ? room - suffix : 0;

        if (strlen(s->name) > most)
                diag_report(
                        s->d, VMQ_NAME_TOO_LONG, AT(NULL, "metadata.name"),
                        "the name has %zu characters, and the names of its units would be longer "
                        "than the 255 bytes that a file system takes; use at most %zu",
                        strlen(s->name), most);
}

/* renderLaunchManifest (template.go of pkg/virt-controller/services) reads it with strconv.Atoi. */
void rule_log_verbosity(const struct subject *s)
{
        const char *value = ref_str(ref_at(s->template, "metadata.labels.logVerbosity"));
        long long n;

        if (value && !name_is_number(value, &n))
                diag_report(s->d, VMQ_LOG_VERBOSITY,
                            AT(NULL, "spec.template.metadata.labels.logVerbosity"),
                            "'%.100s' is not a number; use 2, or up to 9 for more", value);
}

/* --- replaced or without effect ------------------------------------------------------------- */

void rule_multus(const struct subject *s)
{
        REF_EACH(net, s->networks)
                if (ref_is_set(ref_get(net.item, "multus")))
                        diag_report(s->d, VMQ_MULTUS, AT(AT_NETWORK(net.i), "multus"),
                                    "there are no Multus networks here; the interface is connected "
                                    "to the Pod's network by passt");
}

void rule_binding_replaced(const struct subject *s)
{
        static const char *const kinds[] = { "sriov", "binding" };

        REF_EACH(nic, s->interfaces)
                for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
                        if (ref_is_set(ref_get(nic.item, kinds[i])))
                                diag_report(s->d, VMQ_BINDING_REPLACED,
                                            AT(AT_INTERFACE(nic.i), kinds[i]),
                                            "%s needs a cluster's network; the interface is "
                                            "connected by passt",
                                            kinds[i]);
}

void rule_hotplug(const struct subject *s)
{
        static const char *const claims[] = { "persistentVolumeClaim", "dataVolume" };

        REF_EACH(vol, s->volumes) {
                for (size_t i = 0; i < ARRAY_LEN(claims); i++)
                        if (ref_bool(ref_get(ref_get(vol.item, claims[i]), "hotpluggable"), false))
                                diag_report(s->d, VMQ_HOTPLUG,
                                            AT(AT(AT_VOLUME(vol.i), claims[i]), "hotpluggable"),
                                            "nothing plugs a volume into a running guest here, so "
                                            "the guest stays without it; drop hotpluggable");
                if (ref_is_set(ref_get(vol.item, "memoryDump")))
                        diag_report(s->d, VMQ_HOTPLUG, AT(AT_VOLUME(vol.i), "memoryDump"),
                                    "nothing dumps a guest's memory here; the volume is left out");
        }
        REF_EACH(disk, s->disks)
                if (ref_is_set(ref_get(disk.item, "cdrom")) &&
                    index_of(&s->volume_at, ref_text(disk.item, "name")) < 0)
                        diag_report(s->d, VMQ_EMPTY_DRIVE, AT_DISK(disk.i),
                                    "the drive is empty, and nothing puts a disc into it here");
}

/* Fields that a single host has no use for. */
void rule_no_effect(const struct subject *s)
{
        static const struct {
                const char *field; /* below spec */
                enum diag_code code;
                const char *what;
        } rows[] = {
                { "template.spec.evictionStrategy", VMQ_MIGRATION,
                  "nothing migrates from one host" },
                { "updateVolumesStrategy", VMQ_MIGRATION, "nothing migrates on one host" },
                { "template.spec.domain.cpu.maxSockets", VMQ_HOTPLUG_ROOM,
                  "CPUs are not added to a running guest here" },
                { "template.spec.domain.memory.maxGuest", VMQ_HOTPLUG_ROOM,
                  "memory is not added to a running guest here" },
                { "template.spec.resourceClaims", VMQ_DRA,
                  "nothing allocates devices from resource claims here; give the guest its devices "
                  "by deviceName" },
                { "template.spec.nodeSelector", VMQ_SCHEDULING, "there is one host" },
                { "template.spec.affinity", VMQ_SCHEDULING, "there is one host" },
                { "template.spec.tolerations", VMQ_SCHEDULING, "there is one host" },
                { "template.spec.topologySpreadConstraints", VMQ_SCHEDULING, "there is one host" },
                { "template.spec.schedulerName", VMQ_SCHEDULING, "there is no scheduler" },
                { "template.spec.priorityClassName", VMQ_SCHEDULING, "there is no scheduler" },
        };

        for (size_t i = 0; i < ARRAY_LEN(rows); i++)
                if (ref_is_set(ref_at(s->spec, rows[i].field)) &&
                    !ref_eq(ref_at(s->spec, rows[i].field), "None"))
                        report_missing(s, rows[i].code, AT(AT(NULL, "spec"), rows[i].field),
                                       "this has no effect: %s", rows[i].what);
}

void rule_pull_secrets(const struct subject *s)
{
        REF_EACH(vol, s->volumes)
                if (*ref_text(vol.item, "containerDisk.imagePullSecret"))
                        diag_report(s->d, VMQ_PULL_SECRET,
                                    AT(AT_VOLUME(vol.i), "containerDisk.imagePullSecret"),
                                    "vmq does not read the Secret '%.100s'; run podman login for "
                                    "the registry",
                                    ref_text(vol.item, "containerDisk.imagePullSecret"));
}

void check_image(const struct subject *s, const char *image, const struct path *at)
{
        if (*image && !name_is_image(image) && control_of(image) < 0)
                diag_report(s->d, VMQ_IMAGE_NAME, at,
                            "'%.100s' is no image; write it like registry.example.com/app:1.0",
                            image);
}

void rule_image_names(const struct subject *s)
{
        REF_EACH(vol, s->volumes)
                check_image(s, ref_text(vol.item, "containerDisk.image"),
                            AT(AT_VOLUME(vol.i), "containerDisk.image"));
        check_image(s, ref_text(s->domain, "firmware.kernelBoot.container.image"),
                    AT_DOMAIN("firmware.kernelBoot.container.image"));
}

void rule_unsupported_sources(const struct subject *s)
{
        REF_EACH(vol, s->volumes)
                if (ref_is_set(ref_get(vol.item, "downwardAPI")))
                        diag_report(
                                s->d, VMQ_DOWNWARD_API, AT(AT_VOLUME(vol.i), "downwardAPI"),
                                "nothing fills a downwardAPI volume here; the guest may fail to "
                                "start with it");
}

void rule_reservation(const struct subject *s)
{
        REF_EACH(disk, s->disks)
                if (ref_bool(ref_at(disk.item, "lun.reservation"), false))
                        diag_report(s->d, VMQ_RESERVATION, AT(AT_DISK(disk.i), "lun.reservation"),
                                    "SCSI reservations go through a pr-helper on the host, which "
                                    "KubeVirt starts and you have to start here");
}

/* Two writable disks on one image: QEMU locks the image, and the guest does not start. */
void rule_host_disk_twice(const struct subject *s)
{
        for (int i = 0; i < ref_len(s->volumes) && i < 256; i++) {
                const char *path = ref_text(ref_item(s->volumes, i), "hostDisk.path");

                for (int j = 0; *path && j < i; j++) {
                        struct ref a = ref_item(s->volumes, i), b = ref_item(s->volumes, j);

                        if (strcmp(path, ref_text(b, "hostDisk.path")) != 0 ||
                            ref_bool(ref_at(a, "hostDisk.shared"), false) ||
                            ref_bool(ref_at(b, "hostDisk.shared"), false) ||
                            disk_is_read_only(s, ref_text(a, "name")) ||
                            disk_is_read_only(s, ref_text(b, "name")))
                                continue;
                        diag_report(s->d, VMQ_HOST_DISK_TWICE, AT(AT_VOLUME(i), "hostDisk.path"),
                                    "volumes[%d] is on this image already, and two disks cannot "
                                    "write to one; use another image",
                                    j);
                        break;
                }
        }
}
