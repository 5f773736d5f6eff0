/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert.h"
#include "mem.h"
#include "quantity.h"
#include "utf8.h"

/* Beyond this a value goes into the .env file, as the reference has it. */
#define LONG_VALUE 1024

/* Of one container: how many variables, and their bytes, which Linux limits to a quarter of the
 * stack, 2 MiB as a rule. */
#define VARIABLES_MOST 1024
#define BYTES_MOST     ((size_t)2 << 20)

/* ---- the list ---------------------------------------------------------------------------------
 */

static struct variable *find(const struct container *k, const char *name, size_t len)
{
        for (size_t i = 0; i < k->n_env; i++)
                if (strncmp(k->env[i].name, name, len) == 0 && !k->env[i].name[len])
                        return &k->env[i];
        return NULL;
}

static bool env_fits(const struct container *k)
{
        return k->variables <= VARIABLES_MOST && k->variable_bytes <= BYTES_MOST;
}

/* Set a variable, and take its value over; a later one of the same name takes the place of the
 * earlier. What is beyond the bounds is left to env_resolve() to refuse. */
static void set(struct container *k, const char *name, struct buf *value, bool secret)
{
        size_t len = strlen(name);

        k->variables++;
        k->variable_bytes += len + value->len + 2;
        if (!env_fits(k))
                return;
        struct variable *v = find(k, name, len);

        if (!v) {
                MEM_GROW(k->env, k->n_env, k->env_cap);
                v = &k->env[k->n_env++];
                *v = (struct variable){ .name = mem_strndup(name, len) };
        }
        free(v->value);
        v->value = buf_detach(value);
        v->secret = secret;
}

void env_release(struct container *k)
{
        for (size_t i = 0; i < k->n_env; i++) {
                free(k->env[i].name);
                free(k->env[i].value);
        }
        free(k->env);
}

/*
 * The kubelet's $(NAME): replaced where NAME is a variable of the container, kept where it is not;
 * $$(NAME) stands for $(NAME) (k8s.io/kubernetes third_party/forked/golang/expansion). Other '$$'
 * are kept too, where the kubelet makes one '$' of them: a script's own $$ is more likely. A VM's
 * Pod is written for Podman, and left alone. Ends when the result is longer than Linux passes to a
 * process, since references to references grow without bound, and whoever takes it refuses that.
 */
void env_expand(const struct container *k, const char *text, struct buf *out)
{
        if (k->raw) {
                buf_adds(out, text);
                return;
        }
        const char *close = strchr(text, ')'); /* the next one, looked for once */

        while (*text && out->len <= UNIT_ARG_MAX) {
                size_t n = strcspn(text, "$"), room = UNIT_ARG_MAX + 1 - out->len;

                while (close && close < text)
                        close = strchr(close + 1, ')');
                const char *end = strncmp(text, "$(", 2) == 0 ? close : NULL;
                const struct variable *v = end ? find(k, text + 2, (size_t)(end - text - 2)) : NULL;

                if (v) {
                        buf_add(out, v->value, strnlen(v->value, UNIT_ARG_MAX + 1));
                        text = end + 1;
                } else if (strncmp(text, "$$(", 3) == 0) {
                        buf_adds(out, "$(");
                        text += 3;
                } else {
                        n = n ? n : 1;
                        buf_add(out, text, n < room ? n : room);
                        text += n;
                }
        }
}

/* ---- values from elsewhere --------------------------------------------------------------------
 */

/* metadata.labels['KEY'] and metadata.annotations['KEY']; false if it is neither. */
static bool add_subscript(const struct convert *c, const char *path, struct buf *out)
{
        static const char *const maps[] = { "labels", "annotations" };

        for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
                size_t n = strlen(maps[i]), len = strlen(path);
                const char *key = path + 9 + n;
                BUF_AUTO struct buf name = BUF_INIT;

                if (strncmp(path, "metadata.", 9) != 0 || strncmp(path + 9, maps[i], n) != 0 ||
                    len < 9 + n + 4 || key[0] != '[' || path[len - 1] != ']' ||
                    (key[1] != '\'' && key[1] != '"') || path[len - 2] != key[1])
                        continue;
                buf_add(&name, key + 2, (size_t)(path + len - 2 - (key + 2)));
                buf_adds(out, ref_text(ref_get(ref_at(c->pod, "metadata"), maps[i]), name.s));
                return true;
        }
        return false;
}

bool env_field(struct convert *c, struct ref reference, const struct path *at, struct buf *out)
{
        const char *path = ref_text(reference, "fieldPath");
        const char *namespace = ref_text(c->pod, "metadata.namespace");

        if (strcmp(path, "metadata.name") == 0)
                buf_adds(out, c->name);
        else if (strcmp(path, "metadata.namespace") == 0)
                buf_adds(out, *namespace ? namespace : "default");
        else if (strcmp(path, "metadata.uid") == 0)
                buf_adds(out, ref_text(c->pod, "metadata.uid"));
        else if (strcmp(path, "spec.serviceAccountName") == 0)
                buf_adds(out, ref_text(c->spec, "serviceAccountName"));
        else if (strcmp(path, "spec.nodeName") == 0)
                buf_adds(out, ref_text(c->spec, "nodeName"));
        else if (!add_subscript(c, path, out)) {
                diag_report(c->d, VMQ_POD_FIELD, AT(at, "fieldPath"),
                            "'%s' is not known before the pod runs; it is left out", path);
                return false;
        }
        return true;
}

static struct ref container_named(const struct convert *c, const char *name)
{
        struct ref found = ref_find(ref_get(c->spec, "containers"), "name", name);

        return ref_is_set(found) ? found
                                 : ref_find(ref_get(c->spec, "initContainers"), "name", name);
}

/* How often the divisor goes into the amount, rounded up (pkg/api/v1/resource of Kubernetes,
 * convertResourceCPUToString and its like). */
static void add_quotient(struct quantity amount, struct quantity divisor, struct buf *out)
{
        quantity_nano by = divisor.nano > 0 ? divisor.nano : 1000000000;

        buf_addf(out, "%lld", (long long)((amount.nano + by - 1) / by));
}

bool env_resource(struct convert *c, const struct container *k, struct ref reference,
                  const struct path *at, struct buf *out)
{
        const char *resource = ref_text(reference, "resource"), *dot = strchr(resource, '.');
        const char *name = ref_text(reference, "containerName");
        struct ref of = *name ? container_named(c, name) : k ? k->ref : ref_get(c->spec, "");
        BUF_AUTO struct buf list = BUF_INIT;
        struct quantity amount, divisor = quantity_or_zero(ref_get(reference, "divisor"));

        if (*name && !ref_is_set(of)) {
                diag_report(c->d, VMQ_POD_REFERENCE, AT(at, "containerName"),
                            "the pod has no container '%s'", name);
                return false;
        }
        buf_add(&list, resource, dot ? (size_t)(dot - resource) : 0);
        struct ref amounts = ref_get(ref_get(of, "resources"), list.s);

        if (dot && quantity_of(ref_get(amounts, dot + 1), &amount)) {
                add_quotient(amount, divisor, out);
                return true;
        }
        diag_report(c->d, VMQ_POD_FIELD, AT(at, "resource"),
                    "the container sets no %s, and what the host has is not known here; it is left "
                    "out",
                    *resource ? resource : "resource");
        return false;
}

/* The value of a key of a ConfigMap or Secret, which must be text. */
static bool add_key(struct convert *c, const char *kind, struct ref reference,
                    const struct path *at, struct buf *out)
{
        struct ref object = config_find(c, kind, reference, "name", at);
        const char *key = ref_text(reference, "key");

        if (!ref_is_set(object))
                return false;
        if (!config_bytes(object, key, out)) {
                if (!ref_bool(ref_get(reference, "optional"), false))
                        diag_report(c->d, VMQ_POD_REFERENCE, AT(at, "key"),
                                    "the %s '%s' has no key '%s' that can be read", kind,
                                    ref_text(reference, "name"), key);
                return false;
        }
        if (strlen(out->s) == out->len)
                return true;
        diag_report(c->d, VMQ_QUADLET_TEXT, AT(at, "key"),
                    "the value has a NUL byte in it; mount the %s as a volume", kind);
        return false;
}

static bool add_value(struct convert *c, const struct container *k, struct ref entry,
                      const struct path *at, struct buf *out)
{
        struct ref from = ref_get(entry, "valueFrom");
        const struct path *here = AT(at, "valueFrom");

        if (!ref_is_set(from)) {
                env_expand(k, ref_text(entry, "value"), out);
                return true;
        }
        if (ref_is_set(ref_get(from, "fieldRef")))
                return env_field(c, ref_get(from, "fieldRef"), AT(here, "fieldRef"), out);
        if (ref_is_set(ref_get(from, "resourceFieldRef")))
                return env_resource(c, k, ref_get(from, "resourceFieldRef"),
                                    AT(here, "resourceFieldRef"), out);
        if (ref_is_set(ref_get(from, "configMapKeyRef")))
                return add_key(c, "ConfigMap", ref_get(from, "configMapKeyRef"),
                               AT(here, "configMapKeyRef"), out);
        if (ref_is_set(ref_get(from, "secretKeyRef")))
                return add_key(c, "Secret", ref_get(from, "secretKeyRef"), AT(here, "secretKeyRef"),
                               out);
        return false; /* reported by fields.c */
}

/* A name is any text without '=' for Podman; the API wants printable ASCII. */
static bool name_ok(struct convert *c, const char *name, const struct path *at)
{
        if (!text_ok(c, unit_check(name), at))
                return false;
        if (*name && !strchr(name, '='))
                return true;
        diag_report(c->d, VMQ_POD_VALUE, at, "'%s' is no name of a variable", name);
        return false;
}

/* ---- envFrom ----------------------------------------------------------------------------------
 */

struct source {
        struct convert *c;
        struct container *k;
        struct ref object;
        const char *prefix;
        bool secret;
        const struct path *at;
};

static void take_key(const char *key, void *self)
{
        struct source *s = self;
        BUF_AUTO struct buf name = BUF_INIT, value = BUF_INIT;

        buf_addf(&name, "%s%s", s->prefix, key);
        if (!config_bytes(s->object, key, &value) || strlen(value.s) != value.len ||
            !utf8_valid(value.s, value.len))
                diag_report(s->c->d, VMQ_POD_FIELD, s->at,
                            "the value of '%s' is no text; it is left out", key);
        else if (name_ok(s->c, name.s, s->at))
                set(s->k, name.s, &value, s->secret);
}

static void take_all(struct convert *c, struct container *k, struct ref from, const struct path *at)
{
        static const char *const kinds[][2] = { { "configMapRef", "ConfigMap" },
                                                { "secretRef", "Secret" } };

        for (size_t i = 0; i < 2; i++) {
                struct ref reference = ref_get(from, kinds[i][0]);
                const struct path *here = AT(at, kinds[i][0]);

                if (!ref_is_set(reference))
                        continue;
                struct source s = { .c = c,
                                    .k = k,
                                    .object = config_find(c, kinds[i][1], reference, "name", here),
                                    .prefix = ref_text(from, "prefix"),
                                    .secret = i == 1,
                                    .at = here };

                config_each(s.object, take_key, &s);
        }
}

void env_resolve(struct convert *c, struct container *k)
{
        REF_EACH(f, ref_get(k->ref, "envFrom"))
                take_all(c, k, f.item, AT_INDEX(AT(k->at, "envFrom"), f.i));
        REF_EACH(e, ref_get(k->ref, "env")) {
                if (!env_fits(k))
                        break;
                const struct path *at = AT_INDEX(AT(k->at, "env"), e.i);
                const char *name = ref_text(e.item, "name");
                bool secret = ref_is_set(ref_at(e.item, "valueFrom.secretKeyRef"));
                BUF_AUTO struct buf value = BUF_INIT;

                if (name_ok(c, name, AT(at, "name")) && add_value(c, k, e.item, at, &value))
                        set(k, name, &value, secret);
        }
        if (!env_fits(k))
                diag_report(c->d, VMQ_ENV_TOO_LONG, AT(k->at, "env"),
                            "more than %d variables, or %zu MiB of them, which is what Linux "
                            "passes to a process; put them in a file and mount that",
                            VARIABLES_MOST, BYTES_MOST >> 20);
}

/* ---- into the unit ----------------------------------------------------------------------------
 */

static bool belongs_in_file(const struct variable *e)
{
        return e->secret || strlen(e->value) > LONG_VALUE || strpbrk(e->value, "\n=\"");
}

static bool add_line(struct buf *file, const struct variable *e)
{
        if (unit_env_line(file, e->name, e->value) != UNIT_OK)
                return false;
        buf_addc(file, '\n');
        return true;
}

/* One variable: into the file if that can carry it (one line of 64 KiB), else into the unit. */
static void add_one(struct convert *c, const struct container *k, struct unit *u,
                    const struct variable *e, struct buf *file)
{
        size_t size = strlen(e->name) + strlen(e->value) + 2;
        bool in_file = belongs_in_file(e);
        BUF_AUTO struct buf v = BUF_INIT;
        const struct path *at = AT_KEY(AT(k->at, "env"), e->name);

        if (size > UNIT_ARG_MAX) {
                diag_report(c->d, VMQ_ENV_TOO_LONG, at,
                            "%zu bytes, and Linux passes at most %d to a process; put the value in "
                            "a file and mount that",
                            size, UNIT_ARG_MAX);
                return;
        }
        if (in_file && add_line(file, e))
                return;
        enum unit_flaw flaw = unit_env_word(&v, e->name, e->value);

        if (flaw != UNIT_OK && !in_file && add_line(file, e))
                return;
        if (text_ok(c, flaw, at))
                systemd_add(u, "Container", "Environment", v.s);
}

void env_add(struct convert *c, struct container *k, struct unit *u)
{
        BUF_AUTO struct buf file = BUF_INIT, name = BUF_INIT;

        for (size_t i = 0; i < k->n_env; i++)
                add_one(c, k, u, &k->env[i], &file);
        if (file.len == 0)
                return;
        buf_addf(&name, "%s-%s.env", c->name, k->name);
        key_add(c, u, KEY_EnvironmentFile, name.s, NULL);
        file_add_text(c, name.s, jv_string(file.s), "0600", true);
}
