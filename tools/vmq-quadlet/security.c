/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert.h"

/* The container's own, or the pod's where it has none; *at is where it is. */
static struct ref either(const struct convert *c, const struct container *k, const char *field,
                         struct path *at, struct path *at_context)
{
        struct ref own = ref_get(ref_get(k->ref, "securityContext"), field);
        bool of_pod = !ref_is_set(own);

        *at_context = *AT(of_pod ? c->at_spec : k->at, "securityContext");
        *at = *AT(at_context, field);
        return of_pod ? ref_get(ref_get(c->spec, "securityContext"), field) : own;
}

static void add_capabilities(struct convert *c, const struct container *k, struct unit *u)
{
        struct ref caps = ref_at(k->ref, "securityContext.capabilities");
        const struct path *at = AT(k->at, "securityContext.capabilities");

        REF_EACH(a, ref_get(caps, "add"))
                key_add(c, u, KEY_AddCapability, ref_str(a.item), AT_INDEX(AT(at, "add"), a.i));
        REF_EACH(d, ref_get(caps, "drop"))
                key_add(c, u, KEY_DropCapability, ref_str(d.item), AT_INDEX(AT(at, "drop"), d.i));
}

static void add_user(struct convert *c, const struct container *k, struct unit *u)
{
        struct path at_user, up_user, at_group, up_group;
        struct ref user = either(c, k, "runAsUser", &at_user, &up_user);
        struct ref group = either(c, k, "runAsGroup", &at_group, &up_group);
        struct path at_non_root, up_non_root;
        struct ref non_root = either(c, k, "runAsNonRoot", &at_non_root, &up_non_root);
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

static void add_selinux(struct convert *c, const struct container *k, struct unit *u)
{
        struct path at, up;
        struct ref se = either(c, k, "seLinuxOptions", &at, &up);
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

static void add_seccomp(struct convert *c, const struct container *k, struct unit *u)
{
        struct path at, up;
        struct ref profile = either(c, k, "seccompProfile", &at, &up);
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

static void add_app_armor(struct convert *c, const struct container *k, struct unit *u)
{
        struct path at, up;
        struct ref profile = either(c, k, "appArmorProfile", &at, &up);
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

static void add_groups(struct convert *c, const struct container *k, struct unit *u)
{
        struct ref context = ref_get(c->spec, "securityContext");
        const struct path *at = AT(c->at_spec, "securityContext");
        struct ref fs = ref_get(context, "fsGroup");

        REF_EACH(g, ref_get(context, "supplementalGroups"))
                key_addf(c, u, KEY_GroupAdd, AT_INDEX(AT(at, "supplementalGroups"), g.i), "%lld",
                         ref_int(g.item, 0));
        if (ref_is_set(fs) && !c->launcher) {
                key_addf(c, u, KEY_GroupAdd, AT(at, "fsGroup"), "%lld", ref_int(fs, 0));
                if (k->index == 0 && k->role == ROLE_MAIN)
                        diag_report(c->d, VMQ_POD_PARTLY, AT(at, "fsGroup"),
                                    "the containers are in the group, but files in volumes keep "
                                    "their owner");
        }
        if (k->is_vm && c->choices->kvm_group)
                key_add(c, u, KEY_GroupAdd, c->choices->kvm_group, NULL);
}

void security_add(struct convert *c, const struct container *k, struct unit *u)
{
        struct ref context = ref_get(k->ref, "securityContext");
        const struct path *at = AT(k->at, "securityContext");
        struct ref proc = ref_get(context, "procMount");

        add_capabilities(c, k, u);
        if (ref_bool(ref_get(context, "privileged"), false))
                key_podman_arg(c, u, "--privileged", NULL, AT(at, "privileged"));
        if (ref_bool(ref_get(context, "readOnlyRootFilesystem"), false))
                key_add(c, u, KEY_ReadOnly, "true", AT(at, "readOnlyRootFilesystem"));
        if (!ref_bool(ref_get(context, "allowPrivilegeEscalation"), true))
                key_add(c, u, KEY_NoNewPrivileges, "true", AT(at, "allowPrivilegeEscalation"));
        add_user(c, k, u);
        add_selinux(c, k, u);
        add_seccomp(c, k, u);
        add_app_armor(c, k, u);
        if (ref_eq(proc, "Unmasked"))
                key_add(c, u, KEY_Unmask, "ALL", AT(at, "procMount"));
        else if (ref_is_set(proc) && !ref_eq(proc, "Default"))
                diag_report(c->d, VMQ_POD_VALUE, AT(at, "procMount"),
                            "'%s' is not one of Default and Unmasked", ref_str(proc));
        add_groups(c, k, u);
}
