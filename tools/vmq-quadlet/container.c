/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert.h"
#include "json.h"
#include "jvx.h"
#include "mem.h"
#include "names.h"

/* The container of a VM's Pod that runs it, and the one that makes its folders. */
#define COMPUTE  "compute"
#define DIR_INIT "virt-handler-dir-init"

/* KubeVirt's virt-launcher wants time to shut the guest down (differences D22). */
#define VM_GRACE_MIN 120

long long pod_grace(const struct convert *c)
{
        long long grace = ref_int(ref_get(c->spec, "terminationGracePeriodSeconds"), -1);

        /* KubeVirt has added its two paddings of 15 s already (services/template.go). */
        return c->launcher && grace < VM_GRACE_MIN ? VM_GRACE_MIN : grace;
}

/* ---- image and command ------------------------------------------------------------------------
 */

static bool ends_with(const char *s, const char *end)
{
        size_t len = strlen(s), n = strlen(end);

        return len >= n && strcmp(s + len - n, end) == 0;
}

bool image_ok(struct convert *c, const char *image, const struct path *at)
{
        if (!text_ok(c, unit_check(image), at))
                return false;
        if (name_is_image(image))
                return true;
        diag_report(c->d, VMQ_POD_VALUE, at,
                    "'%.300s' is no image; write it like registry.example.com/app:1.0", image);
        return false;
}

const char *pull_policy(struct convert *c, struct ref of, const char *field, const struct path *at)
{
        static const char *const policies[][2] = { { "Always", "always" },
                                                   { "Never", "never" },
                                                   { "IfNotPresent", "missing" } };
        const char *policy = ref_text(of, field);

        for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
                if (strcmp(policies[i][0], policy) == 0)
                        return policies[i][1];
        if (*policy)
                diag_report(c->d, VMQ_POD_VALUE, AT(at, field),
                            "'%s' is not one of Always, IfNotPresent and Never", policy);
        return NULL;
}

static void add_image(struct convert *c, const struct container *k, struct unit *u)
{
        const char *image = ref_text(k->ref, "image");
        const char *policy = pull_policy(c, k->ref, "imagePullPolicy", k->at);
        /* Quadlet would look for a unit of such a name. */
        bool like_unit = ends_with(image, ".image") || ends_with(image, ".build");

        if (image_ok(c, image, AT(k->at, "image")))
                key_addf(c, u, KEY_Image, AT(k->at, "image"), "%s%s", image,
                         like_unit ? ":latest" : "");
        if (policy)
                key_add(c, u, KEY_Pull, policy, AT(k->at, "imagePullPolicy"));
}

/* Bytes of a command at which it is too long beyond doubt, and no more is expanded. */
#define WORDS_MOST ((size_t)16 << 20)

/* The words of a command: command, then args, with references expanded; and where they stand. */
static jv words_of(const struct container *k, const char *list)
{
        struct ref all = ref_get(k->ref, list);
        size_t bytes = 0;

        if (k->raw) /* has no references */
                return ref_copy(all);
        jv words = jv_array();

        REF_EACH(w, all) {
                BUF_AUTO struct buf text = BUF_INIT;

                if (bytes > WORDS_MOST)
                        break;
                env_expand(k, ref_str(w.item), &text);
                bytes += text.len;
                jvx_append(&words, jv_string(text.s));
        }
        return words;
}

/* Word i of command and args. */
static struct ref word_at(struct ref command, struct ref args, int i)
{
        int n = ref_len(command);

        return i < n ? ref_item(command, i) : ref_item(args, i - n);
}

/*
 * The script of sh -c SCRIPT, and nothing else; absent if the words are not that. The init
 * containers of vmq-adapt have [NAME, ARGUMENT...] behind it, and do not use the name ($0).
 */
static struct ref script_of(const struct container *k, struct ref command, struct ref args)
{
        static const char *const shells[] = { "/bin/sh", "sh", "/usr/bin/sh" };
        int n = ref_len(command) + ref_len(args);

        bool fits = n == 3 || (n > 3 && k->raw && k->role == ROLE_INIT);

        for (size_t i = 0; fits && i < sizeof shells / sizeof *shells; i++)
                if (ref_eq(word_at(command, args, 0), shells[i]) &&
                    ref_eq(word_at(command, args, 1), "-c"))
                        return word_at(command, args, 2);
        return ref_none();
}

/* The script goes into a file of its own, which can be read and edited. The path of a Volume= that
 * begins with '.' is relative to the unit. */
static void add_script(struct convert *c, const struct container *k, struct unit *u,
                       struct ref command, struct ref args, struct ref script)
{
        BUF_AUTO struct buf name = BUF_INIT, exec = BUF_INIT;

        buf_addf(&name, "%s-%s.sh", c->name, k->name);
        key_add(c, u, KEY_Entrypoint, "/bin/sh", NULL);
        buf_adds(&exec, "/init.sh");
        for (int i = 4; i < ref_len(command) + ref_len(args); i++)
                (void)text_ok(c, unit_word(&exec, ref_str(word_at(command, args, i))),
                              AT(k->at, "args"));
        systemd_add(u, "Container", "Exec", exec.s);
        key_addf(c, u, KEY_Volume, NULL, "./%s:/init.sh:ro,z", name.s);
        file_add_text(c, name.s, ref_copy(script), "0755", false);
}

/*
 * An empty argument of the VM's container is left out, as in the reference. Only --ovmf-path can be
 * empty, on s390x, where virt-launcher reads none. The flag takes the one behind it for its value,
 * --disk-memory-limit, whose figure is the default (cmd/virt-launcher/virt-launcher.go, 1.9.0).
 */
static bool add_no_word(struct convert *c, const struct container *k, const char *word,
                        const struct path *at, struct buf *exec)
{
        if (!k->is_vm || *word || exec->len == 0)
                return false;
        diag_report(c->d, VMQ_EMPTY_ARGUMENT, at,
                    "empty, and left out of the unit as in the reference; virt-launcher's defaults "
                    "hold");
        buf_addc(exec, ' ');
        return true;
}

static void add_words(struct convert *c, const struct container *k, struct ref words,
                      const char *list, int from, struct buf *exec)
{
        for (int i = from; i < ref_len(words); i++) {
                const struct path *at = AT_INDEX(AT(k->at, list), i);
                const char *word = ref_str(ref_item(words, i));

                if (!add_no_word(c, k, word, at, exec))
                        (void)text_ok(c, unit_word(exec, word), at);
        }
}

/* Podman takes an entry point that begins with '[' for a list in JSON. */
static void add_entrypoint(struct convert *c, const struct container *k, struct unit *u,
                           struct ref command)
{
        const char *first = ref_str(ref_item(command, 0));
        const struct path *at = AT_INDEX(AT(k->at, "command"), 0);
        BUF_AUTO struct buf list = BUF_INIT;

        if (*first == '[') {
                JVX_AUTO jv one = jvx_build("[%s]", first);

                json_print(&one, &list);
                key_add(c, u, KEY_Entrypoint, list.s, at);
        } else {
                key_add(c, u, KEY_Entrypoint, first, at);
        }
}

static void add_command(struct convert *c, const struct container *k, struct unit *u)
{
        JVX_AUTO jv command = words_of(k, "command");
        JVX_AUTO jv args = words_of(k, "args");
        struct ref script = script_of(k, ref_of(&command), ref_of(&args));
        BUF_AUTO struct buf exec = BUF_INIT;

        /* As a word of its own it would be refused as well; env_expand() may have cut it. */
        if (!k->raw && ref_is_set(script) && strlen(ref_str(script)) >= UNIT_ARG_MAX) {
                (void)text_ok(c, UNIT_LONG, k->at);
                return;
        }
        if (ref_is_set(script)) {
                add_script(c, k, u, ref_of(&command), ref_of(&args), script);
                return;
        }
        if (ref_len(ref_of(&command)))
                add_entrypoint(c, k, u, ref_of(&command));
        add_words(c, k, ref_of(&command), "command", 1, &exec);
        add_words(c, k, ref_of(&args), "args", 0, &exec);
        if (exec.len)
                systemd_add(u, "Container", "Exec", exec.s);
}

/* ---- the service ------------------------------------------------------------------------------
 */

static void add_service_of(const struct convert *c, const char *name, struct unit *u,
                           const char *key)
{
        systemd_addf(u, "Unit", key, "%s-%s.service", c->name, name);
}

/*
 * Init containers run one behind the other, and before the others. Who requires one starts it again
 * where it does not stay active; of a VM's containers that is only the one that is the VM, since
 * virt-handler-dir-init clears the emptyDirs (differences D24).
 */
static void add_order(const struct convert *c, const struct container *k, struct unit *u)
{
        REF_EACH(i, ref_get(c->spec, "initContainers")) {
                const char *name = ref_text(i.item, "name");

                if (k->role != ROLE_MAIN && i.i >= k->index)
                        break;
                add_service_of(c, name, u, "After");
                if (k->is_vm || k->role != ROLE_MAIN || !hint_has(c, "again", name))
                        add_service_of(c, name, u, "Requires");
        }
        REF_EACH(o, ref_get(c->spec, "containers")) {
                const char *name = ref_text(o.item, "name");

                if (k->is_vm && hint_has(c, "beside", name))
                        add_service_of(c, name, u, "After");
                if (k->beside && hint_has(c, "main", name))
                        add_service_of(c, name, u, "PartOf");
        }
}

/* The container's own policy, or else the pod's; a VM's is its runStrategy, so the pod's holds. */
static const char *restart_policy(const struct convert *c, const struct container *k)
{
        const char *own = ref_text(k->ref, "restartPolicy");

        return *own && !c->launcher ? own : ref_text(c->spec, "restartPolicy");
}

static void add_restart_of_init(const struct convert *c, const struct container *k, struct unit *u)
{
        systemd_add(u, "Service", "Type", "oneshot");
        systemd_add(u, "Service", "RemainAfterExit", k->resets ? "no" : "yes");
        if (!c->launcher && strcmp(restart_policy(c, k), "Never") == 0)
                return;
        /* Without direct, what waits for the service fails with it (differences D25). */
        systemd_add(u, "Service", "Restart", "on-failure");
        systemd_add(u, "Service", "RestartMode", "direct");
        systemd_add(u, "Service", "RestartSec", "5");
}

static const char *restart_of_vm(const struct convert *c)
{
        switch (c->run) {
        case RUN_ALWAYS:
                return "always";
        case RUN_ONCE:
        case RUN_MANUAL:
                return NULL;
        default:
                return "on-failure";
        }
}

/* Restart= of a policy; NULL: none. */
static const char *restart_of_pod(const struct convert *c, const struct container *k)
{
        const char *policy = restart_policy(c, k);

        /* A sidecar of a VM ends in peace when compute goes (virtiofsd: its client has left), and
         * must be there for the next start. */
        if (k->role == ROLE_SIDECAR || k->beside || !*policy || strcmp(policy, "Always") == 0)
                return "always";
        return strcmp(policy, "OnFailure") == 0 ? "on-failure" : NULL;
}

static void add_restart(struct convert *c, const struct container *k, struct unit *u)
{
        const char *restart = k->is_vm ? restart_of_vm(c) : restart_of_pod(c, k);

        if (!restart)
                return;
        systemd_add(u, "Service", "Restart", restart);
        /* The kubelet's first wait. It also keeps systemd from giving up after five restarts. */
        if (!c->launcher || k->beside)
                systemd_add(u, "Service", "RestartSec", "10");
}

static void add_stop_time(struct convert *c, const struct container *k, struct unit *u)
{
        long long grace = pod_grace(c);

        if (grace < 0 || k->role == ROLE_INIT || (c->launcher && !k->is_vm))
                return;
        key_addf(c, u, KEY_StopTimeout, AT(c->at_spec, "terminationGracePeriodSeconds"), "%lld",
                 grace);
        systemd_addf(u, "Service", "TimeoutStopSec", "%lld", grace + 30);
}

/* The first image may have to come over the network, which takes longer than systemd's 90 s. */
static void add_service(struct convert *c, const struct container *k, struct unit *u)
{
        struct ref first = ref_item(ref_get(c->spec, "containers"), 0);

        if (k->role == ROLE_INIT)
                add_restart_of_init(c, k, u);
        else
                add_restart(c, k, u);
        add_stop_time(c, k, u);
        if (k->role == ROLE_MAIN)
                systemd_addf(u, "Install", "WantedBy", "%s-pod.service", c->name);
        else if (ref_is_set(first))
                systemd_addf(u, "Install", "WantedBy", "%s-%s.service", c->name,
                             ref_text(first, "name"));
}

/* ---- the unit ---------------------------------------------------------------------------------
 */

static bool is_signal(const char *s)
{
        return *s && !s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-")] && *s != '-';
}

static void add_rest(struct convert *c, const struct container *k, struct unit *u)
{
        const char *dir = ref_text(k->ref, "workingDir");
        const char *sig = ref_text(k->ref, "lifecycle.stopSignal");
        const struct path *at_sig = AT(k->at, "lifecycle.stopSignal");

        if (*dir)
                key_add(c, u, KEY_WorkingDir, dir, AT(k->at, "workingDir"));
        if (ref_bool(ref_get(k->ref, "tty"), false))
                key_podman_arg(c, u, "--tty", NULL, AT(k->at, "tty"));
        if (ref_bool(ref_get(k->ref, "stdin"), false))
                key_podman_arg(c, u, "--interactive", NULL, AT(k->at, "stdin"));
        if (ref_bool(ref_get(c->spec, "hostPID"), false))
                key_podman_arg(c, u, "--pid", "host", AT(c->at_spec, "hostPID"));
        if (ref_bool(ref_get(c->spec, "hostIPC"), false))
                key_podman_arg(c, u, "--ipc", "host", AT(c->at_spec, "hostIPC"));
        if (is_signal(sig))
                key_add(c, u, KEY_StopSignal, sig, at_sig);
        else if (*sig)
                diag_report(c->d, VMQ_POD_VALUE, at_sig, "'%s' is no signal; write it like SIGTERM",
                            sig);
}

/* Everything that Podman is started with is one line of the service. */
static void check_size(struct convert *c, const struct container *k, const struct unit *u)
{
        size_t size = 0;

        for (size_t i = unit_find(u, "Container", NULL, 0); i < u->n;
             i = unit_next(u, "Container", NULL, i))
                size += strlen(u->lines[i].value) + 16;
        if (size > UNIT_LINE_MAX)
                diag_report(c->d, VMQ_QUADLET_BIG, k->at,
                            "the container's command line would have %zu bytes; put long values in "
                            "files and mount those",
                            size);
}

static void container_unit(struct convert *c, struct container *k)
{
        UNIT_AUTO struct unit u = UNIT_INIT;
        BUF_AUTO struct buf file = BUF_INIT;

        buf_addf(&file, "%s-%s.container", c->name, k->name);
        systemd_addf(&u, "Unit", "Description", "Container %s for pod %s", k->name, c->name);
        add_order(c, k, &u);
        env_resolve(c, k);
        add_image(c, k, &u);
        add_command(c, k, &u);
        env_add(c, k, &u);
        security_add(c, k, &u);
        resources_add(c, k, &u);
        mounts_add(c, k, &u);
        probes_add(c, k, &u);
        add_rest(c, k, &u);
        key_addf(c, &u, KEY_Pod, NULL, "%s.pod", c->name);
        add_service(c, k, &u);
        check_size(c, k, &u);
        file_add_unit(c, file.s, &u, AT(k->at, "name"));
        env_release(k);
}

static void check_restart_policy(struct convert *c, struct ref of, const struct path *at)
{
        static const char *const policies[] = { "", "Always", "OnFailure", "Never" };
        const char *policy = ref_text(of, "restartPolicy");

        for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
                if (strcmp(policies[i], policy) == 0)
                        return;
        diag_report(c->d, VMQ_POD_VALUE, AT(at, "restartPolicy"),
                    "'%s' is not one of Always, OnFailure and Never", policy);
}

static void container_list(struct convert *c, const char *list, enum role role)
{
        REF_EACH(e, ref_get(c->spec, list)) {
                const struct path *at = AT_INDEX(AT(c->at_spec, list), e.i);
                const char *name = ref_text(e.item, "name");
                bool stays =
                        role == ROLE_INIT && ref_eq(ref_get(e.item, "restartPolicy"), "Always");
                struct container k = {
                        .ref = e.item,
                        .at = at,
                        .name = name,
                        .role = stays ? ROLE_SIDECAR : role,
                        .index = e.i,
                        .raw = c->launcher,
                        .is_vm = role == ROLE_MAIN && hint_has(c, "main", name),
                        .resets = role == ROLE_INIT && hint_has(c, "again", name),
                        .beside = role == ROLE_MAIN && hint_has(c, "beside", name),
                };

                check_restart_policy(c, e.item, at);
                container_unit(c, &k);
        }
}

void container_units(struct convert *c)
{
        if (ref_len(ref_get(c->spec, "containers")) == 0)
                diag_report(c->d, VMQ_POD_VALUE, AT(c->at_spec, "containers"),
                            "a Pod has at least one container");
        check_restart_policy(c, c->spec, c->at_spec);
        container_list(c, "initContainers", ROLE_INIT);
        container_list(c, "containers", ROLE_MAIN);
}
