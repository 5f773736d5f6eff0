/* SPDX-License-Identifier: Apache-2.0 */
#include "prepare.h"

#include "check.h"
#include "defaults.h"
#include "jvx.h"
#include "ref.h"
#include "release.h"
#include "standalone.h"

/*
 * The VM as the API server would have stored it: a namespace (PrepareForRendering; the API server
 * takes it from the request) and a machine type (pkg/defaults/defaults.go,
 * setVMDefaultMachineType). setDefaultArchitectureFromDataSource asks the cluster about a
 * DataSource; a VM that refers to one has been refused.
 */
static void complete_vm(jv *vm)
{
        struct ref spec = ref_at(ref_of(vm), "spec.template.spec");

        if (!*ref_text(ref_at(spec, "domain.machine"), "type"))
                jvx_set_at(vm, "spec.template.spec.domain.machine.type",
                           jv_string(default_machine(spec)));
        if (!*ref_text(ref_of(vm), "metadata.namespace"))
                jvx_set_at(vm, "metadata.namespace", jv_string("default"));
}

/*
 * pkg/virt-controller/watch/vm/vm.go, SetupVMIFromVM: the template's metadata under the VM's name,
 * and the template's spec. Its two looks at the VM's status (start paused, finished memory dumps)
 * are left out: a VM has no status before it reaches a cluster.
 */
static jv vmi_of_vm(struct ref vm)
{
        struct ref name = ref_at(vm, "metadata.name");
        JVX_AUTO jv metadata = ref_copy(ref_at(vm, "spec.template.metadata"));

        jvx_del(&metadata, "generateName");
        jvx_set(&metadata, "name", ref_copy(name));
        jvx_set(&metadata, "namespace", ref_copy(ref_at(vm, "metadata.namespace")));
        jvx_set(&metadata, "ownerReferences",
                jvx_build("[{apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: %r, uid: "
                          "%s, "
                          "controller: true, blockOwnerDeletion: true}]",
                          name, ref_text(vm, "metadata.uid")));
        jv vmi = jvx_build("{apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', "
                           "metadata: %j, spec: %r, status: {guestOSInfo: {}}}",
                           jvx_take(&metadata), ref_at(vm, "spec.template.spec"));

        set_stable_uuid(&vmi, ref_text(vm, "metadata.name"));
        return vmi;
}

void prepare_each(jv *item, struct vmq_run *run)
{
        const struct release *release = release_of(run->settings);

        if (!run->direct) { /* else vmq-validate has just done it */
                check_vm(item, run->settings, run->keys, run->diag);
                if (!check_together(run->self, ref_with(item, run->keys), run->settings, run->diag))
                        vmq_fail_temporary(run);
        }
        if (diag_failed(run->diag))
                return;
        release_report(run->settings, run->diag);

        JVX_AUTO jv vm = jvx_detach(item, "vm");

        complete_vm(&vm);

        JVX_AUTO jv vmi = vmi_of_vm(ref_of(&vm));

        set_defaults(&vmi);
        set_mutations(&vmi, release);
        fit_to_host(&vmi);
        jvx_set(item, "pvcs", pvc_stubs(ref_of(&vm)));
        jvx_set(item, "vmi", jvx_take(&vmi));
        jvx_set(item, "vm", jvx_take(&vm));
}
