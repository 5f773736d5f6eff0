/* SPDX-License-Identifier: Apache-2.0 */
/* devices - disks, watchdog and inputs. */
#include <string.h>

#include "array.h"
#include "defaults.h"
#include "jvx.h"

static void add_names(jv *set, struct ref list)
{
        REF_EACH(item, list)
                jvx_set(set, ref_text(item.item, "name"), jv_true());
}

/* pkg/util/util.go, SetDefaultVolumeDisk: a volume that no disk and no filesystem names gets a
 * disk. Two volumes of one name get two. */
void set_volume_disks(jv *vmi)
{
        struct ref spec = ref_get(ref_of(vmi), "spec");
        JVX_AUTO jv named = jv_object();
        JVX_AUTO jv added = jv_array();

        add_names(&named, ref_at(spec, "domain.devices.disks"));
        add_names(&named, ref_at(spec, "domain.devices.filesystems"));
        REF_EACH(volume, ref_get(spec, "volumes")) {
                const char *name = ref_text(volume.item, "name");

                if (!ref_is_set(ref_get(ref_of(&named), name)))
                        jvx_append(&added, jvx_build("{name: %s}", name));
        }
        REF_EACH(disk, ref_of(&added))
                jvx_append_at(vmi, "spec.domain.devices.disks", ref_copy(disk.item));
}

/* staging/src/kubevirt.io/api/core/v1/defaults.go, SetDefaults_DiskDevice, SetDefaults_CDRomTarget,
 * SetDefaults_FeatureState: a disk without any target is a plain one; a CD-ROM is read-only and
 * closed; a block size of the volume's is on. */
static void set_target(jv *disk, void *unused)
{
        struct ref d = ref_of(disk);

        (void)unused;
        if (!ref_is_set(ref_get(d, "disk")) && !ref_is_set(ref_get(d, "cdrom")) &&
            !ref_is_set(ref_get(d, "lun")))
                jvx_set(disk, "disk", jv_object());
        if (ref_is_set(ref_get(ref_of(disk), "cdrom"))) {
                jvx_set_default_at(disk, "cdrom.readonly", jv_true());
                jvx_set_default_at(disk, "cdrom.tray", jv_string("closed"));
        }
        if (ref_is_set(ref_at(ref_of(disk), "blockSize.matchVolume")))
                jvx_set_default_at(disk, "blockSize.matchVolume.enabled", jv_true());
}

/* zz_generated.defaults.go of that folder, SetObjectDefaults_VirtualMachineInstance. */
void set_disk_targets(jv *vmi)
{
        jvx_each_at(vmi, "spec.domain.devices.disks", set_target, NULL);
}

/* pkg/defaults/amd64.go, setDefaultAmd64DisksBus, arm64.go, setDefaultArm64DisksBus, s390x.go,
 * setDefaultS390xDisksBus. A disk that names two targets gets both. */
static void set_bus(jv *disk, void *bus)
{
        static const char *const targets[] = { "disk", "cdrom", "lun" };

        for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
                JVX_AUTO jv target = jvx_detach(disk, targets[i]);

                if (!jvx_is(&target, JV_KIND_OBJECT))
                        continue;
                set_text_default(&target, "bus", *(const char **)bus);
                jvx_set(disk, targets[i], jvx_take(&target));
        }
}

void set_disk_buses(jv *vmi, const char *bus)
{
        jvx_each_at(vmi, "spec.domain.devices.disks", set_bus, &bus);
}

/* pkg/defaults/amd64.go, SetAmd64Watchdog, and s390x.go, SetS390xWatchdog: the architecture's own
 * device, beside any other that is named. */
static void set_watchdog_device(jv *watchdog, void *device)
{
        JVX_AUTO jv model = jvx_detach(watchdog, *(const char **)device);

        set_text_default(&model, "action", "reset");
        jvx_set(watchdog, *(const char **)device, jvx_take(&model));
}

void set_watchdog(jv *vmi, const char *device)
{
        jvx_edit_at(vmi, "spec.domain.devices.watchdog", set_watchdog_device, &device);
}

/* staging/src/kubevirt.io/api/core/v1/defaults.go, setDefaults_Input. */
static void set_input(jv *input, void *unused)
{
        (void)unused;
        set_text_default(input, "bus", "usb");
        set_text_default(input, "type", "tablet");
}

void set_inputs(jv *vmi)
{
        jvx_each_at(vmi, "spec.domain.devices.inputs", set_input, NULL);
}

/* pkg/virt-controller/watch/vm/vm.go, AutoAttachInputDevice. It comes after the defaults, so the
 * device has no bus, and an empty type. */
void attach_input(jv *vmi)
{
        struct ref devices = ref_at(ref_of(vmi), "spec.domain.devices");

        if (ref_bool(ref_get(devices, "autoattachInputDevice"), false) &&
            ref_len(ref_get(devices, "inputs")) == 0)
                jvx_append_at(vmi, "spec.domain.devices.inputs",
                              jvx_build("{name: 'default-0', type: ''}"));
}
