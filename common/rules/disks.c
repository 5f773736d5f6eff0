/* SPDX-License-Identifier: Apache-2.0 */
/* Disks, CD-ROMs and LUNs of the guest. */
#include <stdio.h>
#include <string.h>

#include "jvx.h"
#include "names.h"
#include "rules/rules.h"

#define BLOCK_MIN 512
#define BLOCK_MAX 2097152

/* pkg/storage/admitters/disks.go, getDiskType: the first that is there; NULL: KubeVirt makes it a
 * disk. */
static const char *target_of(struct ref disk)
{
        static const char *const targets[] = { "disk", "lun", "cdrom" };

        for (int i = 0; i < 3; i++)
                if (ref_is_set(ref_get(disk, targets[i])))
                        return targets[i];
        return NULL;
}

/* getDiskBus of that file */
static const char *bus_of(struct ref disk)
{
        const char *target = target_of(disk);

        return target ? ref_text(ref_get(disk, target), "bus") : "";
}

/*
 * The bus that the VMI has. A disk that names none gets its architecture's (pkg/defaults/amd64.go,
 * setDefaultAmd64DisksBus, and the others), and the VMI is held to that one: vmi-create-admitter.go
 * runs ValidateVirtualMachineInstanceSpec again, after the defaults.
 */
static const char *bus_in_vmi(const struct subject *s, const char *bus)
{
        bool amd64 = strcmp(s->arch, "arm64") != 0 && strcmp(s->arch, "s390x") != 0;

        return *bus ? bus : amd64 ? "sata" : "virtio";
}

static bool has_volume(const struct subject *s, struct ref disk)
{
        return index_of(&s->volume_at, ref_text(disk, "name")) >= 0;
}

void rule_disk_names(const struct subject *s)
{
        REF_EACH(disk, s->disks) {
                const char *name = ref_text(disk.item, "name");
                int first = index_of(&s->disk_at, name);
                const struct path *at = AT(AT_DISK(disk.i), "name");

                want_label(s, VMQ_DISK_NAME, at, name);
                if (first >= 0 && first != disk.i)
                        diag_report(s->d, VMQ_DISK_TWICE, at,
                                    "disks[%d] is called '%.100s' already; name them apart", first,
                                    name);
                if (!has_volume(s, disk.item) && !ref_is_set(ref_get(disk.item, "cdrom")))
                        report_missing(s, VMQ_DISK_NO_VOLUME, at,
                                       "there is no volume '%.100s'; add it to "
                                       "spec.template.spec.volumes, or drop the disk",
                                       name);
        }
}

void rule_disk_target(const struct subject *s)
{
        static const char *const targets[] = { "disk", "lun", "cdrom", NULL };

        REF_EACH(disk, s->disks)
                if (count_set(disk.item, targets) > 1)
                        diag_report(s->d, VMQ_DISK_TARGETS, AT_DISK(disk.i),
                                    "disk, cdrom and lun exclude each other; keep one");
}

void rule_disk_lun_volume(const struct subject *s)
{
        REF_EACH(disk, s->disks) {
                struct ref vol = named(&s->volume_at, s->volumes, ref_text(disk.item, "name"));

                if (ref_is_set(ref_get(disk.item, "lun")) && ref_is_set(vol) &&
                    !ref_is_set(ref_get(vol, "persistentVolumeClaim")) &&
                    !ref_is_set(ref_get(vol, "dataVolume")))
                        diag_report(s->d, VMQ_LUN_VOLUME, AT(AT_DISK(disk.i), "lun"),
                                    "a lun needs a persistentVolumeClaim or dataVolume volume; "
                                    "make it a disk");
        }
}

void rule_disk_downward_metrics(const struct subject *s)
{
        REF_EACH(vol, s->volumes) {
                const char *name = ref_text(vol.item, "name");
                int i = index_of(&s->disk_at, name);
                struct ref disk = ref_item(s->disks, i);
                const char *bus = bus_in_vmi(s, ref_text(disk, "disk.bus"));

                if (!ref_is_set(ref_get(vol.item, "downwardMetrics")) ||
                    (i < 0 && index_of(&s->filesystem_at, name) >= 0))
                        continue;
                if (i < 0)
                        diag_report(s->d, VMQ_METRICS_DISK, AT(AT_VOLUME(vol.i), "downwardMetrics"),
                                    "downwardMetrics need a disk; add {name: %.100s, disk: {bus: "
                                    "virtio}} to devices.disks",
                                    name);
                else if (!ref_is_set(ref_get(disk, "disk")))
                        diag_report(s->d, VMQ_METRICS_DISK, AT(AT_DISK(i), "disk"),
                                    "downwardMetrics need a disk; add disk: {bus: virtio}");
                else if (strcmp(bus, "virtio") != 0)
                        diag_report(s->d, VMQ_METRICS_DISK, AT(AT_DISK(i), "disk.bus"),
                                    "downwardMetrics are on the virtio bus, not '%.40s'%s", bus,
                                    *ref_text(disk, "disk.bus")
                                            ? ""
                                            : ", which a disk without a bus comes to; set bus: "
                                              "virtio");
        }
}

void rule_disk_pci(const struct subject *s)
{
        REF_EACH(disk, s->disks) {
                const char *pci = ref_text(disk.item, "disk.pciAddress");
                const struct path *at = AT(AT_DISK(disk.i), "disk.pciAddress");

                if (!*pci)
                        continue;
                if (strcmp(ref_text(disk.item, "disk.bus"), "virtio") != 0)
                        diag_report(s->d, VMQ_DISK_PCI_BUS, at,
                                    "only disks on the virtio bus have a PCI address; set bus: "
                                    "virtio");
                if (!name_is_pci(pci))
                        diag_report(s->d, VMQ_DISK_PCI, at,
                                    "'%.60s' is not a PCI address; write 0000:81:00.1", pci);
        }
}

/* Boot orders of disks and interfaces are one sequence. */
static void check_boot_order(const struct subject *s, jv *taken, struct ref device,
                             const struct path *at)
{
        struct ref value = ref_get(device, "bootOrder");
        long long order = ref_int(value, -1);
        char key[32];

        if (!ref_is_set(value) || order < 0)
                return;
        (void)snprintf(key, sizeof key, "%lld", order);
        if (!order)
                diag_report(s->d, VMQ_BOOT_ORDER, AT(at, "bootOrder"),
                            "0 is no place in the boot order; start with 1");
        else if (ref_is_set(ref_get(ref_of(taken), key)))
                diag_report(s->d, VMQ_BOOT_ORDER_TWICE, AT(at, "bootOrder"),
                            "another device has boot order %lld already; number them apart", order);
        jvx_set(taken, key, jv_true());
}

void rule_boot_order(const struct subject *s)
{
        JVX_AUTO jv taken = jv_object();

        REF_EACH(disk, s->disks)
                check_boot_order(s, &taken, disk.item, AT_DISK(disk.i));
        REF_EACH(nic, s->interfaces)
                check_boot_order(s, &taken, nic.item, AT_INTERFACE(nic.i));
}

static void check_bus(const struct subject *s, struct ref disk, const struct path *at,
                      const char *target, const char *bus)
{
        static const char *const known[] = { "virtio", "scsi", "sata", "usb", NULL };
        const struct path *bus_at = AT(AT(at, target), "bus");

        if (strcmp(bus, "ide") == 0)
                diag_report(s->d, VMQ_DISK_BUS, bus_at,
                            "the machine has no IDE bus; use sata, or virtio for a disk");
        else if (strcmp(bus, "virtio") == 0 && strcmp(target, "cdrom") == 0)
                diag_report(s->d, VMQ_DISK_BUS, bus_at,
                            "a CD-ROM cannot be on the virtio bus; use sata or scsi");
        else if (strcmp(bus, "sata") == 0 && ref_bool(ref_at(disk, "disk.readonly"), false))
                diag_report(s->d, VMQ_DISK_BUS, bus_at,
                            "a sata disk cannot be read-only; use virtio or scsi, or make it a "
                            "cdrom");
        else
                one_of(s, VMQ_DISK_BUS, bus_at, bus, known);
        if (strcmp(bus, "virtio") != 0 && ref_bool(ref_get(disk, "dedicatedIOThread"), false))
                diag_report(s->d, VMQ_DISK_IOTHREAD, AT(at, "dedicatedIOThread"),
                            "only disks on the virtio bus have an I/O thread of their own, not on "
                            "'%.40s'",
                            bus);
}

/* A disk that names no bus: bus_in_vmi(). */
static void check_default_bus(const struct subject *s, struct ref disk, const struct path *at,
                              const char *target)
{
        bool sata = strcmp(bus_in_vmi(s, ""), "sata") == 0;

        if (!sata && strcmp(target, "cdrom") == 0)
                diag_report(s->d, VMQ_DISK_BUS, AT(AT(at, target), "bus"),
                            "without a bus, a CD-ROM on %s comes to the virtio bus, where none can "
                            "be; set bus: scsi",
                            s->arch);
        if (sata && ref_bool(ref_at(disk, "disk.readonly"), false))
                diag_report(s->d, VMQ_DISK_BUS, AT(AT(at, target), "readonly"),
                            "without a bus, the disk comes to the sata bus, where it cannot be "
                            "read-only; set bus: virtio");
        if (sata && ref_bool(ref_get(disk, "dedicatedIOThread"), false))
                diag_report(s->d, VMQ_DISK_IOTHREAD, AT(at, "dedicatedIOThread"),
                            "without a bus, the disk comes to the sata bus, where it has no I/O "
                            "thread of its own; set bus: virtio");
}

void rule_disk_bus(const struct subject *s)
{
        REF_EACH(disk, s->disks) {
                const char *target = target_of(disk.item), *bus = bus_of(disk.item);

                if (*bus)
                        check_bus(s, disk.item, AT_DISK(disk.i), target, bus);
                else
                        check_default_bus(s, disk.item, AT_DISK(disk.i), target ? target : "disk");
        }
}

void rule_arm64_disk_bus(const struct subject *s)
{
        static const char *const targets[] = { "disk", "lun", "cdrom" };

        if (!ref_eq(ref_get(s->vmi, "architecture"), "arm64"))
                return;
        REF_EACH(disk, s->disks) {
                for (int i = 0; i < 3; i++) {
                        const char *bus = ref_text(ref_get(disk.item, targets[i]), "bus");

                        if (*bus && strcmp(bus, "virtio") != 0 && strcmp(bus, "scsi") != 0)
                                diag_report(
                                        s->d, VMQ_ARM64_DISK_BUS,
                                        AT(AT(AT_DISK(disk.i), targets[i]), "bus"),
                                        "arm64 has no '%.40s' bus for disks; use virtio or scsi",
                                        bus);
                }
        }
}

/* Characters, not bytes, as KubeVirt counts. */
static size_t characters(const char *s)
{
        size_t n = 0;

        for (; *s; s++)
                n += ((unsigned char)*s & 0xc0) != 0x80;
        return n;
}

void rule_disk_serial(const struct subject *s)
{
        static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                      "0123456789_.+-";

        REF_EACH(disk, s->disks) {
                const char *serial = ref_text(disk.item, "serial");
                const struct path *at = AT(AT_DISK(disk.i), "serial");

                if (serial[strspn(serial, allowed)])
                        diag_report(s->d, VMQ_DISK_SERIAL, at,
                                    "a serial number has letters, digits and '_.+-' only");
                if (characters(serial) > 256)
                        diag_report(s->d, VMQ_DISK_SERIAL, at,
                                    "%zu characters are too many for a serial number; use at most "
                                    "256",
                                    characters(serial));
        }
}

void rule_disk_words(const struct subject *s)
{
        static const char *const caches[] = { "none", "writethrough", "writeback", NULL };
        static const char *const modes[] = { "native", "threads", NULL };
        static const char *const policies[] = { "stop", "ignore", "report", "enospace", NULL };

        REF_EACH(disk, s->disks) {
                const struct path *at = AT_DISK(disk.i);

                one_of(s, VMQ_DISK_CACHE, AT(at, "cache"), ref_text(disk.item, "cache"), caches);
                one_of(s, VMQ_DISK_IO, AT(at, "io"), ref_text(disk.item, "io"), modes);
                one_of(s, VMQ_DISK_ERROR_POLICY, AT(at, "errorPolicy"),
                       ref_text(disk.item, "errorPolicy"), policies);
                if (ref_eq(ref_get(disk.item, "errorPolicy"), ""))
                        diag_report(s->d, VMQ_DISK_ERROR_POLICY, AT(at, "errorPolicy"),
                                    "the value is empty; leave it out");
        }
}

/* false: reported */
static bool block_size_fits(const struct subject *s, long long size, const struct path *at)
{
        if (size < BLOCK_MIN)
                diag_report(s->d, VMQ_BLOCK_SIZE, at, "%lld is below the smallest block size, 512",
                            size);
        else if (size > BLOCK_MAX)
                diag_report(s->d, VMQ_BLOCK_SIZE, at,
                            "%lld is above the largest block size, 2097152", size);
        else if (size & (size - 1))
                diag_report(s->d, VMQ_BLOCK_SIZE, at, "%lld is not a power of 2", size);
        else
                return true;
        return false;
}

static bool block_sizes_fit(const struct subject *s, struct ref custom, const struct path *at)
{
        static const char *const names[] = { "logical", "physical" };
        bool fit = true;

        for (int i = 0; i < 2; i++)
                fit &= block_size_fits(s, ref_int(ref_get(custom, names[i]), 0), AT(at, names[i]));
        return fit;
}

static void check_custom_block(const struct subject *s, struct ref disk, const struct path *at)
{
        struct ref custom = ref_at(disk, "blockSize.custom");
        long long logical = ref_int(ref_get(custom, "logical"), 0);
        long long physical = ref_int(ref_get(custom, "physical"), 0);
        long long discard = ref_int(ref_get(custom, "discardGranularity"), 0);
        bool sata_only = strcmp(bus_in_vmi(s, bus_of(disk)), "sata") == 0 && logical != BLOCK_MIN;

        if (logical > physical)
                diag_report(s->d, VMQ_BLOCK_SIZE, AT(at, "logical"),
                            "the logical block size %lld is above the physical one, %lld; raise "
                            "physical",
                            logical, physical);
        else if (sata_only && *bus_of(disk))
                diag_report(s->d, VMQ_BLOCK_SIZE, AT(at, "logical"),
                            "a sata disk has logical blocks of 512 bytes, not %lld; use virtio or "
                            "scsi",
                            logical);
        else if (logical > 0 && discard % logical)
                diag_report(s->d, VMQ_BLOCK_SIZE, AT(at, "discardGranularity"),
                            "%lld is not a multiple of the logical block size %lld", discard,
                            logical);
        else if (block_sizes_fit(s, custom, at) && sata_only)
                diag_report(s->d, VMQ_BLOCK_SIZE, AT(at, "logical"),
                            "without a bus, the disk comes to the sata bus, where logical blocks "
                            "have 512 bytes, not %lld; set bus: virtio",
                            logical);
}

void rule_disk_block_size(const struct subject *s)
{
        REF_EACH(disk, s->disks) {
                const struct path *at = AT(AT_DISK(disk.i), "blockSize");

                if (!ref_is_set(ref_at(disk.item, "blockSize.custom")))
                        continue;
                if (feature_on(ref_at(disk.item, "blockSize.matchVolume")))
                        diag_report(s->d, VMQ_BLOCK_SIZE, at,
                                    "matchVolume and custom exclude each other; keep one");
                else
                        check_custom_block(s, disk.item, AT(at, "custom"));
        }
}
