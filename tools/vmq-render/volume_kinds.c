/* SPDX-License-Identifier: Apache-2.0 */
#include "volume_kinds.h"

#include <string.h>

#include "array.h"
#include "gopath.h"
#include "jvx.h"

/* What a comment names without a file is in pkg/virt-controller/services/rendervolumes.go. */

void add_volume(struct volumes *v, const char *name, jv source)
{
        jvx_set(&source, "name", jv_string(name));
        jvx_append(&v->volumes, source);
}

void add_mount(struct volumes *v, jv mount)
{
        jvx_append(&v->mounts, mount);
}

void add_empty_dir(struct volumes *v, const char *name, const char *path)
{
        add_volume(v, name, jvx_build("{emptyDir: {}}"));
        add_mount(v, jvx_build("{name: %s, mountPath: %s}", name, path));
}

static void mount_under(struct volumes *v, const char *dir, const char *name)
{
        add_mount(v, jvx_build("{name: %s, mountPath: %j, readOnly: true}", name,
                               gopath_join(dir, name)));
}

/* addSecretVolume */
static jv secret_source(struct ref secret)
{
        return jvx_build("{secret: {secretName: %s, optional: %r}}", vm_text(secret, "secretName"),
                         ref_get(secret, "optional"));
}

/* addConfigMapVolume */
static jv config_map_source(struct ref map)
{
        return jvx_build("{configMap: {name: %s, optional: %r}}", vm_text(map, "name"),
                         ref_get(map, "optional"));
}

/* addDownwardAPIVolume */
static jv downward_source(struct ref api)
{
        return jvx_build("{downwardAPI: {items: %r}}", ref_get(api, "fields"));
}

/* withVMIConfigVolumes: in its order; pkg/config/config.go, SecretSourceDir, ConfigMapSourceDir,
 * DownwardAPISourceDir: where the contents are mounted */
static const struct config_kind {
        const char *kind;
        const char *dir;
        jv (*source)(struct ref of);
} config_kinds[] = {
        { "secret", PRIVATE_DIR "/secret", secret_source },
        { "configMap", PRIVATE_DIR "/config-map", config_map_source },
        { "downwardAPI", PRIVATE_DIR "/downwardapi", downward_source },
};

void config_volume(struct volumes *v, struct ref volume)
{
        for (size_t i = 0; i < ARRAY_LEN(config_kinds); i++) {
                struct ref of = ref_get(volume, config_kinds[i].kind);

                if (ref_is_set(of))
                        add_volume(v, ref_text(volume, "name"), config_kinds[i].source(of));
        }
}

void config_mount(struct volumes *v, struct ref volume)
{
        for (size_t i = 0; i < ARRAY_LEN(config_kinds); i++)
                if (ref_is_set(ref_get(volume, config_kinds[i].kind)))
                        mount_under(v, config_kinds[i].dir, ref_text(volume, "name"));
}

/* One volume, and whom to tell about it. */
struct entry {
        struct volumes *v;
        const struct vm *vm;
        const char *name;
        const struct path *at;
};

/* addPVCToLaunchManifest: a claim in Block mode is a device, others are mounted; those that several
 * nodes may write are named to virt-launcher */
static void use_claim(const struct entry *e, const char *claim, const char *field)
{
        struct ref pvc = vm_pvc(e->vm, claim);
        struct volumes *v = e->v;

        if (!ref_is_set(pvc)) {
                diag_report(e->vm->diag, VMQ_RENDER_NO_CLAIM, AT(e->at, field),
                            "there is no PersistentVolumeClaim '%s' in pvcs; add one to the work "
                            "item, or "
                            "leave pvcs out and it is made",
                            claim);
                return;
        }
        if (ref_eq(ref_at(pvc, "spec.volumeMode"), "Block")) {
                jvx_append(&v->devices, jvx_build("{name: %s, devicePath: %j}", e->name,
                                                  gopath_join("/dev", e->name)));
                return;
        }
        JVX_AUTO jv path = gopath_join(PRIVATE_DIR "/vmi-disks", e->name);
        bool shared = false;

        add_mount(v, jvx_build("{name: %s, mountPath: %r}", e->name, ref_of(&path)));
        REF_EACH(mode, ref_at(pvc, "spec.accessModes"))
                shared = shared || ref_eq(mode.item, "ReadWriteMany");
        if (shared)
                buf_addf(&v->shared, "%s%s", v->shared.len ? ":" : "", ref_str(ref_of(&path)));
}

/* handlePVCVolume, handleEphemeralVolume, handleDataVolume: what they have in common */
static jv claim_source(const char *claim, bool read_only)
{
        jv source = jvx_build("{claimName: %s}", claim);

        if (read_only)
                jvx_set(&source, "readOnly", jv_true());
        return jvx_build("{persistentVolumeClaim: %j}", source);
}

/* handlePVCVolume */
static void claim_volume(const struct entry *e, struct ref of)
{
        const char *claim = ref_text(of, "claimName");

        use_claim(e, claim, "persistentVolumeClaim.claimName");
        add_volume(e->v, e->name, claim_source(claim, ref_bool(ref_get(of, "readOnly"), false)));
}

/* handleEphemeralVolume */
static void ephemeral_volume(const struct entry *e, struct ref of)
{
        struct ref source = ref_get(of, "persistentVolumeClaim");
        const char *claim = ref_text(source, "claimName");

        use_claim(e, claim, "ephemeral.persistentVolumeClaim.claimName");
        add_volume(e->v, e->name,
                   claim_source(claim, ref_bool(ref_get(source, "readOnly"), false)));
}

/* handleDataVolume */
static void data_volume(const struct entry *e, struct ref of)
{
        const char *claim = ref_text(of, "name");

        use_claim(e, claim, "dataVolume.name");
        add_volume(e->v, e->name, claim_source(claim, false));
}

/* handleHostDisk */
static void host_disk(const struct entry *e, struct ref of)
{
        const char *type = ref_text(of, "type");
        const char *folder_type = "";

        if (strcmp(type, "Disk") == 0)
                folder_type = "Directory";
        else if (strcmp(type, "DiskOrCreate") == 0)
                folder_type = "DirectoryOrCreate";
        add_mount(e->v, jvx_build("{name: %s, mountPath: %j}", e->name,
                                  gopath_join(PRIVATE_DIR "/vmi-disks", e->name)));
        add_volume(e->v, e->name,
                   jvx_build("{hostPath: {path: %j, type: %s}}", gopath_dir(ref_text(of, "path")),
                             folder_type));
}

/* handleDownwardMetrics */
static void downward_metrics(const struct entry *e, struct ref of)
{
        (void)of;
        add_volume(e->v, e->name, jvx_build("{emptyDir: {medium: 'Memory', sizeLimit: '1Mi'}}"));
        add_mount(e->v, jvx_build("{name: %s, mountPath: '" PRIVATE_DIR "/downwardmetric-disk'}",
                                  e->name));
}

/* handleCloudInitNoCloud, handleCloudInitConfigDrive: data that is in secrets, under both spellings
 * of the key */
static void cloud_init(const struct entry *e, struct ref of)
{
        static const struct {
                const char *field, *suffix, *keys[2];
        } data[] = {
                { "secretRef", "-udata", { "userdata", "userData" } },
                { "networkDataSecretRef", "-ndata", { "networkdata", "networkData" } },
        };

        for (size_t i = 0; i < ARRAY_LEN(data); i++) {
                struct ref secret = ref_get(of, data[i].field);
                BUF_AUTO struct buf name = BUF_INIT;

                if (!ref_is_set(secret))
                        continue;
                buf_addf(&name, "%s%s", e->name, data[i].suffix);
                add_volume(e->v, name.s,
                           jvx_build("{secret: {secretName: %s}}", vm_text(secret, "name")));
                for (int k = 0; k < 2; k++)
                        add_mount(
                                e->v,
                                jvx_build("{name: %s, mountPath: %j, subPath: %s, readOnly: true}",
                                          name.s,
                                          gopath_join3(PRIVATE_DIR "/secret", e->name,
                                                       data[i].keys[k]),
                                          data[i].keys[k]));
        }
}

/* handleSysprep; template.go, sysprepVolumeSource */
static void sysprep(const struct entry *e, struct ref of)
{
        struct ref secret = ref_get(of, "secret"), map = ref_get(of, "configMap");

        if (ref_is_set(secret))
                add_volume(e->v, e->name,
                           jvx_build("{secret: {secretName: %s}}", vm_text(secret, "name")));
        else if (ref_is_set(map))
                add_volume(e->v, e->name,
                           jvx_build("{configMap: {name: %s}}", vm_text(map, "name")));
        else
                diag_report(e->vm->diag, VMQ_RENDER_SYSPREP, AT(e->at, "sysprep"),
                            "names neither a Secret nor a ConfigMap; set secret or configMap");
        mount_under(e->v, PRIVATE_DIR "/sysprep", e->name);
}

/* withVMIVolumes: in its order */
static const struct {
        const char *kind;
        void (*add)(const struct entry *e, struct ref of);
} kinds[] = {
        { "persistentVolumeClaim", claim_volume },
        { "ephemeral", ephemeral_volume },
        { "hostDisk", host_disk },
        { "dataVolume", data_volume },
        { "downwardMetrics", downward_metrics },
        { "cloudInitNoCloud", cloud_init },
        { "sysprep", sysprep },
        { "cloudInitConfigDrive", cloud_init },
};

void vmi_volume(struct volumes *v, const struct vm *vm, struct ref volume, const struct path *at)
{
        struct entry e = { .v = v, .vm = vm, .name = ref_text(volume, "name"), .at = at };

        for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
                struct ref of = ref_get(volume, kinds[i].kind);

                if (ref_is_set(of))
                        kinds[i].add(&e, of);
        }
}

const char *volumes_config_dir(const char *kind)
{
        for (size_t i = 0; i < ARRAY_LEN(config_kinds); i++)
                if (strcmp(config_kinds[i].kind, kind) == 0)
                        return config_kinds[i].dir;
        return NULL;
}
