/* SPDX-License-Identifier: Apache-2.0 */
/* The VMs of one stream against each other: their units share one folder and one host. */
#include <string.h>

#include "buf.h"
#include "check.h"
#include "claims.h"
#include "rules/rules.h"

/* The kinds of the claims' keys. */
enum { A_NAME = 'N', A_PORT = 'P', AN_IMAGE = 'I', A_UNIT = 'U' };

void check_stream_open(struct check_stream *c)
{
        *c = (struct check_stream){ .claims = CLAIMS_INIT };
}

void check_stream_release(struct check_stream *c)
{
        claims_release(&c->claims);
}

/* Somebody has it already: `other`. If not, `by` has it from now on. */
static enum claim take(struct check_stream *c, char kind, const char *key, const char *by,
                       struct buf *other)
{
        return claims_take(&c->claims, kind, key, by, strlen(by), other);
}

static bool take_name(struct check_stream *c, struct ref vm, struct diag *d)
{
        BUF_AUTO struct buf other = BUF_INIT;
        const char *name = ref_text(vm, "metadata.name");
        const char *space = ref_text(vm, "metadata.namespace");

        space = *space ? space : "default";
        enum claim got = *name ? take(c, A_NAME, name, space, &other) : CLAIM_FREE;

        if (got == CLAIM_TAKEN && strcmp(other.s, space) == 0)
                diag_report(d, VMQ_SAME_VM, AT(NULL, "metadata.name"),
                            "the stream has a VirtualMachine '%.200s' already; name them apart",
                            name);
        else if (got == CLAIM_TAKEN)
                diag_report(d, VMQ_SAME_NAME, AT(NULL, "metadata.name"),
                            "the stream has '%.200s' in the namespace '%.100s' already, and units "
                            "have no namespace; name them apart",
                            name, other.s);
        return got != CLAIM_FAILED;
}

static bool take_port(struct check_stream *c, const struct settings *settings, enum setting proxy,
                      enum setting port, const char *name, struct diag *d)
{
        BUF_AUTO struct buf other = BUF_INIT;
        const char *number = setting_text(settings, port);
        enum claim got = CLAIM_FREE;

        if (setting_on(settings, proxy))
                got = take(c, A_PORT, number, name, &other);
        if (got == CLAIM_TAKEN)
                diag_report(d, VMQ_SAME_PORT, NULL,
                            "%s: the port %s is that of '%.200s' already; convert the VMs one by "
                            "one, with --%s=PORT for each",
                            setting_infos[proxy].option, number, other.s,
                            setting_infos[port].option);
        return got != CLAIM_FAILED;
}

static bool take_unit(struct check_stream *c, const struct subject *s, struct ref volume, int index)
{
        BUF_AUTO struct buf unit = BUF_INIT;
        BUF_AUTO struct buf other = BUF_INIT;
        enum claim got = CLAIM_FREE;

        buf_addf(&unit, "%s-%s", s->name, ref_text(volume, "name"));
        if (claim_of(volume))
                got = take(c, A_UNIT, unit.s, s->name, &other);
        if (got == CLAIM_TAKEN && strcmp(other.s, s->name) != 0)
                diag_report(s->d, VMQ_SAME_UNIT, AT(AT_VOLUME(index), "name"),
                            "the unit virt-launcher-%.200s.volume is that of the VM '%.200s' "
                            "already; rename the volume",
                            unit.s, other.s);
        return got != CLAIM_FAILED;
}

static bool take_image(struct check_stream *c, const struct subject *s, struct ref volume,
                       int index)
{
        BUF_AUTO struct buf other = BUF_INIT;
        const char *path = ref_text(volume, "hostDisk.path");
        enum claim got = CLAIM_FREE;

        if (*path && !ref_bool(ref_at(volume, "hostDisk.shared"), false) &&
            !disk_is_read_only(s, ref_text(volume, "name")))
                got = take(c, AN_IMAGE, path, s->name, &other);
        if (got == CLAIM_TAKEN && strcmp(other.s, s->name) != 0)
                diag_report(s->d, VMQ_SAME_IMAGE, AT(AT_VOLUME(index), "hostDisk.path"),
                            "the VM '%.200s' writes to this image already; give each its own",
                            other.s);
        return got != CLAIM_FAILED;
}

static bool take_disks(struct check_stream *c, const struct subject *s)
{
        REF_EACH(vol, s->volumes)
                if (!take_unit(c, s, vol.item, vol.i) || !take_image(c, s, vol.item, vol.i))
                        return false;
        return true;
}

bool check_together(struct check_stream *c, struct ref item, const struct settings *settings,
                    struct diag *d)
{
        struct subject s = { .d = d, .settings = settings };

        subject_open(&s, item);
        bool good = take_name(c, s.vm, d) &&
                    take_port(c, settings, SET_VNC_PROXY, SET_VNC_PORT, s.name, d) &&
                    take_port(c, settings, SET_CONSOLE_PROXY, SET_CONSOLE_PORT, s.name, d) &&
                    take_disks(c, &s);
        subject_close(&s);
        return good;
}
