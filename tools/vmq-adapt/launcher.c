/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "buf.h"
#include "json.h"
#include "jvx.h"
#include "parts.h"

/*
 * The VM as virt-launcher reads it. Kubernetes replaces $(NAME) in the value of a variable and
 * makes one '$' of two; in JSON such a '$' can be written so that there is nothing to replace.
 */
static jv vmi_text(struct ref vmi)
{
        BUF_AUTO struct buf text = BUF_INIT;
        BUF_AUTO struct buf safe = BUF_INIT;

        json_print(&vmi.v, &text);
        for (size_t i = 0; i < text.len; i++) {
                if (text.s[i] == '$' && (text.s[i + 1] == '$' || text.s[i + 1] == '('))
                        buf_adds(&safe, "\\u0024");
                else
                        buf_addc(&safe, text.s[i]);
        }
        return jv_string_sized(safe.s, (int)safe.len);
}

/* A readiness probe: it shows in Podman's events whether the guest runs, and restarts nothing,
 * which is virt-launcher-monitor's business. Libvirt's name of the VM is NAMESPACE_NAME. */
static void add_health_check(struct pod *p)
{
        const char *namespace = ref_text(p->vmi, "metadata.namespace");
        const char *name = ref_text(p->vmi, "metadata.name");
        BUF_AUTO struct buf test = BUF_INIT;

        if (ref_is_set(ref_get(pod_view(p, &p->compute), "livenessProbe")) ||
            ref_is_set(ref_get(pod_view(p, &p->compute), "readinessProbe")))
                return;
        if (!pod_plain(namespace) || !pod_plain(name)) {
                diag_report(p->diag, VMQ_ADAPT_DOMAIN, AT(NULL, "metadata.name"),
                            "name and namespace cannot be part of a command; use a-z, 0-9 and '-'");
                return;
        }
        buf_addf(&test, "test \"$(virsh domstate %s_%s)\" = \"running\"", namespace, name);
        jvx_set(&p->compute, "readinessProbe",
                jvx_build("{exec: {command: ['/bin/sh', '-c', %s]}, initialDelaySeconds: 120,"
                          " periodSeconds: 30, timeoutSeconds: 10, failureThreshold: 3}",
                          test.s));
}

/* KubeVirt's renderer gives a probe's exec to the container and leaves it in the VMI too (copyProbe
 * in pkg/virt-controller/services/template.go), so the VMI that virt-launcher gets has the command
 * that the container has, with virt-probe in front. */
static jv vmi_with_probes(const struct pod *p)
{
        static const char *const probes[] = { "livenessProbe", "readinessProbe" };
        jv vmi = ref_copy(p->vmi);

        for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
                struct ref own = ref_get(ref_get(p->vmi, "spec"), probes[i]);
                struct ref rendered = ref_get(pod_view(p, &p->compute), probes[i]);
                struct ref command = ref_at(rendered, "exec.command");
                BUF_AUTO struct buf at = BUF_INIT;

                if (!ref_is_set(ref_at(own, "exec.command")) || !ref_is_set(command) ||
                    ref_is_set(ref_get(own, "guestAgentPing")))
                        continue;
                buf_addf(&at, "spec.%s.exec.command", probes[i]);
                jvx_set_at(&vmi, at.s, ref_copy(command));
        }
        return vmi;
}

void adapt_launcher(struct pod *p)
{
        if (!ref_is_set(p->vmi) || !jvx_is(&p->compute, JV_KIND_OBJECT))
                return;
        add_health_check(p);
        JVX_AUTO jv vmi = vmi_with_probes(p);

        jvx_append_at(&p->compute, "env",
                      jvx_build("{name: 'STANDALONE_VMI', value: %j}", vmi_text(ref_of(&vmi))));
        jvx_append_at(
                &p->compute, "env",
                jvx_build(
                        "{name: 'VIRSH_DEFAULT_CONNECT_URI',"
                        " value: 'qemu+unix:///session?socket=/var/run/libvirt/virtqemud-sock'}"));
}
