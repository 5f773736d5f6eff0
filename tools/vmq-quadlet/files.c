/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert.h"
#include "jvx.h"
#include "mem.h"

#define NAME_LIMIT 255 /* bytes of a file's name (NAME_MAX), and of a unit's (UNIT_NAME_MAX) */

static bool is_name_char(char ch)
{
        return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
               (ch && strchr("-_.", ch));
}

bool file_name_ok(struct convert *c, const char *text, const struct path *at)
{
        bool good = *text && *text != '.' && *text != '-' && !strstr(text, "..");

        if (strlen(text) > NAME_LIMIT) {
                diag_report(c->d, VMQ_QUADLET_NAME, at,
                            "'%.100s...' is %zu bytes long, and a unit's name has %d at most; use "
                            "a shorter one",
                            text, strlen(text), NAME_LIMIT);
                return false;
        }
        for (const char *p = text; good && *p; p++)
                good = is_name_char(*p);
        if (!good)
                diag_report(c->d, VMQ_QUADLET_NAME, at,
                            "'%.100s' cannot be part of a unit's name; use a-z, 0-9 and '-'", text);
        return good;
}

/* The service that the generator makes of a unit: x.pod is x-pod.service (podman
 * pkg/systemd/quadlet/quadlet.go, GetUnitServiceName and its like). */
static void add_service_name(const char *file, struct buf *out)
{
        const char *dot = strrchr(file, '.');

        buf_add(out, file, (size_t)(dot - file));
        if (strcmp(dot, ".container") != 0)
                buf_addf(out, "-%s", dot + 1);
        buf_adds(out, ".service");
}

void file_add_text(struct convert *c, const char *name, jv text, const char *mode, bool late)
{
        jvx_append(late ? &c->late : &c->units,
                   jvx_build("{name: %s, text: %j, mode: %s}", name, text, mode));
}

static const char *file_of_service(const struct convert *c, const char *name)
{
        for (size_t i = 0; i < c->n_services; i++)
                if (strcmp(c->services[i].name, name) == 0)
                        return c->services[i].file;
        return NULL;
}

bool file_has_unit(const struct convert *c, const char *name)
{
        for (size_t i = 0; i < c->n_services; i++)
                if (strcmp(c->services[i].file, name) == 0)
                        return true;
        return false;
}

void files_release(struct convert *c)
{
        for (size_t i = 0; i < c->n_services; i++) {
                free(c->services[i].name);
                free(c->services[i].file);
        }
        free(c->services);
}

static void add_unit(struct convert *c, const char *name, const struct unit *u, const char *mode,
                     const struct path *at)
{
        BUF_AUTO struct buf service = BUF_INIT, text = BUF_INIT;

        add_service_name(name, &service);
        if (service.len > NAME_LIMIT) {
                diag_report(c->d, VMQ_QUADLET_NAME, at,
                            "the unit %s would be %zu bytes long, and %d are allowed; use shorter "
                            "names for the pod and what is in it",
                            service.s, service.len, NAME_LIMIT);
                return;
        }
        const char *other = file_of_service(c, service.s);

        if (other) {
                diag_report(c->d, VMQ_QUADLET_CLASH, at,
                            "%s and %s would both be %s; rename one of them", other, name,
                            service.s);
                return;
        }
        MEM_GROW(c->services, c->n_services, c->services_cap);
        c->services[c->n_services++] =
                (struct service){ .name = buf_detach(&service), .file = mem_strdup(name) };
        unit_print(u, &text);
        file_add_text(c, name, jv_string(text.s), mode, false);
}

void file_add_unit(struct convert *c, const char *name, const struct unit *u, const struct path *at)
{
        add_unit(c, name, u, "0644", at);
}

void file_add_secret_unit(struct convert *c, const char *name, const struct unit *u,
                          const struct path *at)
{
        add_unit(c, name, u, "0600", at);
}
