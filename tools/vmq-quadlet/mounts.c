/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "convert.h"

/* One mount of a container, with what its volume says. */
struct mount {
        const struct volume *volume;
        const struct path *at; /* of the mount */
        const char *to;        /* in the container */
        struct buf sub;        /* subPath; "" if none */
        bool read_only;
        const char *propagation; /* Podman's word, or "" */
};

/* ---- options ----------------------------------------------------------------------------------
 */

static const char *propagation_of(struct convert *c, const char *name, const struct path *at)
{
        static const char *const words[][2] = { { "", "" },
                                                { "None", "private" },
                                                { "HostToContainer", "rslave" },
                                                { "Bidirectional", "rshared" } };
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                if (strcmp(words[i][0], name) == 0)
                        return words[i][1];
        diag_report(c->d, VMQ_POD_VALUE, AT(at, "mountPropagation"),
                    "'%s' is not one of None, HostToContainer and Bidirectional", name);
        return "";
}

static void add_option(struct buf *options, const char *word)
{
        if (*word)
                buf_addf(options, "%s%s", options->len ? "," : "", word);
}

/* SOURCE:DESTINATION:OPTIONS, where all of it can stand so; else the fields of Mount=. */
static void add_mount(struct convert *c, struct unit *u, const struct mount *m, const char *type,
                      const char *source, bool relabel)
{
        BUF_AUTO struct buf csv = BUF_INIT, options = BUF_INIT;
        bool bind = strcmp(type, "bind") == 0;

        if (unit_volume_safe(source) && unit_volume_safe(m->to) && (bind || !m->sub.len)) {
                add_option(&options, relabel ? "z" : "");
                add_option(&options, m->read_only ? "ro" : "");
                add_option(&options, m->propagation);
                key_addf(c, u, KEY_Volume, m->at, "%s:%s%s%s", source, m->to,
                         options.len ? ":" : "", options.s);
                return;
        }
        if (!text_ok(c, unit_check(source), m->at))
                return;
        (void)unit_mount_field(&csv, "type", type);
        (void)unit_mount_field(&csv, "source", source);
        (void)unit_mount_field(&csv, "destination", m->to);
        if (!bind && m->sub.len)
                (void)unit_mount_field(&csv, "subpath", m->sub.s);
        if (relabel)
                (void)unit_mount_field(&csv, "relabel", "shared");
        if (m->read_only)
                (void)unit_mount_field(&csv, "ro", NULL);
        if (*m->propagation && bind)
                (void)unit_mount_field(&csv, "bind-propagation", m->propagation);
        else if (*m->propagation)
                (void)unit_mount_field(&csv, m->propagation, NULL);
        /* The generator puts the source at the end of a line, where '\' would swallow the next. */
        if (source[strlen(source) - 1] == '\\')
                key_podman_arg(c, u, "--mount", csv.s, m->at);
        else
                key_add(c, u, KEY_Mount, csv.s, m->at);
}

/* ---- hostPath ---------------------------------------------------------------------------------
 */

/* Podman refuses to relabel these (opencontainers/selinux, the paths that Relabel excludes), and
 * kernel filesystems have no labels to set. */
static bool may_relabel(const char *path, const char *type)
{
        static const char *const whole[] = { "/",         "/bin",     "/boot",       "/dev",
                                             "/etc",      "/home",    "/lib",        "/lib64",
                                             "/media",    "/opt",     "/proc",       "/root",
                                             "/run",      "/sbin",    "/srv",        "/sys",
                                             "/tmp",      "/usr",     "/var",        "/var/lib",
                                             "/var/log",  "/var/run", "/etc/passwd", "/etc/shadow",
                                             "/etc/group" };
        static const char *const below[] = { "/sys/", "/proc/", "/dev/" };

        for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
                if (strcmp(whole[i], path) == 0)
                        return false;
        for (size_t i = 0; i < sizeof below / sizeof *below; i++)
                if (strncmp(path, below[i], strlen(below[i])) == 0)
                        return false;
        return strcmp(type, "Socket") != 0;
}

/* Folders in /dev that are no devices. */
static bool is_device(const char *path, const char *type)
{
        static const char *const folders[] = { "/dev/shm", "/dev/hugepages", "/dev/mqueue",
                                               "/dev/pts" };

        if (strcmp(type, "CharDevice") == 0 || strcmp(type, "BlockDevice") == 0)
                return true;
        if (*type || strncmp(path, "/dev/", 5) != 0)
                return false;
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
                if (strncmp(path, folders[i], strlen(folders[i])) == 0)
                        return false;
        return true;
}

static void add_device(struct convert *c, struct unit *u, const struct mount *m, const char *path)
{
        /* A host without it runs VMs all the same (differences D29). */
        bool may_lack =
                c->launcher && strcmp(path, "/dev/vhost-net") == 0 && strcmp(path, m->to) == 0;

        if (!text_ok(c, unit_check(path), m->at))
                return;
        if (strchr(path, ':') || strchr(m->to, ':'))
                diag_report(c->d, VMQ_POD_VALUE, m->at,
                            "Podman cannot take a device whose path has a ':' in it; use another "
                            "name of the device");
        else if (may_lack)
                key_addf(c, u, KEY_AddDevice, m->at, "-%s", path);
        else
                key_addf(c, u, KEY_AddDevice, m->at, "%s:%s%s", path, m->to,
                         m->read_only ? ":r" : "");
}

/* What is to be made if it is not there; Podman makes no sources of bind mounts. */
static void add_creation(struct convert *c, struct unit *u, const char *path, const char *type,
                         const struct path *at)
{
        BUF_AUTO struct buf v = BUF_INIT;
        bool folder = strcmp(type, "DirectoryOrCreate") == 0;

        if (!folder && strcmp(type, "FileOrCreate") != 0)
                return;
        buf_adds(&v, folder ? "/bin/mkdir -p --" : "/bin/touch -a --");
        if (text_ok(c, unit_word(&v, path), at))
                systemd_add(u, "Service", "ExecStartPre", v.s);
}

static bool host_path_ok(struct convert *c, const char *path, const char *type,
                         const struct path *at)
{
        static const char *const types[] = { "",           "DirectoryOrCreate",
                                             "Directory",  "FileOrCreate",
                                             "File",       "Socket",
                                             "CharDevice", "BlockDevice" };
        BUF_AUTO struct buf slashed = BUF_INIT;
        bool known = false;

        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
                known = known || strcmp(types[i], type) == 0;
        if (!known)
                diag_report(c->d, VMQ_POD_VALUE, AT(at, "type"), "'%s' is no type of a hostPath",
                            type);
        if (!text_ok(c, unit_check(path), AT(at, "path")))
                return false;
        buf_addf(&slashed, "%s/", path);
        if (*path == '/' && !strstr(slashed.s, "/../"))
                return known;
        diag_report(c->d, VMQ_POD_VALUE, AT(at, "path"), "must be an absolute path without '..'");
        return false;
}

static void add_host_path(struct convert *c, struct unit *u, const struct mount *m)
{
        const char *path = ref_text(m->volume->source, "path");
        const char *type = ref_text(m->volume->source, "type");
        BUF_AUTO struct buf source = BUF_INIT;

        if (!host_path_ok(c, path, type, AT(&m->volume->at, "hostPath")))
                return;
        buf_addf(&source, "%s%s%s", path, m->sub.len ? "/" : "", m->sub.s);
        if (is_device(path, type)) {
                add_device(c, u, m, source.s);
                return;
        }
        add_creation(c, u, path, type, m->at);
        add_mount(c, u, m, "bind", source.s, may_relabel(source.s, type));
}

/* ---- the other kinds --------------------------------------------------------------------------
 */

static void add_image(struct convert *c, struct unit *u, const struct mount *m)
{
        BUF_AUTO struct buf csv = BUF_INIT;

        (void)unit_mount_field(&csv, "type", "image");
        (void)unit_mount_field(&csv, "source", m->volume->unit);
        (void)unit_mount_field(&csv, "destination", m->to);
        if (m->sub.len) {
                BUF_AUTO struct buf sub = BUF_INIT;

                buf_addf(&sub, "/%s", m->sub.s);
                (void)unit_mount_field(&csv, "subpath", sub.s);
        }
        key_add(c, u, KEY_Mount, csv.s, m->at);
}

static void add_volume(struct convert *c, struct unit *u, struct mount *m)
{
        bool empty = m->volume->kind == VOLUME_EMPTY, files = m->volume->kind == VOLUME_FILES;

        if (files && m->sub.len && !files_has(m->volume, m->sub.s)) {
                diag_report(c->d, VMQ_POD_PARTLY, m->at,
                            "the volume has no '%s', so nothing is mounted", m->sub.s);
                return;
        }
        m->read_only = m->read_only || files;
        /* The reference mounts a VM's emptyDirs without options; no mounts appear below them. */
        if (empty && c->launcher)
                m->read_only = false;
        if (empty)
                m->propagation = "";
        add_mount(c, u, m, "volume", m->volume->unit, empty);
}

static bool sub_path_ok(struct convert *c, const char *sub, const struct path *at)
{
        BUF_AUTO struct buf slashed = BUF_INIT;

        if (!text_ok(c, strlen(sub) < UNIT_ARG_MAX ? unit_check(sub) : UNIT_LONG, at))
                return false;
        buf_addf(&slashed, "/%s/", sub);
        if (*sub != '/' && !strstr(slashed.s, "/../"))
                return true;
        diag_report(c->d, VMQ_POD_VALUE, at, "must be a path below the volume, without '..'");
        return false;
}

/* The texts that a volumeMount can have. It has few of them, so it is walked once. */
enum { NAME, PATH, SUB, SUB_EXPR, PROPAGATION, N_TEXTS };

static const char *const fields[N_TEXTS] = {
        [NAME] = "name",
        [PATH] = "mountPath",
        [SUB] = "subPath",
        [SUB_EXPR] = "subPathExpr",
        [PROPAGATION] = "mountPropagation",
};

static void read_texts(struct ref mount, const char *texts[N_TEXTS])
{
        for (size_t i = 0; i < N_TEXTS; i++)
                texts[i] = "";
        REF_EACH(m, mount)
                for (size_t i = 0; i < N_TEXTS; i++)
                        if (strcmp(fields[i], m.key) == 0 && ref_str(m.item))
                                texts[i] = ref_str(m.item);
}

static bool read_sub_path(struct convert *c, const struct container *k,
                          const char *const texts[N_TEXTS], const struct path *at, struct buf *sub)
{
        int field = *texts[SUB_EXPR] ? SUB_EXPR : SUB;

        if (field == SUB_EXPR)
                env_expand(k, texts[SUB_EXPR], sub);
        else
                buf_adds(sub, texts[SUB]);
        return sub_path_ok(c, sub->s, AT(at, fields[field]));
}

static void add_one(struct convert *c, struct unit *u, struct mount *m)
{
        if (m->volume->kind == VOLUME_HOST)
                add_host_path(c, u, m);
        else if (m->volume->kind == VOLUME_IMAGE)
                add_image(c, u, m);
        else if (m->volume->unit)
                add_volume(c, u, m);
}

/* A claim that is read-only is so for all containers; of a VM's for the VM, since others make the
 * disk that it is to read. */
static bool is_read_only(const struct convert *c, const struct container *k, struct ref mount,
                         const struct volume *v)
{
        return (v->read_only && (!c->launcher || k->is_vm)) ||
               ref_bool(ref_get(mount, "readOnly"), false);
}

static void add_checked(struct convert *c, const struct container *k, struct unit *u,
                        struct ref mount, const struct path *at)
{
        const char *texts[N_TEXTS];

        read_texts(mount, texts);
        const char *propagation = propagation_of(c, texts[PROPAGATION], at);
        const struct volume *v = volume_named(&c->volumes, texts[NAME]);

        if (!v) {
                diag_report(c->d, VMQ_POD_REFERENCE, AT(at, "name"),
                            "there is no volume '%s' in spec.volumes", texts[NAME]);
                return;
        }
        if (*texts[PATH] != '/') {
                diag_report(c->d, VMQ_POD_VALUE, AT(at, "mountPath"), "must be an absolute path");
                return;
        }
        struct mount m = { .volume = v,
                           .at = at,
                           .to = texts[PATH],
                           .sub = BUF_INIT,
                           .read_only = is_read_only(c, k, mount, v),
                           .propagation = propagation };

        if (text_ok(c, unit_check(m.to), AT(at, "mountPath")) &&
            read_sub_path(c, k, texts, at, &m.sub))
                add_one(c, u, &m);
        buf_release(&m.sub);
}

void mounts_add(struct convert *c, const struct container *k, struct unit *u)
{
        REF_EACH(m, ref_get(k->ref, "volumeMounts"))
                add_checked(c, k, u, m.item, AT_INDEX(AT(k->at, "volumeMounts"), m.i));
}
