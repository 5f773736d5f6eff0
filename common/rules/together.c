/* SPDX-License-Identifier: Apache-2.0 */
/* The VMs of one stream against each other: their units share one folder and one host. */
#include <string.h>

#include "buf.h"
#include "check.h"
#include "jvx.h"
#include "rules/rules.h"

void check_stream_release(struct check_stream *c)
{
        jv_free(c->names);
        jv_free(c->ports);
        jv_free(c->images);
        jv_free(c->units);
        *c = (struct check_stream){ 0 };
}

/* Who has taken the key; NULL, and `by` has it from now on. */
static const char *take(jv *table, const char *key, const char *by)
{
        const char *owner = ref_str(ref_get(ref_of(table), key));

        if (!owner)
                jvx_set(table, key, jv_string(by));
        return owner;
}

static void take_name(struct check_stream *c, struct ref vm, struct diag *d)
{
        const char *name = ref_text(vm, "metadata.name");
        const char *namespace = ref_text(vm, "metadata.namespace");
        const char *other;

        if (!*namespace)
        namespace = "default";
        if (!*name || !(other = take(&c->names, name, namespace)))
                return;
        if (strcmp(other, namespace) == 0)
                diag_report(d, VMQ_SAME_VM, AT(NULL, "metadata.name"),
                            "the stream has a VirtualMachine '%.200s' already; name them apart",
                            name);
        else
                diag_report(d, VMQ_SAME_NAME, AT(NULL, "metadata.name"),
                            "the stream has '%.200s' in the namespace '%.100s' already, and units "
                            "have no namespace; name them apart",
                            name, other);
}

static void take_port(struct check_stream *c, const struct settings *settings, enum setting proxy,
                      enum setting port, const char *name, struct diag *d)
{
        const char *number = setting_text(settings, port), *other;

        if (!setting_on(settings, proxy) || !(other = take(&c->ports, number, name)))
                return;
        diag_report(d, VMQ_SAME_PORT, NULL,
                    "%s: the port %s is that of '%.200s' already; convert the VMs one by one, with "
                    "--%s=PORT for each",
                    setting_infos[proxy].option, number, other, setting_infos[port].option);
}

static void take_disks(struct check_stream *c, const struct subject *s)
{
        REF_EACH(vol, s->volumes) {
                const char *path = ref_text(vol.item, "hostDisk.path"), *other;
                const char *name = ref_text(vol.item, "name");
                BUF_AUTO struct buf unit = BUF_INIT;

                buf_addf(&unit, "%s-%s", s->name, name);
                other = claim_of(vol.item) ? take(&c->units, unit.s, s->name) : NULL;
                if (other && strcmp(other, s->name) != 0)
                        diag_report(
                                s->d, VMQ_SAME_UNIT, AT(AT_VOLUME(vol.i), "name"),
                                "the unit virt-launcher-%.200s.volume is that of the VM '%.200s' "
                                "already; rename the volume",
                                unit.s, other);
                if (!*path || ref_bool(ref_at(vol.item, "hostDisk.shared"), false) ||
                    disk_is_read_only(s, name))
                        continue;
                other = take(&c->images, path, s->name);
                if (other && strcmp(other, s->name) != 0)
                        diag_report(s->d, VMQ_SAME_IMAGE, AT(AT_VOLUME(vol.i), "hostDisk.path"),
                                    "the VM '%.200s' writes to this image already; give each its "
                                    "own",
                                    other);
        }
}

void check_together(struct check_stream *c, const jv *item, const struct settings *settings,
                    struct diag *d)
{
        struct subject s = { .d = d, .settings = settings };

        subject_open(&s, item);
        take_name(c, s.vm, d);
        take_port(c, settings, SET_VNC_PROXY, SET_VNC_PORT, s.name, d);
        take_port(c, settings, SET_CONSOLE_PROXY, SET_CONSOLE_PORT, s.name, d);
        take_disks(c, &s);
        subject_close(&s);
}
