/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <string.h>

#include "jvx.h"
#include "names.h"
#include "ports.h"
#include "unit.h"

int unit_index(struct ref units, const char *end)
{
        REF_EACH(unit, units) {
                const char *name = ref_text(unit.item, "name");
                size_t len = strlen(name), want = strlen(end);

                if (len > want && strcmp(name + len - want, end) == 0)
                        return unit.i;
        }
        return -1;
}

/* One unit under edit. */
struct edit {
        jv *units;
        int index;
        struct unit unit;
};

bool lines_check(struct ref units, struct diag *d)
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
        for (size_t i = unit_find(u, section, key, 0); i < u->n; i = unit_next(u, section, key, i))
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
        int pod = unit_index(ref_of(units), ".pod");
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
        int compute = unit_index(ref_of(units), "-compute.container");
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

void lines_add(jv *units, struct vmq_run *run)
{
        publish_proxies(units, run);
        set_passt_path(units, run);
}
