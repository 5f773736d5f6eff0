/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert.h"
#include "jvx.h"
#include "quantity.h"

#define PODMAN "/usr/bin/podman" /* as the generator writes it */

enum volume_kind volume_kind(struct ref volume)
{
        static const struct {
                const char *field;
                enum volume_kind kind;
        } kinds[] = {
                { "emptyDir", VOLUME_EMPTY },  { "persistentVolumeClaim", VOLUME_CLAIM },
                { "ephemeral", VOLUME_CLAIM }, { "hostPath", VOLUME_HOST },
                { "image", VOLUME_IMAGE },     { "configMap", VOLUME_FILES },
                { "secret", VOLUME_FILES },    { "downwardAPI", VOLUME_FILES },
                { "projected", VOLUME_FILES }, { "nfs", VOLUME_NFS },
        };
        const size_t n = sizeof kinds / sizeof *kinds;
        size_t first = n; /* of the table */
        bool other = false;

        if (ref_kind(volume) != JV_KIND_OBJECT)
                return VOLUME_EMPTY;
        REF_EACH(m, volume) {
                size_t i = 0;

                if (!ref_is_set(m.item) || strcmp(m.key, "name") == 0)
                        continue;
                while (i < n && strcmp(kinds[i].field, m.key) != 0)
                        i++;
                other = other || i == n;
                first = i < first ? i : first;
        }
        if (first < n)
                return kinds[first].kind;
        return other ? VOLUME_OTHER : VOLUME_EMPTY;
}

bool volume_is_empty_dir(struct ref volume)
{
        return volume_kind(volume) == VOLUME_EMPTY;
}

bool volume_unit_name(const struct convert *c, struct ref volume, struct buf *name)
{
        enum volume_kind kind = volume_kind(volume);
        const char *claim = ref_text(volume, "persistentVolumeClaim.claimName");
        const char *own = ref_text(volume, "name");

        if (kind == VOLUME_HOST || kind == VOLUME_OTHER)
                return false;
        if (*claim && c->choices->claim_names)
                buf_addf(name, "%s.volume", claim);
        else
                buf_addf(name, "%s-%s%s", c->name, own,
                         kind == VOLUME_EMPTY   ? "-empty.volume"
                         : kind == VOLUME_IMAGE ? ".image"
                                                : ".volume");
        return true;
}

/* The volume goes when the pod stops: files of the last run would meet the next otherwise, since
 * Podman keeps a tmpfs mounted as long as the volume is there (differences D23). */
void volume_add_removal(const struct convert *c, struct unit *u, const char *unit_name)
{
        systemd_addf(u, "Unit", "PartOf", "%s-pod.service", c->name);
        systemd_addf(u, "Service", "ExecStop", PODMAN " volume rm --force systemd-%.*s",
                     (int)(strlen(unit_name) - strlen(".volume")), unit_name);
}

/* ---- emptyDir ---------------------------------------------------------------------------------
 */

/* The page size that containers ask for, "2Mi"; "" if none does. */
static void find_page_size(const struct convert *c, struct buf *out)
{
        static const char *const lists[] = { "resources.limits", "resources.requests" };

        REF_EACH(k, ref_get(c->spec, "containers"))
                for (size_t i = 0; i < 2; i++)
                        REF_EACH(r, ref_at(k.item, lists[i]))
                                if (strncmp(r.key, "hugepages-", 10) == 0 && !out->len)
                                        buf_adds(out, r.key + 10);
}

/* ,size=BYTES of a sizeLimit. */
static void add_size(struct convert *c, struct ref dir, const struct path *at, struct buf *options)
{
        struct ref limit = ref_get(dir, "sizeLimit");
        struct quantity q = { 0 };

        if (ref_is_set(limit) && !quantity_of(limit, &q))
                diag_report(c->d, VMQ_POD_VALUE, AT(at, "sizeLimit"),
                            "not an amount of bytes; write it like 500Mi");
        else if (ref_is_set(limit) && quantity_value(q) > 0)
                buf_addf(options, ",size=%lld", quantity_value(q));
}

/* A filesystem of huge pages (differences D31); the kernel writes 2M for 2Mi. */
static void add_huge_pages(struct convert *c, struct unit *u, struct ref dir, const struct path *at)
{
        const char *medium = ref_text(dir, "medium");
        const struct path *here = AT(at, "medium");
        BUF_AUTO struct buf size = BUF_INIT, options = BUF_INIT;
        struct quantity q;

        if (medium[strlen("HugePages")] == '-')
                buf_adds(&size, medium + strlen("HugePages-"));
        else
                find_page_size(c, &size);
        if (size.len && !quantity_parse(size.s, &q)) {
                diag_report(c->d, VMQ_POD_VALUE, here, "'%s' is no size of a huge page", size.s);
                return;
        }
        if (size.len && size.s[size.len - 1] == 'i')
                buf_addf(&options, "pagesize=%.*s,", (int)size.len - 1, size.s);
        buf_adds(&options, "mode=0777");
        add_size(c, dir, at, &options);
        key_add(c, u, KEY_Device, "hugetlbfs", here);
        key_add(c, u, KEY_Type, "hugetlbfs", here);
        key_add(c, u, KEY_Options, options.s, here);
}

static void add_tmpfs(struct convert *c, struct unit *u, struct ref dir, const struct path *at)
{
        BUF_AUTO struct buf options = BUF_INIT;

        buf_adds(&options, "nodev,mode=0777");
        add_size(c, dir, at, &options);
        key_add(c, u, KEY_Device, "tmpfs", at);
        key_add(c, u, KEY_Type, "tmpfs", at);
        key_add(c, u, KEY_Options, options.s, at);
}

static void empty_dir_unit(struct convert *c, struct ref volume, const char *file,
                           const struct path *at)
{
        struct ref dir = ref_get(volume, "emptyDir");
        const char *medium = ref_text(dir, "medium");
        const struct path *at_dir = AT(at, "emptyDir");
        UNIT_AUTO struct unit u = UNIT_INIT;

        systemd_addf(&u, "Unit", "Description", "Shared tmpfs volume %s for pod %s",
                     ref_text(volume, "name"), c->name);
        key_add(c, &u, KEY_Driver, "local", at);
        if (strncmp(medium, "HugePages", 9) == 0 && (!medium[9] || medium[9] == '-'))
                add_huge_pages(c, &u, dir, at_dir);
        else if (!*medium || strcmp(medium, "Memory") == 0)
                add_tmpfs(c, &u, dir, at_dir);
        else
                diag_report(c->d, VMQ_POD_VALUE, AT(at_dir, "medium"),
                            "'%s' is not one of Memory, HugePages and HugePages-SIZE", medium);
        volume_add_removal(c, &u, file);
        file_add_unit(c, file, &u, AT(at, "name"));
}

/* ---- the others -------------------------------------------------------------------------------
 */

static void claim_unit(struct convert *c, struct ref volume, const char *file,
                       const struct path *at)
{
        const char *claim = ref_text(volume, "persistentVolumeClaim.claimName");
        const struct path *at_claim = AT(at, "persistentVolumeClaim.claimName");
        bool shared = *claim && c->choices->claim_names;
        UNIT_AUTO struct unit u = UNIT_INIT;

        if (shared && !file_name_ok(c, claim, at_claim))
                return;
        if (shared) /* the same text, whichever pod it is made for */
                systemd_addf(&u, "Unit", "Description", "Volume of the claim %s", claim);
        else
                systemd_addf(&u, "Unit", "Description", "Volume %s for pod %s",
                             ref_text(volume, "name"), c->name);
        unit_section(&u, "Volume");
        if (shared)
                key_add(c, &u, KEY_VolumeName, claim, at_claim);
        if (ref_is_set(ref_get(volume, "ephemeral")))
                volume_add_removal(c, &u, file);
        file_add_unit(c, file, &u, AT(at, "name"));
}

static void nfs_unit(struct convert *c, struct ref volume, const char *file, const struct path *at)
{
        struct ref nfs = ref_get(volume, "nfs");
        const char *server = ref_text(nfs, "server"), *path = ref_text(nfs, "path");
        UNIT_AUTO struct unit u = UNIT_INIT;

        if (!*server || strpbrk(server, ", ") || *path != '/') {
                diag_report(c->d, VMQ_POD_VALUE, AT(at, "nfs"),
                            "an NFS volume needs a server and an absolute path");
                return;
        }
        systemd_addf(&u, "Unit", "Description", "NFS volume %s for pod %s",
                     ref_text(volume, "name"), c->name);
        key_addf(c, &u, KEY_Device, AT(at, "nfs"), "%s:%s", server, path);
        key_add(c, &u, KEY_Type, "nfs", AT(at, "nfs"));
        key_addf(c, &u, KEY_Options, AT(at, "nfs.server"), "addr=%s%s", server,
                 ref_bool(ref_get(nfs, "readOnly"), false) ? ",ro" : "");
        file_add_unit(c, file, &u, AT(at, "name"));
}

/* Podman before 5.6 has no Policy= and pulls at every start, also where there is no network. There
 * systemd asks first: a unit whose condition does not hold is passed over, and no failure (seen).
 */
static void add_old_policy(struct unit *u, const char *policy, const char *image)
{
        BUF_AUTO struct buf v = BUF_INIT;

        if (strcmp(policy, "always") == 0)
                return;
        if (strcmp(policy, "never") == 0) {
                systemd_add(u, "Service", "ExecCondition", "/bin/false");
                return;
        }
        buf_adds(&v, "/bin/sh -c");
        (void)unit_word(&v, "! podman image exists \"$1\"");
        (void)unit_word(&v, "sh");
        (void)unit_word(&v, image); /* image_ok() has checked it */
        systemd_add(u, "Service", "ExecCondition", v.s);
}

/* Podman's Mount=type=image does not pull, so a unit of its own does (differences D17). */
static void image_unit(struct convert *c, struct ref volume, const char *file,
                       const struct path *at)
{
        const char *image = ref_text(volume, "image.reference");
        const char *wish = pull_policy(c, ref_get(volume, "image"), "pullPolicy", AT(at, "image"));
        const char *policy = wish ? wish : "missing";
        UNIT_AUTO struct unit u = UNIT_INIT;

        if (!image_ok(c, image, AT(at, "image.reference")))
                return;
        systemd_addf(&u, "Unit", "Description", "Image of volume %s for pod %s",
                     ref_text(volume, "name"), c->name);
        key_add(c, &u, KEY_ImageImage, image, AT(at, "image.reference"));
        if (c->choices->podman < 6)
                add_old_policy(&u, policy, image);
        else
                key_add(c, &u, KEY_Policy, policy, AT(at, "image.pullPolicy"));
        /* A registry that cannot be reached now may be so later (as differences D25). */
        systemd_add(&u, "Service", "Restart", "on-failure");
        systemd_add(&u, "Service", "RestartMode", "direct");
        systemd_add(&u, "Service", "RestartSec", "10");
        file_add_unit(c, file, &u, AT(at, "name"));
}

/* Two volumes of one claim are one unit where units are named after claims. */
static bool is_there(const struct convert *c, const char *file)
{
        REF_EACH(s, ref_of(&c->services))
                if (ref_eq(s.item, file))
                        return true;
        return false;
}

static void volume_unit(struct convert *c, struct ref volume, const struct path *at)
{
        BUF_AUTO struct buf file = BUF_INIT;

        if (!volume_unit_name(c, volume, &file))
                return;
        switch (volume_kind(volume)) {
        case VOLUME_EMPTY:
                empty_dir_unit(c, volume, file.s, at);
                break;
        case VOLUME_CLAIM:
                if (!c->choices->claim_names || !is_there(c, file.s))
                        claim_unit(c, volume, file.s, at);
                break;
        case VOLUME_IMAGE:
                image_unit(c, volume, file.s, at);
                break;
        case VOLUME_FILES:
                files_unit(c, volume, file.s, at);
                break;
        case VOLUME_NFS:
                nfs_unit(c, volume, file.s, at);
                break;
        default:
                break;
        }
}

void volume_units(struct convert *c)
{
        REF_EACH(v, ref_get(c->spec, "volumes"))
                volume_unit(c, v.item, AT_INDEX(AT(c->at_spec, "volumes"), v.i));
}
