/* SPDX-License-Identifier: Apache-2.0 */
#include "state.h"

#include "array.h"
#include "jvx.h"
#include "volume_kinds.h"

/* pkg/util/util.go, PathForSwtpm, PathForSwtpmLocalca, PathForNVram; pkg/storage/cbt/cbt.go,
 * PathForCBT */
static const struct {
        bool (*applies)(const struct vm *vm);
        const char *part; /* of the volume */
        const char *path, *root_path;
} parts[] = {
        { vm_persistent_tpm, "swtpm", PRIVATE_DIR "/libvirt/qemu/swtpm", "/var/lib/libvirt/swtpm" },
        { vm_persistent_tpm, "swtpm-localca", PRIVATE_DIR "/var/lib/swtpm-localca",
          "/var/lib/swtpm-localca" },
        { vm_persistent_efi, "nvram", PRIVATE_DIR "/libvirt/qemu/nvram",
          "/var/lib/libvirt/qemu/nvram" },
        { vm_tracks_blocks, "cbt", PRIVATE_DIR "/libvirt/qemu/cbt", "/var/lib/libvirt/qemu/cbt" },
};

static void mount_part(struct volumes *v, const char *part, const char *path)
{
        add_mount(v, jvx_build("{name: 'vm-state', mountPath: %s, subPath: %s}", path, part));
}

/* rendervolumes.go, withBackendStorage; pkg/storage/backend-storage/backend-storage.go,
 * IsBackendStorageNeeded */
void state_volumes(struct volumes *v, const struct vm *vm)
{
        BUF_AUTO struct buf claim = BUF_INIT;
        bool any = false;

        for (size_t i = 0; i < ARRAY_LEN(parts); i++)
                any = any || parts[i].applies(vm);
        if (!any)
                return;
        buf_addf(&claim, "%s-vm-state", vm->name);
        add_volume(v, "vm-state", jvx_build("{persistentVolumeClaim: {claimName: %s}}", claim.s));
        mount_part(v, "meta", "/run/kubevirt-private/backend-storage-meta");
        if (vm->nonroot) {
                /* folders between, which would belong to root */
                add_empty_dir(v, "private-libvirt", PRIVATE_DIR "/libvirt");
                add_empty_dir(v, "private-libvirt-qemu", PRIVATE_DIR "/libvirt/qemu");
        }
        for (size_t i = 0; i < ARRAY_LEN(parts); i++)
                if (parts[i].applies(vm))
                        mount_part(v, parts[i].part,
                                   vm->nonroot ? parts[i].path : parts[i].root_path);
}
