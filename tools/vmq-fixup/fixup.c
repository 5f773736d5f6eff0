/* SPDX-License-Identifier: Apache-2.0 */
#include "fixup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle.h"
#include "folder.h"
#include "jvx.h"
#include "mem.h"
#include "names.h"
#include "ref.h"
#include "tar.h"
#include "unit.h"

static int usage(const struct vmq_run *run, const char *text)
{
        fprintf(run->diag->out, "%s: %s; try %s --help\n", run->diag->style.prog, text,
                run->diag->style.prog);
        return VMQ_EXIT_USAGE;
}

int fixup_start(struct vmq_run *run)
{
        const struct fixup *self = run->self;

        if (self->output_dir && self->tar)
                return usage(run, "--output-dir and --tar exclude each other");
        if (self->prune && !self->output_dir)
                return usage(run, "--prune needs --output-dir");
        if (self->output_dir && !*self->output_dir)
                return usage(run, "--output-dir needs the name of a folder");
        if (self->tar && isatty(STDOUT_FILENO))
                return usage(run, "--tar does not write to a terminal");
        return -1;
}

/* ---- the lines of step 7 -----------------------------------------------------------------------
 */

/* One unit under edit. */
struct edit {
        jv *units;
        int index;
        struct unit unit;
};

static bool check_names(struct ref units, struct diag *d)
{
        unsigned errors = d->errors;

        REF_EACH(unit, units) {
                const struct path *at = AT_INDEX(AT(NULL, "units"), unit.i);
                const char *name = ref_str(ref_get(unit.item, "name"));

                if (!name || !name_is_good(name))
                        diag_report(d, VMQ_UNIT_NAME, AT(at, "name"),
                                    "'%s' can't be the name of a unit; use letters, digits and "
                                    "'.', '_', '-', at most %d",
                                    name ? name : "", NAME_LENGTH);
                else if (!ref_str(ref_get(unit.item, "text")))
                        diag_report(d, VMQ_UNIT_TEXT, AT(at, "text"),
                                    "no text; it is the content of the file %s", name);
        }
        return d->errors == errors;
}

/* The index of the first unit whose name ends so; -1. */
static int find_unit(struct ref units, const char *end)
{
        REF_EACH(unit, units) {
                const char *name = ref_text(unit.item, "name");
                size_t len = strlen(name), want = strlen(end);

                if (len > want && strcmp(name + len - want, end) == 0)
                        return unit.i;
        }
        return -1;
}

static bool edit_open(struct edit *e, jv *units, int index, struct diag *d)
{
        BUF_AUTO struct buf why = BUF_INIT;
        struct ref unit = ref_item(ref_of(units), index);
        const char *text = ref_text(unit, "text");

        *e = (struct edit){ .units = units, .index = index, .unit = UNIT_INIT };
        if (unit_read(&e->unit, text, strlen(text), &why))
                return true;
        diag_report(d, VMQ_UNIT_TEXT, AT(AT_INDEX(AT(NULL, "units"), index), "text"),
                    "%s: %s; check the stage that wrote it", ref_text(unit, "name"), why.s);
        unit_release(&e->unit);
        return false;
}

/* Put the text back. */
static void edit_close(struct edit *e)
{
        BUF_AUTO struct buf text = BUF_INIT;
        JVX_AUTO jv unit = jvx_detach_item(e->units, e->index);

        unit_print(&e->unit, &text);
        jvx_set(&unit, "text", jv_string_sized(text.s, (int)text.len));
        jvx_set_item(e->units, e->index, jvx_take(&unit));
        unit_release(&e->unit);
}

/* Add KEY=VALUE at the end of the section, unless it stands there already. */
static void add_once(struct unit *u, const char *section, const char *key, const char *value)
{
        for (size_t i = unit_find(u, section, key, 0); i < u->n;
             i = unit_find(u, section, key, i + 1))
                if (strcmp(u->lines[i].value, value) == 0)
                        return;
        unit_section(u, section);
        unit_add(u, key, value);
}

static const struct proxy {
        enum setting on, port;
} proxies[] = { { SET_VNC_PROXY, SET_VNC_PORT }, { SET_CONSOLE_PROXY, SET_CONSOLE_PORT } };

/* Are both proxies wanted, on one port? */
static bool same_ports(const struct settings *s)
{
        return setting_on(s, SET_VNC_PROXY) && setting_on(s, SET_CONSOLE_PROXY) &&
               setting_int(s, SET_VNC_PORT) == setting_int(s, SET_CONSOLE_PORT);
}

/* Can the proxies' ports be published? Reports why not. */
static bool can_publish(struct vmq_run *run, int pod, struct buf *address)
{
        const char *want = setting_text(run->settings, SET_PUBLISH_ADDRESS);

        if (!port_address(want, address))
                diag_report(run->diag, VMQ_PUBLISH_ADDRESS, AT(NULL, "options.publish-address"),
                            "'%s' is no IP address; use one of the host's, such as 127.0.0.1",
                            want);
        else if (same_ports(run->settings))
                diag_report(
                        run->diag, VMQ_PORT_CLASH, NULL,
                        "--vnc-port and --console-port are both %d; give them ports of their own",
                        setting_int(run->settings, SET_VNC_PORT));
        else if (pod < 0)
                diag_report(
                        run->diag, VMQ_NO_SUCH_UNIT, AT(NULL, "units"),
                        "no .pod unit to publish the proxies' ports on; leave out --vnc-proxy and "
                        "--console-proxy");
        else
                return true;
        return false;
}

/*
 * The proxies' ports, at the end of [Pod] (decision document, step 7: the .pod unit is the only
 * place where Quadlet heeds them).
 */
static void publish_proxies(jv *units, struct vmq_run *run)
{
        BUF_AUTO struct buf address = BUF_INIT;
        int pod = find_unit(ref_of(units), ".pod");
        struct edit e;

        if (!setting_on(run->settings, SET_VNC_PROXY) &&
            !setting_on(run->settings, SET_CONSOLE_PROXY))
                return;
        if (!can_publish(run, pod, &address) || !edit_open(&e, units, pod, run->diag))
                return;
        for (size_t i = 0; i < ARRAY_LEN(proxies); i++) {
                BUF_AUTO struct buf value = BUF_INIT;
                int port = setting_int(run->settings, proxies[i].port);

                buf_addf(&value, "%s:%d:%d", address.s, port, port);
                if (setting_on(run->settings, proxies[i].on))
                        add_once(&e.unit, "Pod", "PublishPort", value.s);
        }
        const char *network = unit_get(&e.unit, "Pod", "Network");

        if (network && strcmp(network, "host") == 0)
                diag_report(run->diag, VMQ_HOST_NETWORK, NULL,
                            "with --network=host the proxies listen on every address of the host; "
                            "use another network, or a firewall");
        edit_close(&e);
}

/*
 * PATH with the patched passt in front (decision document, step 7), at the end of [Container].
 * SecurityLabelDisable=, which that page names too, is not needed: the volume of the patched
 * program is mounted with :z, so that the container may run what is in it.
 */
static void set_passt_path(jv *units, struct vmq_run *run)
{
        int compute = find_unit(ref_of(units), "-compute.container");
        struct edit e;

        if (!setting_on(run->settings, SET_PASST_WORKAROUNDS))
                return;
        if (compute < 0) {
                diag_report(
                        run->diag, VMQ_NO_SUCH_UNIT, AT(NULL, "units"),
                        "no unit of the container compute, whose PATH --passt-workarounds sets; "
                        "leave out that option");
                return;
        }
        if (!edit_open(&e, units, compute, run->diag))
                return;
        add_once(&e.unit, "Container", "Environment",
                 "PATH=/passt-bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        edit_close(&e);
}

/* ---- what the VMs of a stream share ------------------------------------------------------------
 */

/* "FILE:LINE" of the VM at hand. */
static void describe(const struct diag *d, struct buf *out)
{
        buf_adds(out, d->file);
        if (d->line)
                buf_addf(out, ":%u", d->line);
}

/* Volumes that VMs share (--volume-names claim) are written once. */
static bool may_share(const char *name)
{
        return strcmp(name_extension(name), ".volume") == 0;
}

/* Has the name been claimed by another VM of the stream, which does not share the file? */
static bool is_taken(struct ref owner, struct ref unit, size_t vm)
{
        bool shared = may_share(ref_text(unit, "name")) &&
                      ref_eq(ref_get(owner, "text"), ref_text(unit, "text")) &&
                      ref_int(ref_get(owner, "vm"), -1) != (long long)vm;

        return ref_is_set(owner) && !shared;
}

/* One report will do: all files of a VM are named after it. */
static bool claim_names(struct fixup *self, struct ref units, const char *by, struct diag *d)
{
        REF_EACH(unit, units) {
                const char *name = ref_text(unit.item, "name");
                struct ref owner = ref_get(ref_of(&self->owners), name);

                if (is_taken(owner, unit.item, self->n)) {
                        self->clashed = true;
                        diag_report(
                                d, VMQ_UNIT_CLASH, AT(AT_INDEX(AT(NULL, "units"), unit.i), "name"),
                                "%s is written by %s too, so nothing is written; rename one of the "
                                "VMs, or convert them into folders of their own",
                                name, ref_text(owner, "by"));
                        return false;
                }
                if (!ref_is_set(owner))
                        jvx_set(&self->owners, name,
                                jvx_build("{by: %s, vm: %l, text: %s}", by, (long long)self->n,
                                          may_share(name) ? ref_text(unit.item, "text") : NULL));
        }
        return true;
}

static void claim_ports_of(struct fixup *self, struct ref unit, const struct path *at,
                           const char *by, struct diag *d)
{
        BUF_AUTO struct buf why = BUF_INIT;
        UNIT_AUTO struct unit u = UNIT_INIT;
        const char *text = ref_text(unit, "text");
        const char *section = name_section(name_extension(ref_text(unit, "name")));

        if (!section || !strstr(text, "PublishPort") || !unit_read(&u, text, strlen(text), &why))
                return;
        for (size_t i = unit_find(&u, section, "PublishPort", 0); i < u.n;
             i = unit_find(&u, section, "PublishPort", i + 1)) {
                const char *other = ports_take(&self->ports, u.lines[i].value, by);

                if (!other)
                        continue;
                self->clashed = true;
                diag_report(d, VMQ_PORT_CLASH, at,
                            "port %s is published by %s too, so nothing is written; give each VM "
                            "ports of its own (--vnc-port, --console-port)",
                            u.lines[i].value, other);
        }
}

static void claim_ports(struct fixup *self, struct ref units, const char *by, struct diag *d)
{
        REF_EACH(unit, units)
                claim_ports_of(self, unit.item, AT_INDEX(AT(NULL, "units"), unit.i), by, d);
}

/* ---- the stage ---------------------------------------------------------------------------------
 */

void fixup_each(jv *item, struct vmq_run *run)
{
        BUF_AUTO struct buf by = BUF_INIT;
        JVX_AUTO jv units = jvx_detach(item, "units");
        struct ref view = ref_of(&units);

        describe(run->diag, &by);
        if (ref_kind(view) != JV_KIND_ARRAY || ref_len(view) == 0)
                diag_report(run->diag, VMQ_NO_UNITS, AT(NULL, "units"),
                            "no units; run vmq-quadlet in front of vmq-fixup");
        else if (check_names(view, run->diag)) {
                publish_proxies(&units, run);
                set_passt_path(&units, run);
                if (!diag_failed(run->diag) &&
                    claim_names(run->self, ref_of(&units), by.s, run->diag))
                        claim_ports(run->self, ref_of(&units), by.s, run->diag);
        }
        jvx_set(item, "units", jvx_take(&units));
}

/* The pod's name; that of the first unit where there is no pod. */
static char *owner_of(struct ref units)
{
        int pod = find_unit(units, ".pod");
        const char *name = ref_text(ref_item(units, pod < 0 ? 0 : pod), "name");

        return mem_strndup(name, (size_t)(name_extension(name) - name));
}

void fixup_keep(const jv *item, struct vmq_run *run)
{
        struct fixup *self = run->self;
        JVX_AUTO jv units = jvx_get(item, "units");

        MEM_GROW(self->vms, self->n, self->cap);
        self->vms[self->n] = (struct fixup_vm){ .owner = owner_of(ref_of(&units)),
                                                .file = mem_strdup(run->diag->file),
                                                .line = run->diag->line };
        self->vms[self->n++].units = jvx_take(&units);
}

bool fixup_writes(const struct fixup *self, size_t vm, const char *name)
{
        return ref_int(ref_get(ref_get(ref_of(&self->owners), name), "vm"), -1) == (long long)vm;
}

void fixup_finish(struct vmq_run *run)
{
        const struct fixup *self = run->self;

        if (self->clashed || self->n == 0 || run->status >= VMQ_EXIT_SYSTEM)
                return;
        if (self->output_dir)
                folder_write(self, run);
        else if (self->tar)
                tar_write(self, run);
        else
                bundle_write(self, run);
}

void fixup_release(struct fixup *self)
{
        for (size_t i = 0; i < self->n; i++) {
                free(self->vms[i].owner);
                free(self->vms[i].file);
                jvx_release(&self->vms[i].units);
        }
        free(self->vms);
        jvx_release(&self->owners);
        ports_release(&self->ports);
}
