/* SPDX-License-Identifier: Apache-2.0 */
#include "standalone.h"

#include <string.h>

#include "array.h"
#include "buf.h"
#include "defaults.h"
#include "json.h"
#include "jvx.h"

/* The claim behind a volume, NULL if it has none. A `dataVolume` has the claim of its name. Claims
 * behind an `ephemeral` volume need a stub too (differences.md, D12). */
static const char *claim_of(struct ref volume)
{
        static const struct {
                const char *source, *name;
        } kinds[] = {
                { "persistentVolumeClaim", "claimName" },
                { "dataVolume", "name" },
                { "ephemeral", "persistentVolumeClaim.claimName" },
        };

        for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
                struct ref source = ref_get(volume, kinds[i].source);

                if (ref_is_set(source))
                        return ref_str(ref_at(source, kinds[i].name));
        }
        return NULL;
}

jv pvc_stubs(struct ref vm)
{
        JVX_AUTO jv known = jv_object();
        jv stubs = jv_array();

        REF_EACH(volume, ref_at(vm, "spec.template.spec.volumes")) {
                const char *claim = claim_of(volume.item);

                if (!claim || ref_is_set(ref_get(ref_of(&known), claim)))
                        continue;
                jvx_set(&known, claim, jv_true());
                jvx_append(&stubs, jvx_build("{metadata: {name: %s, namespace: %r}, spec: "
                                             "{accessModes: ['ReadWriteOnce'], volumeMode: "
                                             "'Filesystem'}}",
                                             claim, ref_at(vm, "metadata.namespace")));
        }
        return stubs;
}

/* ---- networks: "Force passt binding" ---- */

static void force_passt(jv *interface, void *unused)
{
        /* Every field of KubeVirt's InterfaceBindingMethod; `binding` (a plugin's) is another. */
        static const char *const bindings[] = { "bridge", "slirp",   "masquerade",
                                                "sriov",  "macvtap", "passt" };

        (void)unused;
        for (size_t i = 0; i < ARRAY_LEN(bindings); i++)
                jvx_del(interface, bindings[i]);
        jvx_set(interface, "passtBinding", jv_object());
}

static bool has_pod_network(struct ref networks)
{
        REF_EACH(net, networks)
                if (ref_is_set(ref_get(net.item, "pod")))
                        return true;
        return false;
}

static jv pod_network(void)
{
        return jvx_build("{name: 'default', pod: {}}");
}

/* The networks, and where in the list a name comes first. */
struct networks {
        jv list, index;
};

static void index_network(struct networks *n, const char *name, int i)
{
        jvx_set_default(&n->index, name, json_int(i));
}

/* Tie an interface to a network of the pod: its own, made one, or "default". */
static void repair_network(jv *interface, void *arg)
{
        struct networks *n = arg;
        const char *name = ref_text(ref_of(interface), "name");
        int i = (int)ref_int(ref_get(ref_of(&n->index), name), -1);

        if (i >= 0) {
                JVX_AUTO jv net = jvx_detach_item(&n->list, i);

                jvx_set(&net, "pod", jv_object());
                jvx_del(&net, "multus");
                jvx_set_item(&n->list, i, jvx_take(&net));
                return;
        }
        jvx_set(interface, "name", jv_string("default"));
        if (ref_is_set(ref_get(ref_of(&n->index), "default")))
                return;
        index_network(n, "default", ref_len(ref_of(&n->list)));
        jvx_append(&n->list, pod_network());
}

static void fit_networks(jv *vmi)
{
        struct networks n = { ref_copy(ref_at(ref_of(vmi), "spec.networks")), jv_object() };

        if (!has_pod_network(ref_of(&n.list)))
                jvx_prepend(&n.list, pod_network());
        REF_EACH(net, ref_of(&n.list))
                index_network(&n, ref_text(net.item, "name"), net.i);
        jvx_each_at(vmi, "spec.domain.devices.interfaces", force_passt, NULL);
        jvx_each_at(vmi, "spec.domain.devices.interfaces", repair_network, &n);
        jvx_set_at(vmi, "spec.networks", n.list);
        jv_free(n.index);
}

/* ---- the rest ---- */

/* Section "Interface status": what virt-handler would have found out at run time. */
static void set_interface_status(jv *vmi)
{
        JVX_AUTO jv status = jv_invalid();

        REF_EACH(interface, ref_at(ref_of(vmi), "spec.domain.devices.interfaces")) {
                BUF_AUTO struct buf name = BUF_INIT;

                buf_addf(&name, "eth%d", interface.i);
                jvx_append(&status, jvx_build("{name: %r, podInterfaceName: %s}",
                                              ref_get(interface.item, "name"), name.s));
        }
        jvx_set_at(vmi, "status.interfaces", jvx_take(&status));
}

void fit_to_host(jv *vmi)
{
        attach_input(vmi);
        fit_networks(vmi);
        /* Section "VMI UID": the launcher's monitor looks for UID_NAME.pid, libvirt writes
         * NAMESPACE_NAME.pid. */
        if (!*ref_text(ref_of(vmi), "metadata.uid"))
                jvx_set_at(vmi, "metadata.uid",
                           ref_copy(ref_at(ref_of(vmi), "metadata.namespace")));
        set_interface_status(vmi);
}
