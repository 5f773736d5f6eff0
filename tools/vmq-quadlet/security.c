/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert.h"

/* The two that say something of a container. */
struct contexts {
        struct ref own, of_pod;
        const struct path *at_own, *at_pod;
};

/* The container's own, or the pod's where it has none; *at is where it is. */
static struct ref either(const struct contexts *s, const char *field, struct path *at)
{
        struct ref own = ref_get(s->own, field);

        *at = *AT(ref_is_set(own) ? s->at_own : s->at_pod, field);
        return ref_is_set(own) ? own : ref_get(s->of_pod, field);
}

static void add_capabilities(struct convert *c, const struct contexts *s, struct unit *u)
{
        struct ref caps = ref_get(s->own, "capabilities");
        const struct path *at = AT(s->at_own, "capabilities");

        REF_EACH(a, ref_get(caps, "add"))
                key_add(c, u, KEY_AddCapability, ref_str(a.item), AT_INDEX(AT(at, "add"), a.i));
        REF_EACH(d, ref_get(caps, "drop"))
                key_add(c, u, KEY_DropCapability, ref_str(d.item), AT_INDEX(AT(at, "drop"), d.i));
}

static void add_user(struct convert *c, const struct contexts *s, struct unit *u)
{
        struct path at_user, at_group, at_non_root;
        struct ref user = either(s, "runAsUser", &at_user);
        struct ref group = either(s, "runAsGroup", &at_group);
        struct ref non_root = either(s, "runAsNonRoot", &at_non_root);
        long long uid = ref_int(user, -1), gid = ref_int(group, -1);

        if (ref_is_set(user) && (uid < 0 || uid > 4294967294LL)) {
                diag_report(c->d, VMQ_POD_VALUE, &at_user, "no user has this number");
        } else if (ref_is_set(group) && (gid < 0 || gid > 4294967294LL)) {
                diag_report(c->d, VMQ_POD_VALUE, &at_group, "no group has this number");
        } else if (ref_is_set(user) && ref_is_set(group)) {
                key_addf(c, u, KEY_User, &at_user, "%lld:%lld", uid, gid);
        } else if (ref_is_set(user)) {
                key_addf(c, u, KEY_User, &at_user, "%lld", uid);
        } else if (ref_is_set(group)) {
                /* --user=:GID would make the user root, whatever the image says. */
                diag_report(c->d, VMQ_POD_FIELD, &at_group,
                            "not honoured without runAsUser; set that too");
        }
        if (c->launcher) /* the patcher of passt is root, whatever the Pod of the VM is */
                return;
        if (uid == 0 && ref_bool(non_root, false))
                diag_report(c->d, VMQ_POD_VALUE, &at_non_root,
                            "the container runs as user 0, so it would never start; change "
                            "runAsUser");
        else if (!ref_is_set(user) && ref_bool(non_root, false))
                diag_report(c->d, VMQ_POD_PARTLY, &at_non_root,
                            "Podman does not check whose user the image has; set runAsUser");
}

static void add_selinux(struct convert *c, const struct contexts *s, struct unit *u)
{
        struct path at;
        struct ref se = either(s, "seLinuxOptions", &at);
        static const struct {
                const char *field;
                enum key key;
        } keys[] = {
                { "type", KEY_SecurityLabelType },
                { "level", KEY_SecurityLabelLevel },
        };
        static const char *const options[][2] = {
                { "user", "--security-opt=label=user:" },
                { "role", "--security-opt=label=role:" },
        };

        for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
                BUF_AUTO struct buf value = BUF_INIT;

                if (!*ref_text(se, options[i][0]))
                        continue;
                buf_addf(&value, "label=%s:%s", options[i][0], ref_text(se, options[i][0]));
                key_podman_arg(c, u, "--security-opt", value.s, AT(&at, options[i][0]));
        }
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
                if (*ref_text(se, keys[i].field))
                        key_add(c, u, keys[i].key, ref_text(se, keys[i].field),
                                AT(&at, keys[i].field));
}

/* A profile of the kubelet's folder, as `podman kube play` finds it. */
#define SECCOMP_ROOT "/var/lib/kubelet/seccomp"

static void add_seccomp(struct convert *c, const struct contexts *s, struct unit *u)
{
        struct path at;
        struct ref profile = either(s, "seccompProfile", &at);
        const char *type = ref_text(profile, "type");
        const char *file = ref_text(profile, "localhostProfile");

        if (strcmp(type, "Unconfined") == 0)
                key_add(c, u, KEY_SeccompProfile, "unconfined", &at);
        else if (strcmp(type, "Localhost") == 0)
                key_addf(c, u, KEY_SeccompProfile, AT(&at, "localhostProfile"), "%s%s",
                         *file == '/' ? "" : SECCOMP_ROOT "/", file);
        else if (*type && strcmp(type, "RuntimeDefault") != 0)
                diag_report(c->d, VMQ_POD_VALUE, AT(&at, "type"),
                            "'%s' is not one of RuntimeDefault, Unconfined and Localhost", type);
}

static void add_app_armor(struct convert *c, const struct contexts *s, struct unit *u)
{
        struct path at;
        struct ref profile = either(s, "appArmorProfile", &at);
        const char *type = ref_text(profile, "type");

        if (strcmp(type, "Unconfined") == 0)
                key_add(c, u, KEY_AppArmor, "unconfined", &at);
        else if (strcmp(type, "Localhost") == 0)
                key_add(c, u, KEY_AppArmor, ref_text(profile, "localhostProfile"),
                        AT(&at, "localhostProfile"));
        else if (*type && strcmp(type, "RuntimeDefault") != 0)
                diag_report(c->d, VMQ_POD_VALUE, AT(&at, "type"),
                            "'%s' is not one of RuntimeDefault, Unconfined and Localhost", type);
}

static void add_groups(struct convert *c, const struct container *k, const struct contexts *s,
                       struct unit *u)
{
        struct ref fs = ref_get(s->of_pod, "fsGroup");
        const struct path *at_fs = AT(s->at_pod, "fsGroup");

        REF_EACH(g, ref_get(s->of_pod, "supplementalGroups"))
                key_addf(c, u, KEY_GroupAdd, AT_INDEX(AT(s->at_pod, "supplementalGroups"), g.i),
                         "%lld", ref_int(g.item, 0));
        if (ref_is_set(fs) && !c->launcher) {
                key_addf(c, u, KEY_GroupAdd, at_fs, "%lld", ref_int(fs, 0));
                if (k->index == 0 && k->role == ROLE_MAIN)
                        diag_report(c->d, VMQ_POD_PARTLY, at_fs,
                                    "the containers are in the group, but files in volumes keep "
                                    "their owner");
        }
        if (k->is_vm && c->choices->kvm_group)
                key_add(c, u, KEY_GroupAdd, c->choices->kvm_group, NULL);
}

void security_add(struct convert *c, const struct container *k, struct unit *u)
{
        const struct contexts s = {
                .own = ref_get(k->ref, "securityContext"),
                .of_pod = ref_get(c->spec, "securityContext"),
                .at_own = AT(k->at, "securityContext"),
                .at_pod = AT(c->at_spec, "securityContext"),
        };
        const struct path *at = s.at_own;
        struct ref proc = ref_get(s.own, "procMount");

        add_capabilities(c, &s, u);
        if (ref_bool(ref_get(s.own, "privileged"), false))
                key_podman_arg(c, u, "--privileged", NULL, AT(at, "privileged"));
        if (ref_bool(ref_get(s.own, "readOnlyRootFilesystem"), false))
                key_add(c, u, KEY_ReadOnly, "true", AT(at, "readOnlyRootFilesystem"));
        if (!ref_bool(ref_get(s.own, "allowPrivilegeEscalation"), true))
                key_add(c, u, KEY_NoNewPrivileges, "true", AT(at, "allowPrivilegeEscalation"));
        add_user(c, &s, u);
        add_selinux(c, &s, u);
        add_seccomp(c, &s, u);
        add_app_armor(c, &s, u);
        if (ref_eq(proc, "Unmasked"))
                key_add(c, u, KEY_Unmask, "ALL", AT(at, "procMount"));
        else if (ref_is_set(proc) && !ref_eq(proc, "Default"))
                diag_report(c->d, VMQ_POD_VALUE, AT(at, "procMount"),
                            "'%s' is not one of Default and Unmasked", ref_str(proc));
        add_groups(c, k, &s, u);
}
