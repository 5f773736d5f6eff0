/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert.h"
#include "json.h"
#include "jvx.h"

/* The keys of the two kinds of checks that Podman knows. */
static const struct check {
        enum key cmd, interval, retries, timeout;
} regular = { KEY_HealthCmd, KEY_HealthInterval, KEY_HealthRetries, KEY_HealthTimeout },
  startup = { KEY_HealthStartupCmd, KEY_HealthStartupInterval, KEY_HealthStartupRetries,
              KEY_HealthStartupTimeout };

static long long seconds(struct convert *c, struct ref probe, const char *field, long long fallback,
                         const struct path *at)
{
        long long n = ref_int(ref_get(probe, field), 0);

        if (n < 0)
                diag_report(c->d, VMQ_POD_VALUE, AT(at, field), "a number below 0 has no meaning");
        return n > 0 ? n : fallback;
}

/* ---- commands ---------------------------------------------------------------------------------
 */

/* Names of ports that every image's /etc/services has. */
static bool is_service(const char *name, long long number)
{
        static const struct {
                const char *name;
                int number;
        } services[] = { { "ftp", 21 },    { "ssh", 22 },  { "telnet", 23 }, { "smtp", 25 },
                         { "domain", 53 }, { "http", 80 }, { "ntp", 123 },   { "https", 443 } };

        for (size_t i = 0; i < sizeof services / sizeof *services; i++)
                if (strcmp(services[i].name, name) == 0)
                        return services[i].number == number;
        return false;
}

/* The number of a port, by its name among the container's if it is a name. A VM's probe keeps a
 * name that says the same. */
static void add_port(const struct container *k, struct ref port, struct buf *out)
{
        const char *name = ref_str(port);
        struct ref named = ref_find(ref_get(k->ref, "ports"), "name", name ? name : "");
        long long number = ref_int(ref_get(named, "containerPort"), ref_int(port, 0));

        if (name && (!number || (k->raw && is_service(name, number))))
                buf_adds(out, name);
        else
                buf_addf(out, "%lld", number);
}

/* Does a shell take the text as one word, as it is? '&' and '?' stand in the URLs of KubeVirt's own
 * probes, and the reference writes them so. */
static bool is_tame(const char *s)
{
        return !s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                            "/?&=._:%~+,-@")];
}

/* A header as Go's %q writes it; false if that would not be the same for a shell. */
static bool add_tame_header(struct ref header, struct buf *out)
{
        const char *name = ref_text(header, "name"), *value = ref_text(header, "value");

        if (!is_tame(name) || strpbrk(value, "$`\\") || unit_check(value) != UNIT_OK)
                return false;
        buf_addf(out, "-H \"%s: ", name);
        for (; *value; value++) {
                if (*value == '"')
                        buf_addc(out, '\\');
                buf_addc(out, *value);
        }
        buf_adds(out, "\" ");
        return true;
}

/* The reference's line for a VM's httpGet; false if a shell would read it otherwise. */
static bool add_tame_http(const struct container *k, struct ref http, struct buf *out)
{
        BUF_AUTO struct buf port = BUF_INIT, line = BUF_INIT;
        const char *path = ref_text(http, "path");

        add_port(k, ref_get(http, "port"), &port);
        buf_adds(&line, "curl -f -s ");
        REF_EACH(h, ref_get(http, "httpHeaders"))
                if (!add_tame_header(h.item, &line))
                        return false;
        if (!is_tame(path) || !is_tame(port.s))
                return false;
        buf_addf(out, "%shttp://localhost:%s%s", line.s, port.s, path);
        return true;
}

/* A list of words in JSON, which Podman runs without a shell. */
static void add_list(jv words, struct buf *out)
{
        json_print(&words, out);
        jv_free(words);
}

static void add_http(const struct container *k, struct ref http, struct buf *out)
{
        bool https = ref_eq(ref_get(http, "scheme"), "HTTPS");
        const char *host = ref_text(http, "host"), *path = ref_text(http, "path");
        jv words = jvx_build("['curl', '-f', '-s']");
        BUF_AUTO struct buf url = BUF_INIT;

        if (https) /* the kubelet does not check certificates either */
                jvx_append(&words, jv_string("-k"));
        REF_EACH(h, ref_get(http, "httpHeaders")) {
                BUF_AUTO struct buf header = BUF_INIT;

                buf_addf(&header, "%s: %s", ref_text(h.item, "name"), ref_text(h.item, "value"));
                jvx_append(&words, jv_string("-H"));
                jvx_append(&words, jv_string(header.s));
        }
        buf_addf(&url, "%s://%s:", https ? "https" : "http", *host ? host : "localhost");
        add_port(k, ref_get(http, "port"), &url);
        buf_addf(&url, "%s%s", *path == '/' ? "" : "/", path);
        jvx_append(&words, jv_string(url.s));
        add_list(words, out);
}

/* nc where the image has it, or else bash, whose /dev/tcp does it. */
static void add_tcp(const struct container *k, struct ref tcp, struct buf *out)
{
        const char *host = ref_text(tcp, "host");
        BUF_AUTO struct buf port = BUF_INIT;

        add_port(k, ref_get(tcp, "port"), &port);
        if (k->raw && is_tame(port.s))
                buf_addf(out, "sh -c \"echo > /dev/tcp/localhost/%s\"", port.s);
        else
                add_list(
                        jvx_build("['sh', '-c', %s, 'probe', %s, %s]",
                                  "if command -v nc >/dev/null; then exec nc -z \"$1\" \"$2\"; fi; "
                                  "exec bash -c ': >\"/dev/tcp/$1/$2\"' probe \"$1\" \"$2\"",
                                  *host ? host : "localhost", port.s),
                        out);
}

/* Append the command; false if there is none. */
static bool add_command(struct convert *c, const struct container *k, struct ref probe,
                        const struct path *at, struct buf *out)
{
        struct ref exec = ref_at(probe, "exec.command"), http = ref_get(probe, "httpGet");
        struct ref tcp = ref_get(probe, "tcpSocket");

        if (ref_len(exec))
                add_list(ref_copy(exec), out);
        else if (ref_is_set(http) && !(k->raw && add_tame_http(k, http, out)))
                add_http(k, http, out);
        else if (ref_is_set(tcp))
                add_tcp(k, tcp, out);
        if (!out->len)
                diag_report(c->d, VMQ_POD_FIELD, at,
                            "not honoured; Podman checks with a command, an HTTP request or a TCP "
                            "connection");
        return out->len > 0;
}

/* ---- checks -----------------------------------------------------------------------------------
 */

static void add_check(struct convert *c, struct unit *u, const struct check *keys, struct ref probe,
                      const char *command, const struct path *at)
{
        key_add(c, u, keys->cmd, command, at);
        key_addf(c, u, keys->interval, at, "%llds", seconds(c, probe, "periodSeconds", 10, at));
        key_addf(c, u, keys->retries, at, "%lld", seconds(c, probe, "failureThreshold", 3, at));
        key_addf(c, u, keys->timeout, at, "%llds", seconds(c, probe, "timeoutSeconds", 1, at));
}

static bool may_restart(const struct convert *c)
{
        return !ref_eq(ref_get(c->spec, "restartPolicy"), "Never");
}

/* Podman has one check while the container runs: the liveness probe, or else the readiness probe,
 * which then only tells. */
static void add_regular(struct convert *c, const struct container *k, struct unit *u,
                        struct ref probe, bool live, const struct path *at)
{
        BUF_AUTO struct buf command = BUF_INIT;

        if (!add_command(c, k, probe, at, &command))
                return;
        add_check(c, u, &regular, probe, command.s, at);
        key_addf(c, u, KEY_HealthStartPeriod, at, "%llds",
                 seconds(c, probe, "initialDelaySeconds", 0, at));
        if (live && may_restart(c))
                key_add(c, u, KEY_HealthOnFailure, "restart", at);
        if (ref_int(ref_get(probe, "successThreshold"), 1) > 1)
                diag_report(c->d, VMQ_POD_PARTLY, AT(at, "successThreshold"),
                            "Podman takes the first success for health");
}

/* A check at the start needs a regular one to go on with: the same, if there is no other. */
static void add_startup(struct convert *c, const struct container *k, struct unit *u,
                        struct ref probe, bool alone, const struct path *at)
{
        BUF_AUTO struct buf command = BUF_INIT;

        if (!add_command(c, k, probe, at, &command))
                return;
        if (alone) {
                key_add(c, u, KEY_HealthCmd, command.s, at);
                key_add(c, u, KEY_HealthInterval, "disable", at);
        }
        add_check(c, u, &startup, probe, command.s, at);
        key_addf(c, u, KEY_HealthStartupSuccess, at, "%lld",
                 seconds(c, probe, "successThreshold", 1, at));
        if (k->role == ROLE_SIDECAR)
                key_add(c, u, KEY_Notify, "healthy", at);
        if (ref_int(ref_get(probe, "initialDelaySeconds"), 0) > 0)
                diag_report(c->d, VMQ_POD_PARTLY, AT(at, "initialDelaySeconds"),
                            "Podman begins at once; raise failureThreshold if that is too early");
}

void probes_add(struct convert *c, const struct container *k, struct unit *u)
{
        struct ref live = ref_get(k->ref, "livenessProbe");
        struct ref ready = ref_get(k->ref, "readinessProbe");
        struct ref start = ref_get(k->ref, "startupProbe");

        if (ref_is_set(live))
                add_regular(c, k, u, live, true, AT(k->at, "livenessProbe"));
        else if (ref_is_set(ready))
                add_regular(c, k, u, ready, false, AT(k->at, "readinessProbe"));
        if (ref_is_set(live) && ref_is_set(ready))
                diag_report(c->d, VMQ_POD_FIELD, AT(k->at, "readinessProbe"),
                            "not honoured beside a livenessProbe; Podman has one check per "
                            "container");
        if (ref_is_set(start))
                add_startup(c, k, u, start, !ref_is_set(live) && !ref_is_set(ready),
                            AT(k->at, "startupProbe"));
}
