/* SPDX-License-Identifier: Apache-2.0 */
#include "virtiofs.h"

#include "array.h"
#include "gopath.h"
#include "index.h"
#include "jvx.h"
#include "volumes.h"

/* What a comment names without a file is in pkg/virt-controller/services/virtiofs.go. */

#define SOCKETS   SHARE_DIR "/virtiofs-containers"
#define TOKEN_DIR "/var/run/secrets/kubernetes.io/serviceaccount/" /* config.go */

/* virtioFSMountPoint: of several kinds the first of these counts */
static jv mount_point(struct ref volume)
{
        static const char *const kinds[] = { "configMap", "secret", "serviceAccount",
                                             "downwardAPI" };
        const char *name = ref_text(volume, "name");
        BUF_AUTO struct buf path = BUF_INIT;

        for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
                const char *dir = volumes_config_dir(kinds[i]);

                if (ref_is_set(ref_get(volume, kinds[i])))
                        return dir ? gopath_join(dir, name) : jv_string(TOKEN_DIR);
        }
        buf_addf(&path, "/%s", name);
        return jv_string(path.s);
}

/* pkg/virtiofs/resources.go, ResourcesForVirtioFSContainer: with dedicated CPUs or guaranteed QoS,
 * requests are the limits. */
static jv resources(const struct vm *vm)
{
        bool whole = vm->dedicated || vm->guaranteed;

        return jvx_build("{limits: {cpu: '100m', memory: '80M'}, requests: {cpu: %s, memory: %s}}",
                         whole ? "100m" : "10m", whole ? "80M" : "1M");
}

/* generateContainerFromVolume; pkg/virtiofs/virtiofs.go, VirtioFSSocketPath */
static jv arguments(const struct vm *vm, struct ref volume, struct ref dir)
{
        BUF_AUTO struct buf file = BUF_INIT, socket = BUF_INIT, shared = BUF_INIT;

        buf_addf(&file, "%s.sock", ref_text(volume, "name"));
        JVX_AUTO jv path = gopath_join(SOCKETS, file.s);

        buf_addf(&socket, "--socket-path=%s", ref_str(ref_of(&path)));
        buf_addf(&shared, "--shared-dir=%s", ref_str(dir));
        jv args = jvx_build("[%s, %s, '--sandbox=none', '--cache=auto', "
                            "'--migration-on-error=guest-error', '--migration-mode=find-paths']",
                            socket.s, shared.s);

        if (ref_is_set(ref_get(volume, "serviceAccount")) && vm->release->virtiofs_translate_uid)
                jvx_append(&args, jv_string("--translate-uid=host:107:0:1"));
        return args;
}

/* generateContainerFromVolume, isAutoMount */
static jv container(const struct vm *vm, struct ref volume)
{
        const char *name = ref_text(volume, "name");
        JVX_AUTO jv dir = mount_point(volume);
        jv mounts = jvx_build("[{name: 'virtiofs-containers', mountPath: '" SOCKETS "'}]");
        BUF_AUTO struct buf own_name = BUF_INIT;

        if (!ref_is_set(ref_get(volume, "serviceAccount")))
                jvx_append(&mounts, jvx_build("{name: %s, mountPath: %r}", name, ref_of(&dir)));
        buf_addf(&own_name, "virtiofs-%s", name);
        return jvx_build("{name: %s, image: %s, imagePullPolicy: 'IfNotPresent', "
                         "command: ['/usr/libexec/virtiofsd'], args: %j, volumeMounts: %j, "
                         "resources: %j, securityContext: {runAsUser: %d, runAsGroup: %d, "
                         "runAsNonRoot: true, allowPrivilegeEscalation: false, "
                         "capabilities: {drop: ['ALL']}}}",
                         own_name.s, vm->image, arguments(vm, volume, ref_of(&dir)), mounts,
                         resources(vm), NON_ROOT_UID, NON_ROOT_UID);
}

/* generateVirtioFSContainers */
void add_virtiofs(jv *containers, const struct vm *vm)
{
        JVX_AUTO jv shown = index_make(ref_get(vm->devices, "filesystems"), "name");

        REF_EACH(volume, vm->volumes) {
                const struct path *at = AT_INDEX(AT(vm->spec_at, "volumes"), volume.i);

                if (index_get(&shown, ref_text(volume.item, "name")) < 0)
                        continue;
                if (ref_is_set(ref_get(volume.item, "containerPath")))
                        diag_report(vm->diag, VMQ_RENDER_CONTAINER_PATH, AT(at, "containerPath"),
                                    "the guest gets no file system of it; share a claim instead");
                else
                        jvx_append(containers, container(vm, volume.item));
        }
}
