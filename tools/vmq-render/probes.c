/* SPDX-License-Identifier: Apache-2.0 */
#include "probes.h"

#include <stdint.h>

#include "array.h"
#include "json.h"
#include "jvx.h"

#define LIBVIRT_STARTUP_DELAY 10 /* template.go, LibvirtStartupDelay */

/* What a number below 1 means (api/core/v1/defaults.go, SetDefaults_Probe). */
static const struct {
        const char *field;
        int fallback;
} numbers[] = {
        { "timeoutSeconds", 1 },
        { "periodSeconds", 10 },
        { "successThreshold", 1 },
        { "failureThreshold", 3 },
};

/* Go's int32, and 0 is left out. */
static void set_number(jv *probe, const char *field, long long n)
{
        int32_t value = (int32_t)(uint32_t)n;

        if (value != 0)
                jvx_set(probe, field, json_int(value));
}

static long long number_of(struct ref probe, const char *field, int fallback)
{
        long long n = ref_int(ref_get(probe, field), 0);

        return n < 1 ? fallback : n;
}

/* wrapGuestAgentPingWithVirtProbe, wrapExecProbeWithVirtProbe: what both begin with */
static jv virt_probe(const struct vm *vm, long long timeout)
{
        BUF_AUTO struct buf domain = BUF_INIT, seconds = BUF_INIT;

        buf_addf(&domain, "%s_%s", vm->namespace, vm->name);
        buf_addf(&seconds, "%lld", timeout);
        return jvx_build("['virt-probe', '--domainName', %s, '--timeoutSeconds', %s]", domain.s,
                         seconds.s);
}

/* template.go, wrapGuestAgentPingWithVirtProbe, and rendercontainer.go,
 * wrapExecProbeWithVirtProbe: the command for the guest's agent; invalid if the probe does not go
 * through virt-probe (or does already). */
static jv agent_command(const struct vm *vm, struct ref probe, long long timeout)
{
        struct ref command = ref_at(probe, "exec.command");
        jv full;

        if (ref_is_set(ref_get(probe, "guestAgentPing"))) {
                full = virt_probe(vm, timeout);
                jvx_append(&full, jv_string("--guestAgentPing"));
                return full;
        }
        if (ref_len(command) < 1 || ref_eq(ref_item(command, 0), "virt-probe"))
                return jv_invalid();
        full = virt_probe(vm, timeout);
        jvx_append(&full, jv_string("--command"));
        jvx_append(&full, ref_copy(ref_item(command, 0)));
        jvx_append(&full, jv_string("--"));
        for (int i = 1; i < ref_len(command); i++)
                jvx_append(&full, ref_copy(ref_item(command, i)));
        return full;
}

/* template.go, copyProbe; rendercontainer.go, WithReadinessProbe, updateReadinessProbe and the same
 * for liveness */
jv probe_of(const struct vm *vm, struct ref probe)
{
        if (!ref_is_set(probe))
                return jv_invalid();

        jv made = jvx_build("{exec: %r, httpGet: %r, tcpSocket: %r}", ref_get(probe, "exec"),
                            ref_get(probe, "httpGet"), ref_get(probe, "tcpSocket"));
        long long timeout = number_of(probe, "timeoutSeconds", 1);
        jv command = agent_command(vm, probe, timeout);

        for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
                set_number(&made, numbers[i].field,
                           number_of(probe, numbers[i].field, numbers[i].fallback));
        if (jv_is_valid(command)) {
                set_number(&made, "timeoutSeconds", timeout + 1);
                jvx_set(&made, "exec", jvx_build("{command: %j}", command));
        }
        set_number(&made, "initialDelaySeconds",
                   ref_int(ref_get(probe, "initialDelaySeconds"), 0) + LIBVIRT_STARTUP_DELAY);
        return made;
}
