/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "array.h"
#include "convert.h"
#include "jvx.h"
#include "mem.h"
#include "quantity.h"

#define PODMAN "/usr/bin/podman" /* as the generator writes it */

/* ---- the table --------------------------------------------------------------------------------
 */

static void read_volume(struct volume *v)
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
        size_t first = ARRAY_LEN(kinds); /* of the table */
        bool other = false;

        REF_EACH(m, v->ref) {
                size_t i = 0;

                if (!ref_is_set(m.item))
                        continue;
                if (strcmp(m.key, "name") == 0) {
                        v->name = ref_str(m.item);
                        continue;
                }
                while (i < ARRAY_LEN(kinds) && strcmp(kinds[i].field, m.key) != 0)
                        i++;
                other = other || i == ARRAY_LEN(kinds);
                if (i < first) {
                        first = i;
                        v->source = m.item;
                }
                if (strcmp(m.key, "persistentVolumeClaim") == 0) {
                        v->claim = ref_text(m.item, "claimName");
                        v->read_only = ref_bool(ref_get(m.item, "readOnly"), false);
                }
        }
        if (first < ARRAY_LEN(kinds))
                v->kind = kinds[first].kind;
        else
                v->kind = other ? VOLUME_OTHER : VOLUME_EMPTY;
}

static void name_unit(const struct convert *c, struct volume *v)
{
        const char *suffix = v->kind == VOLUME_IMAGE ? ".image" : ".volume";
        BUF_AUTO struct buf stem = BUF_INIT, unit = BUF_INIT;

        if (v->kind == VOLUME_HOST || v->kind == VOLUME_OTHER)
                return;
        if (*v->claim && c->choices->claim_names) {
                buf_adds(&stem, v->claim);
                suffix = ".volume";
        } else {
                buf_addf(&stem, "%s-%s%s", c->name, v->name,
                         v->kind == VOLUME_EMPTY ? "-empty" : "");
        }
        buf_addf(&unit, "%s%s", stem.s, suffix);
        v->stem = buf_detach(&stem);
        v->unit = buf_detach(&unit);
}

/* Of several of one name the first of the list comes first. */
static int compare_names(const void *a, const void *b)
{
        const struct volume *x = *(const struct volume *const *)a;
        const struct volume *y = *(const struct volume *const *)b;
        int order = strcmp(x->name, y->name);

        return order ? order : x->at.index - y->at.index;
}

void volume_table_make(struct convert *c)
{
        struct ref list = ref_get(c->spec, "volumes");
        size_t n = (size_t)ref_len(list);
        struct volume_table found = { .list = mem_resize(NULL, n, sizeof *found.list),
                                      .n = n,
                                      .by_name = mem_resize(NULL, n, sizeof(struct volume *)) };

        REF_EACH(e, list) {
                struct volume *v = &found.list[e.i];

                *v = (struct volume){
                        .ref = e.item,
                        .at = { .up = c->at_volumes, .index = e.i },
                        .name = "",
                        .claim = "",
                        .files = BUF_INIT,
                };
                read_volume(v);
                name_unit(c, v);
                found.by_name[e.i] = v;
        }
        qsort(found.by_name, n, sizeof(struct volume *), compare_names);
        c->volumes = found;
}

void volume_table_release(struct volume_table *v)
{
        for (size_t i = 0; i < v->n; i++) {
                free(v->list[i].unit);
                free(v->list[i].stem);
                buf_release(&v->list[i].files);
        }
        free(v->list);
        free(v->by_name);
}

const struct volume *volume_named(const struct volume_table *v, const char *name)
{
        size_t low = 0, high = v->n;

        while (low < high) {
                size_t middle = (low + high) / 2;

                if (strcmp(v->by_name[middle]->name, name) < 0)
                        low = middle + 1;
                else
                        high = middle;
        }
        return low < v->n && strcmp(v->by_name[low]->name, name) == 0 ? v->by_name[low] : NULL;
}

/* The volume goes when the pod stops: files of the last run would meet the next otherwise, since
 * Podman keeps a tmpfs mounted as long as the volume is there (differences D23). */
void volume_add_removal(const struct convert *c, struct unit *u, const struct volume *v)
{
        systemd_addf(u, "Unit", "PartOf", "%s-pod.service", c->name);
        systemd_addf(u, "Service", "ExecStop", PODMAN " volume rm --force systemd-%s", v->stem);
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

static void empty_dir_unit(struct convert *c, struct volume *v)
{
        const char *medium = ref_text(v->source, "medium");
        const struct path *at_dir = AT(&v->at, "emptyDir");
        UNIT_AUTO struct unit u = UNIT_INIT;

        systemd_addf(&u, "Unit", "Description", "Shared tmpfs volume %s for pod %s", v->name,
                     c->name);
        key_add(c, &u, KEY_Driver, "local", &v->at);
        if (strncmp(medium, "HugePages", 9) == 0 && (!medium[9] || medium[9] == '-'))
                add_huge_pages(c, &u, v->source, at_dir);
        else if (!*medium || strcmp(medium, "Memory") == 0)
                add_tmpfs(c, &u, v->source, at_dir);
        else
                diag_report(c->d, VMQ_POD_VALUE, AT(at_dir, "medium"),
                            "'%s' is not one of Memory, HugePages and HugePages-SIZE", medium);
        volume_add_removal(c, &u, v);
        file_add_unit(c, v->unit, &u, AT(&v->at, "name"));
}

/* ---- the others -------------------------------------------------------------------------------
 */

static void claim_unit(struct convert *c, struct volume *v)
{
        const struct path *at_claim = AT(&v->at, "persistentVolumeClaim.claimName");
        bool shared = *v->claim && c->choices->claim_names;
        UNIT_AUTO struct unit u = UNIT_INIT;

        /* Two volumes of one claim are one unit where units are named after claims. */
        if (c->choices->claim_names && file_has_unit(c, v->unit))
                return;
        if (shared && !file_name_ok(c, v->claim, at_claim))
                return;
        if (shared) /* the same text, whichever pod it is made for */
                systemd_addf(&u, "Unit", "Description", "Volume of the claim %s", v->claim);
        else
                systemd_addf(&u, "Unit", "Description", "Volume %s for pod %s", v->name, c->name);
        unit_section(&u, "Volume");
        if (shared)
                key_add(c, &u, KEY_VolumeName, v->claim, at_claim);
        if (ref_is_set(ref_get(v->ref, "ephemeral")))
                volume_add_removal(c, &u, v);
        file_add_unit(c, v->unit, &u, AT(&v->at, "name"));
}

static void nfs_unit(struct convert *c, struct volume *v)
{
        const struct path *at = AT(&v->at, "nfs");
        const char *server = ref_text(v->source, "server"), *path = ref_text(v->source, "path");
        UNIT_AUTO struct unit u = UNIT_INIT;

        if (!*server || strpbrk(server, ", ") || *path != '/') {
                diag_report(c->d, VMQ_POD_VALUE, at,
                            "an NFS volume needs a server and an absolute path");
                return;
        }
        systemd_addf(&u, "Unit", "Description", "NFS volume %s for pod %s", v->name, c->name);
        key_addf(c, &u, KEY_Device, at, "%s:%s", server, path);
        key_add(c, &u, KEY_Type, "nfs", at);
        key_addf(c, &u, KEY_Options, AT(at, "server"), "addr=%s%s", server,
                 ref_bool(ref_get(v->source, "readOnly"), false) ? ",ro" : "");
        file_add_unit(c, v->unit, &u, AT(&v->at, "name"));
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
static void image_unit(struct convert *c, struct volume *v)
{
        const struct path *at = AT(&v->at, "image");
        const char *image = ref_text(v->source, "reference");
        const char *wish = pull_policy(c, v->source, "pullPolicy", at);
        const char *policy = wish ? wish : "missing";
        UNIT_AUTO struct unit u = UNIT_INIT;

        if (!image_ok(c, image, AT(at, "reference")))
                return;
        systemd_addf(&u, "Unit", "Description", "Image of volume %s for pod %s", v->name, c->name);
        key_add(c, &u, KEY_ImageImage, image, AT(at, "reference"));
        if (c->choices->podman < 6)
                add_old_policy(&u, policy, image);
        else
                key_add(c, &u, KEY_Policy, policy, AT(at, "pullPolicy"));
        /* A registry that cannot be reached now may be so later (as differences D25). */
        systemd_add(&u, "Service", "Restart", "on-failure");
        systemd_add(&u, "Service", "RestartMode", "direct");
        systemd_add(&u, "Service", "RestartSec", "10");
        file_add_unit(c, v->unit, &u, AT(&v->at, "name"));
}

/* ---- all of them ------------------------------------------------------------------------------
 */

void volume_units(struct convert *c)
{
        static void (*const units[])(struct convert *, struct volume *) = {
                [VOLUME_EMPTY] = empty_dir_unit, [VOLUME_CLAIM] = claim_unit,
                [VOLUME_IMAGE] = image_unit,     [VOLUME_FILES] = files_unit,
                [VOLUME_NFS] = nfs_unit,         [VOLUME_OTHER] = NULL,
        };

        for (size_t i = 0; i < c->volumes.n; i++) {
                struct volume *v = &c->volumes.list[i];

                if (units[v->kind])
                        units[v->kind](c, v);
        }
}
