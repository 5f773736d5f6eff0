/* SPDX-License-Identifier: Apache-2.0 */
#include "metadata.h"

#include <string.h>

#include "array.h"
#include "jvx.h"
#include "scheduling.h"
#include "sha1.h"

#define LABEL_MAX 63

jv pod_hostname(const struct vm *vm)
{
        const char *own = vm_text(vm->spec, "hostname");
        size_t len = strcspn(vm->name, ".");

        if (own)
                return jv_string(own);
        return jv_string_sized(vm->name, (int)(len > LABEL_MAX ? LABEL_MAX : len));
}

/* pkg/apimachinery/labels.go, CalculateVirtualMachineInstanceID: a longer name is cut, and the
 * first 8 digits of its SHA-1 stand for what it lost */
static jv instance_id(const char *name)
{
        BUF_AUTO struct buf id = BUF_INIT;
        char hex[2 * SHA1_SIZE + 1];
        size_t len = strlen(name);

        if (len <= LABEL_MAX)
                return jv_string(name);
        sha1_hex(name, len, hex);
        buf_add(&id, name, LABEL_MAX - 8 - 1);
        buf_addf(&id, "-%.8s", hex);
        return jv_string_sized(id.s, (int)id.len);
}

static void set_all(jv *obj, struct ref members)
{
        REF_EACH(m, vm_object(members))
                jvx_set(obj, m.key, ref_copy(m.item));
}

/* template.go, podLabels; renderLaunchManifest adds those of reservations */
static jv labels(const struct vm *vm)
{
        struct ref istio = ref_get(vm->annotations, "sidecar.istio.io/inject");
        JVX_AUTO jv reserved = reservation_labels(vm);
        jv made = jv_object();

        set_all(&made, vm->labels);
        jvx_set(&made, "kubevirt.io", jv_string("virt-launcher"));
        jvx_set(&made, "kubevirt.io/created-by", jv_string(vm->uid));
        jvx_set(&made, "vm.kubevirt.io/name", pod_hostname(vm));
        jvx_set(&made, "vmi.kubevirt.io/id", instance_id(vm->name));
        if (ref_is_set(istio))
                jvx_set(&made, "sidecar.istio.io/inject", ref_copy(istio));
        set_all(&made, ref_of(&reserved));
        return made;
}

/* template.go, filterVMIAnnotationsForPod */
static bool stays_out(const char *annotation)
{
        static const char *const prefixes[] = { "kubectl.kubernetes.io",
                                                "kubevirt.io/storage-observed-api-version",
                                                "kubevirt.io/latest-observed-api-version" };

        for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
                if (strncmp(annotation, prefixes[i], strlen(prefixes[i])) == 0)
                        return true;
        return false;
}

/* template.go, generatePodAnnotations; renderLaunchManifest adds the overhead */
static jv annotations(const struct vm *vm)
{
        BUF_AUTO struct buf overhead = BUF_INIT;
        jv made = jv_object();

        jvx_set(&made, "kubevirt.io/domain", jv_string(vm->name));
        REF_EACH(own, vm->annotations)
                if (!stays_out(own.key))
                        jvx_set(&made, own.key, ref_copy(own.item));
        jvx_set(&made, "kubectl.kubernetes.io/default-container", jv_string("compute"));
        jvx_set(&made, "kubevirt.io/migrationTransportUnix", jv_string("true"));
        jvx_set(&made, "descheduler.alpha.kubernetes.io/request-evict-only", jv_string(""));
        if (release_gate(vm->release, "VmiMemoryOverheadReport")) {
                buf_addf(&overhead, "%lld", quantity_value(vm->overhead));
                jvx_set(&made, "kubevirt.io/memory-overhead-bytes", jv_string(overhead.s));
        }
        return made;
}

/* template.go, renderLaunchManifest */
jv pod_metadata(const struct vm *vm)
{
        BUF_AUTO struct buf prefix = BUF_INIT;

        buf_addf(&prefix, "virt-launcher-%s-", vm->name);
        return jvx_build("{generateName: %s, labels: %j, annotations: %j, "
                         "ownerReferences: [{apiVersion: 'kubevirt.io/v1', "
                         "kind: 'VirtualMachineInstance', name: %s, uid: %s, controller: true, "
                         "blockOwnerDeletion: true}]}",
                         prefix.s, labels(vm), annotations(vm), vm->name, vm->uid);
}
