/* SPDX-License-Identifier: Apache-2.0 */
#include "volumes.h"

#include "array.h"
#include "gopath.h"
#include "index.h"
#include "jvx.h"
#include "state.h"
#include "volume_kinds.h"

/* What a comment names without a file is in pkg/virt-controller/services/rendervolumes.go. */

void volumes_release(struct volumes *v)
{
        jvx_release(&v->volumes);
        jvx_release(&v->mounts);
        jvx_release(&v->devices);
        buf_release(&v->shared);
}

/* withVMIConfigVolumes: volumes in the order of the volumes, mounts in the order of the disks. Of
 * volumes of one name the last counts. */
static void config_volumes(struct volumes *v, const struct vm *vm)
{
        REF_EACH(volume, vm->volumes)
                config_volume(v, volume.item);
        REF_EACH(disk, ref_get(vm->devices, "disks"))
                config_mount(v, vm_volume(vm, ref_text(disk.item, "name")));
}

/* hotplugVolumes: those that the status says were attached by another Pod while the VM ran */
static jv hotplugged(const struct vm *vm)
{
        jv names = jv_object();

        REF_EACH(status, ref_get(vm->status, "volumeStatus"))
                if (ref_is_set(ref_get(status.item, "hotplugVolume")))
                        index_set(&names, ref_text(status.item, "name"), status.i);
        return names;
}

/* hotplugVolumes: ... and those that will be */
static bool is_hotpluggable(struct ref volume)
{
        return ref_bool(ref_at(volume, "dataVolume.hotpluggable"), false) ||
               ref_bool(ref_at(volume, "persistentVolumeClaim.hotpluggable"), false);
}

/* withVMIVolumes */
static void vmi_volumes(struct volumes *v, const struct vm *vm)
{
        JVX_AUTO jv attached = hotplugged(vm);

        REF_EACH(volume, vm->volumes) {
                const struct path *at = AT_INDEX(AT(vm->spec_at, "volumes"), volume.i);

                if (!is_hotpluggable(volume.item) &&
                    index_get(&attached, ref_text(volume.item, "name")) < 0)
                        vmi_volume(v, vm, volume.item, at);
                else if (vm->bare)
                        diag_report(vm->diag, VMQ_RENDER_HOTPLUG, at,
                                    "a hotplugged volume is no part of the Pod, so the guest will "
                                    "not see it; remove hotpluggable");
        }
}

/* withAccessCredentials */
static void access_credentials(struct volumes *v, const struct vm *vm)
{
        REF_EACH(credential, ref_get(vm->spec, "accessCredentials")) {
                struct ref ssh = ref_at(credential.item, "sshPublicKey.source.secret");
                struct ref password = ref_at(credential.item, "userPassword.source.secret");
                const char *secret = vm_text(ref_is_set(ssh) ? ssh : password, "secretName");
                BUF_AUTO struct buf name = BUF_INIT;

                if (!secret)
                        continue;
                buf_addf(&name, "%s-access-cred", secret);
                add_volume(v, name.s, jvx_build("{secret: {secretName: %s}}", secret));
                add_mount(v, jvx_build("{name: %s, mountPath: %j, readOnly: true}", name.s,
                                       gopath_join(PRIVATE_DIR "/secret", name.s)));
        }
}

static jv image_source(const char *image, const char *policy)
{
        return jvx_build("{image: {reference: %s, pullPolicy: %s}}", image[0] ? image : NULL,
                         policy);
}

/* withImageVolumes: container disks, the kernel boot container, and the launcher's own image, from
 * which the init containers of the others take their program (shouldAddLauncherBinaryVolume) */
static void image_volumes(struct volumes *v, const struct vm *vm)
{
        struct ref boot = vm_kernel_boot(vm);
        bool any = ref_is_set(boot);

        REF_EACH(volume, vm->volumes) {
                struct ref disk = ref_get(volume.item, "containerDisk");
                const char *name = ref_text(volume.item, "name");
                BUF_AUTO struct buf path = BUF_INIT;

                if (!ref_is_set(disk))
                        continue;
                any = true;
                buf_addf(&path, "/var/run/kubevirt-image-volume/disk_%d", volume.i);
                add_volume(v, name,
                           image_source(ref_text(disk, "image"), vm_text(disk, "imagePullPolicy")));
                add_mount(v, jvx_build("{name: %s, mountPath: %s, readOnly: true}", name, path.s));
        }
        if (ref_is_set(boot)) {
                add_volume(v, "kernel-boot-volume",
                           image_source(ref_text(boot, "image"), vm_text(boot, "imagePullPolicy")));
                add_mount(v,
                          jvx_build("{name: 'kernel-boot-volume', "
                                    "mountPath: '/var/run/kubevirt-kernel-boot', readOnly: true}"));
        }
        if (any)
                add_volume(v, "launcher-volume", image_source(vm->image, PULL_POLICY));
}

/* withHugepages */
static void hugepages(struct volumes *v)
{
        add_volume(v, "hugepages", jvx_build("{emptyDir: {medium: 'HugePages'}}"));
        add_mount(v, jvx_build("{name: 'hugepages', mountPath: '/dev/hugepages'}"));
        add_empty_dir(v, "hugetblfs-dir", "/dev/hugepages/libvirt/qemu");
}

/* withHotplugSupport */
static void hotplug(struct volumes *v)
{
        add_volume(v, "hotplug-disks", jvx_build("{emptyDir: {}}"));
        add_mount(v, jvx_build("{name: 'hotplug-disks', mountPath: '" SHARE_DIR "/hotplug-disks/', "
                               "mountPropagation: 'HostToContainer'}"));
}

/* withNetworkDeviceInfoMapAnnotation, for SR-IOV */
static void network_info(struct volumes *v)
{
        add_mount(v, jvx_build("{name: 'network-info-annotation', mountPath: '/etc/podinfo'}"));
        add_volume(v, "network-info-annotation",
                   jvx_build("{downwardAPI: {items: [{path: 'network-info', fieldRef: {fieldPath: "
                             "%s}}]}}",
                             "metadata.annotations['kubevirt.io/network-info']"));
}

/* What every Pod has: Mounts and Volumes of VolumeRenderer */
static struct volumes fixed_volumes(void)
{
        return (struct volumes){
                .volumes = jvx_build(
                        "[{name: 'private', emptyDir: {}}, {name: 'public', emptyDir: {}},"
                        " {name: 'sockets', emptyDir: {}},"
                        " {name: 'virt-bin-share-dir', emptyDir: {}},"
                        " {name: 'libvirt-runtime', emptyDir: {}},"
                        " {name: 'ephemeral-disks', emptyDir: {}}]"),
                .mounts = jvx_build("[{name: 'private', mountPath: '" PRIVATE_DIR "'},"
                                    " {name: 'public', mountPath: '" SHARE_DIR "'},"
                                    " {name: 'ephemeral-disks',"
                                    "  mountPath: '/var/run/kubevirt-ephemeral-disks'},"
                                    " {name: 'libvirt-runtime', mountPath: '/var/run/libvirt'},"
                                    " {name: 'sockets', mountPath: '" SHARE_DIR "/sockets'}]"),
                .devices = jv_invalid(),
                .shared = BUF_INIT,
        };
}

/* template.go, newVolumeRenderer: the order of the options */
struct volumes volumes_of(const struct vm *vm)
{
        struct volumes v = fixed_volumes();

        config_volumes(&v, vm);
        vmi_volumes(&v, vm);
        access_credentials(&v, vm);
        state_volumes(&v, vm);
        image_volumes(&v, vm);
        if (vm_hugepages(vm))
                hugepages(&v);
        if (!ref_bool(ref_get(vm->devices, "disableHotplug"), false))
                hotplug(&v);
        if (vm_any_has(vm->interfaces, "sriov"))
                network_info(&v);
        /* pkg/util/util.go, IsVMIVirtiofsEnabled; withVirioFS */
        if (vm_any_has(ref_get(vm->devices, "filesystems"), "virtiofs"))
                add_empty_dir(&v, "virtiofs-containers", SHARE_DIR "/virtiofs-containers");
        return v;
}

/* A list without repetitions. */
struct set {
        jv list, index;
};

static bool is_new(struct set *set, const char *name)
{
        if (!name || index_get(&set->index, name) >= 0)
                return false;
        index_set(&set->index, name, 0);
        return true;
}

static void add_secret(struct set *secrets, const char *name)
{
        if (is_new(secrets, name))
                jvx_append(&secrets->list, jvx_build("{name: %s}", name));
}

/* imgPullSecrets; template.go, appendUniqueImagePullSecret and renderLaunchManifest */
jv volumes_pull_secrets(const struct vm *vm)
{
        struct set secrets = { jv_array(), jv_object() };

        REF_EACH(volume, vm->volumes)
                add_secret(&secrets, vm_text(volume.item, "containerDisk.imagePullSecret"));
        add_secret(&secrets, vm_text(vm_kernel_boot(vm), "imagePullSecret"));
        add_secret(&secrets, "pull-secret-1");
        jv_free(secrets.index);
        return secrets.list;
}

/* Add the stub of a claim. */
static void add_claim(struct set *claims, const char *name, struct ref namespace)
{
        if (is_new(claims, name))
                jvx_append(&claims->list,
                           jvx_build("{metadata: {name: %s, namespace: %r}, spec: "
                                     "{accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem'}}",
                                     name, namespace));
}

jv volumes_claims(struct ref vmi)
{
        static const char *const names[] = { "persistentVolumeClaim.claimName", "dataVolume.name",
                                             "ephemeral.persistentVolumeClaim.claimName" };
        struct set claims = { jv_array(), jv_object() };

        REF_EACH(volume, ref_at(vmi, "spec.volumes"))
                for (size_t i = 0; i < ARRAY_LEN(names); i++)
                        add_claim(&claims, vm_text(volume.item, names[i]),
                                  ref_at(vmi, "metadata.namespace"));
        jv_free(claims.index);
        return claims.list;
}
