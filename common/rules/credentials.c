/* SPDX-License-Identifier: Apache-2.0 */
/* accessCredentials: SSH keys and passwords for the guest. */
#include "array.h"
#include "rules/rules.h"

static bool any_volume(const struct subject *s, const char *kind)
{
        REF_EACH(vol, s->volumes)
                if (ref_is_set(ref_get(vol.item, kind)))
                        return true;
        return false;
}

static void check_seed(const struct subject *s, struct ref method, const struct path *at)
{
        static const struct {
                const char *method, *volume;
        } rows[] = { { "noCloud", "cloudInitNoCloud" }, { "configDrive", "cloudInitConfigDrive" } };

        for (size_t i = 0; i < ARRAY_LEN(rows); i++)
                if (ref_is_set(ref_get(method, rows[i].method)) && !any_volume(s, rows[i].volume))
                        diag_report(s->d, VMQ_ACCESS_SEED, AT(at, rows[i].method),
                                    "the key travels on a %s volume, and there is none; add one",
                                    rows[i].volume);
        if (ref_is_set(ref_get(method, "qemuGuestAgent")) &&
            !ref_len(ref_at(method, "qemuGuestAgent.users")))
                report_missing(s, VMQ_ACCESS_USERS, AT(at, "qemuGuestAgent.users"),
                               "the list of users is empty; say whose keys they are");
}

static void check_counts(const struct subject *s, struct ref credential, const struct path *at,
                         const char *const methods[])
{
        static const char *const sources[] = { "secret", NULL };

        if (count_set(ref_get(credential, "source"), sources) != 1)
                report_missing(s, VMQ_ACCESS_SOURCE, AT(at, "source"),
                               "there is no source; name a secret");
        if (count_set(ref_get(credential, "propagationMethod"), methods) != 1)
                report_missing(s, VMQ_ACCESS_METHOD, AT(at, "propagationMethod"),
                               "there must be one propagation method");
}

void rule_access_credentials(const struct subject *s)
{
        static const char *const kinds[] = { "sshPublicKey", "userPassword", NULL };
        static const char *const ssh_methods[] = { "noCloud", "configDrive", "qemuGuestAgent",
                                                   NULL };
        static const char *const password_methods[] = { "qemuGuestAgent", NULL };

        REF_EACH(cred, ref_get(s->vmi, "accessCredentials")) {
                const struct path *at = AT_INDEX(AT_VMI("accessCredentials"), cred.i);
                struct ref ssh = ref_get(cred.item, "sshPublicKey");
                struct ref password = ref_get(cred.item, "userPassword");

                if (ref_is_set(ssh)) {
                        check_seed(s, ref_get(ssh, "propagationMethod"),
                                   AT(at, "sshPublicKey.propagationMethod"));
                        check_counts(s, ssh, AT(at, "sshPublicKey"), ssh_methods);
                }
                if (ref_is_set(password))
                        check_counts(s, password, AT(at, "userPassword"), password_methods);
                if (count_set(cred.item, kinds) != 1)
                        report_missing(
                                s, VMQ_ACCESS_KIND, at,
                                "there must be one of sshPublicKey and userPassword; list them "
                                "as credentials of their own");
        }
}
