/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Volumes whose files the conversion knows: configMap, secret, downwardAPI, projected.
 *
 * The .volume unit brings its files along, as a tar stream in base64 on the standard input of
 * `podman volume import`, so it needs nothing beside it and can be put anywhere:
 *
 *      [Service]
 *      ExecStartPost=/usr/bin/podman volume import systemd-p-config -
 *      StandardInput=data
 *      StandardInputData=...
 *      ExecStop=...       it goes with the pod, so that a changed unit brings changed files
 */
#include <stdlib.h>
#include <string.h>

#include "convert.h"
#include "mem.h"

#define PODMAN     "/usr/bin/podman"
#define BLOCK      512       /* of a tar stream */
#define LINE       3072      /* bytes of it that one StandardInputData= line has */
#define NAME_MOST  100       /* bytes of a name in a tar header */
#define TOTAL_MOST (1 << 20) /* of all files, as for a ConfigMap */
#define FILES_MOST 2048      /* whose headers are as much again */
#define POD_MOST   (8 << 20) /* of all volumes of a Pod: one ConfigMap can be in many */

struct file {
        char *path;
        struct buf bytes;
        int mode;
};

struct files {
        struct file *list;
        size_t n, cap;
        bool secret; /* one of them comes from a Secret */
};

static void release(struct files *f)
{
        for (size_t i = 0; i < f->n; i++) {
                free(f->list[i].path);
                buf_release(&f->list[i].bytes);
        }
        free(f->list);
}

/* A file, empty yet; of two of one path the later one is kept. Behind one that is too many, which
 * files_unit() refuses, all take its place. */
static struct buf *add_file(struct files *f, const char *path, int mode)
{
        size_t i = f->n > FILES_MOST ? FILES_MOST : 0;

        while (i < f->n && i < FILES_MOST && strcmp(f->list[i].path, path) != 0)
                i++;
        if (i < f->n) {
                free(f->list[i].path);
                buf_release(&f->list[i].bytes);
        } else {
                MEM_GROW(f->list, f->n, f->cap);
                f->n++;
        }
        f->list[i] = (struct file){ .path = mem_strdup(path), .bytes = BUF_INIT, .mode = mode };
        return &f->list[i].bytes;
}

/* ---- which files ------------------------------------------------------------------------------
 */

/* A source of files: one of a projected volume, or the volume's only one. */
struct source {
        struct convert *c;
        struct files *files;
        struct ref of;         /* the configMap, secret or downwardAPI of the Pod */
        const struct path *at; /* its */
        int mode;              /* of files that set none */
        struct ref object;     /* the ConfigMap or Secret */
};

static bool path_ok(const struct source *s, const char *path, const struct path *at)
{
        BUF_AUTO struct buf slashed = BUF_INIT;

        if (!text_ok(s->c, unit_check(path), at))
                return false;
        buf_addf(&slashed, "/%s/", path);
        if (*path && *path != '/' && !strstr(slashed.s, "/../") && strlen(path) <= NAME_MOST)
                return true;
        diag_report(s->c->d, VMQ_POD_VALUE, at,
                    "'%s' must be a path below the volume of at most %d bytes, without '..'", path,
                    NAME_MOST);
        return false;
}

static int mode_of(const struct source *s, struct ref item)
{
        return (int)ref_int(ref_get(item, "mode"), s->mode) & 0777;
}

static void take_key(const char *key, void *self)
{
        struct source *s = self;

        if (path_ok(s, key, s->at) &&
            !config_bytes(s->object, key, add_file(s->files, key, s->mode)))
                diag_report(s->c->d, VMQ_POD_REFERENCE, s->at, "'%s' is no base64", key);
}

static void take_config_item(struct source *s, struct ref item, const struct path *at)
{
        const char *key = ref_text(item, "key"), *path = ref_text(item, "path");
        BUF_AUTO struct buf bytes = BUF_INIT;

        if (!path_ok(s, path, AT(at, "path")))
                return;
        if (config_bytes(s->object, key, &bytes)) {
                struct buf *to = add_file(s->files, path, mode_of(s, item));

                buf_add(to, bytes.s, bytes.len);
        } else if (!ref_bool(ref_get(s->of, "optional"), false)) {
                diag_report(s->c->d, VMQ_POD_REFERENCE, AT(at, "key"),
                            "there is no key '%s' that can be read", key);
        }
}

static void take_config(struct source *s, const char *kind)
{
        bool by_secret_name = ref_is_set(ref_get(s->of, "secretName"));
        struct ref items = ref_get(s->of, "items");

        s->object = config_find(s->c, kind, s->of, by_secret_name ? "secretName" : "name", s->at);
        if (!ref_is_set(s->object))
                return;
        if (strcmp(kind, "Secret") == 0)
                s->files->secret = true;
        if (ref_len(items) == 0)
                config_each(s->object, take_key, s);
        REF_EACH(i, items)
                take_config_item(s, i.item, AT_INDEX(AT(s->at, "items"), i.i));
}

/* All labels or annotations, as the kubelet writes them: key="value", a line each. */
static void add_map(struct ref map, struct buf *out)
{
        REF_EACH(m, map) {
                buf_addf(out, "%s=\"", m.key);
                for (const char *p = ref_str(m.item); *p; p++) {
                        if (*p == '"' || *p == '\\')
                                buf_addc(out, '\\');
                        if (*p == '\n')
                                buf_adds(out, "\\n");
                        else
                                buf_addc(out, *p);
                }
                buf_adds(out, "\"\n");
        }
}

static void take_downward_item(struct source *s, struct ref item, const struct path *at)
{
        struct ref field = ref_get(item, "fieldRef"), amount = ref_get(item, "resourceFieldRef");
        const char *which = ref_text(field, "fieldPath"), *path = ref_text(item, "path");

        if (!path_ok(s, path, AT(at, "path")))
                return;
        struct buf *to = add_file(s->files, path, mode_of(s, item));

        if (strcmp(which, "metadata.labels") == 0 || strcmp(which, "metadata.annotations") == 0)
                add_map(ref_at(s->c->pod, which), to);
        else if (ref_is_set(field))
                (void)env_field(s->c, field, AT(at, "fieldRef"), to);
        else if (ref_is_set(amount))
                (void)env_resource(s->c, NULL, amount, AT(at, "resourceFieldRef"), to);
}

static int default_mode(struct ref of, int fallback)
{
        return (int)ref_int(ref_get(of, "defaultMode"), fallback) & 0777;
}

/* The files of an object that has one of configMap, secret and downwardAPI. */
static void take_source(struct convert *c, struct ref holder, int mode, const struct path *at,
                        struct files *files)
{
        static const char *const kinds[][2] = { { "configMap", "ConfigMap" },
                                                { "secret", "Secret" },
                                                { "downwardAPI", NULL } };

        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
                struct ref of = ref_get(holder, kinds[i][0]);
                struct source s = { .c = c,
                                    .files = files,
                                    .of = of,
                                    .at = AT(at, kinds[i][0]),
                                    .mode = default_mode(of, mode) };

                if (!ref_is_set(of))
                        continue;
                if (kinds[i][1])
                        take_config(&s, kinds[i][1]);
                else
                        REF_EACH(e, ref_get(of, "items"))
                                take_downward_item(&s, e.item, AT_INDEX(AT(s.at, "items"), e.i));
        }
}

static void take_volume(struct convert *c, const struct volume *v, struct files *files)
{
        struct ref projected = ref_get(v->ref, "projected");
        const struct path *sources = AT(&v->at, "projected.sources");

        take_source(c, v->ref, 0644, &v->at, files);
        REF_EACH(s, ref_get(projected, "sources"))
                take_source(c, s.item, default_mode(projected, 0644), AT_INDEX(sources, s.i),
                            files);
}

/* ---- as a tar stream --------------------------------------------------------------------------
 */

static void put_octal(char *field, size_t size, unsigned long value)
{
        field[size - 1] = '\0';
        for (size_t i = size - 1; i > 0; i--, value >>= 3)
                field[i - 1] = (char)('0' + (value & 7));
}

/* A POSIX ustar header: the offsets are those of pax(1). */
static void add_header(struct buf *tar, const char *path, char type, int mode, size_t size)
{
        char h[BLOCK] = { 0 };
        unsigned sum = 0;

        /* A name of 100 bytes and the magic have no NUL behind them. */
        memcpy(h, path, strlen(path)); /* NOLINT(bugprone-not-null-terminated-result) */
        put_octal(h + 100, 8, (unsigned long)mode);
        put_octal(h + 108, 8, 0);
        put_octal(h + 116, 8, 0);
        put_octal(h + 124, 12, size);
        put_octal(h + 136, 12, 0);
        memset(h + 148, ' ', 8);
        h[156] = type;
        memcpy(h + 257, "ustar\00000", 8); /* NOLINT(bugprone-not-null-terminated-result) */
        for (size_t i = 0; i < BLOCK; i++)
                sum += (unsigned char)h[i];
        put_octal(h + 148, 7, sum);
        buf_add(tar, h, BLOCK);
}

static void pad(struct buf *tar)
{
        static const char zeros[BLOCK] = { 0 };

        if (tar->len % BLOCK)
                buf_add(tar, zeros, BLOCK - tar->len % BLOCK);
}

static void add_folders(struct buf *tar, const char *path)
{
        for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
                BUF_AUTO struct buf folder = BUF_INIT;

                buf_add(&folder, path, (size_t)(slash - path));
                add_header(tar, folder.s, '5', 0755, 0);
        }
}

static void add_tar(const struct files *files, struct buf *tar)
{
        static const char zeros[BLOCK] = { 0 };

        for (size_t i = 0; i < files->n; i++) {
                const struct file *f = &files->list[i];

                add_folders(tar, f->path);
                add_header(tar, f->path, '0', f->mode, f->bytes.len);
                buf_add(tar, f->bytes.s, f->bytes.len);
                pad(tar);
        }
        buf_add(tar, zeros, BLOCK);
        buf_add(tar, zeros, BLOCK);
}

static void add_base64(struct buf *out, const char *bytes, size_t len)
{
        static const char digits[] =
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

        for (size_t i = 0; i < len; i += 3) {
                size_t n = len - i < 3 ? len - i : 3;
                unsigned v = 0;

                for (size_t k = 0; k < 3; k++)
                        v = v << 8 | (k < n ? (unsigned char)bytes[i + k] : 0);
                for (size_t k = 0; k < 4; k++)
                        buf_addc(out, (char)(k <= n ? digits[v >> (18 - 6 * k) & 63] : '='));
        }
}

static void add_input(struct unit *u, const struct files *files)
{
        BUF_AUTO struct buf tar = BUF_INIT;

        add_tar(files, &tar);
        systemd_add(u, "Service", "StandardInput", "data");
        for (size_t i = 0; i < tar.len; i += LINE) {
                BUF_AUTO struct buf line = BUF_INIT;

                add_base64(&line, tar.s + i, tar.len - i < LINE ? tar.len - i : LINE);
                systemd_add(u, "Service", "StandardInputData", line.s);
        }
}

/* ---- the unit ---------------------------------------------------------------------------------
 */

bool files_has(const struct volume *v, const char *path)
{
        size_t len = strlen(path);

        for (const char *at = v->files.s, *end = at + v->files.len; at < end; at += strlen(at) + 1)
                if (strncmp(at, path, len) == 0 && (at[len] == '\0' || at[len] == '/'))
                        return true;
        return false;
}

/* Can units carry the files of the volume, beside those of the volumes before? */
static bool files_fit(struct convert *c, const struct volume *v, const struct files *files)
{
        size_t total = 0;

        for (size_t i = 0; i < files->n; i++)
                total += files->list[i].bytes.len;
        c->file_bytes += total + files->n * BLOCK;
        if (files->n > FILES_MOST)
                diag_report(c->d, VMQ_POD_VALUE, &v->at,
                            "more than %d files in one volume; put them on the host and use a "
                            "hostPath",
                            FILES_MOST);
        else if (total > TOTAL_MOST)
                diag_report(
                        c->d, VMQ_POD_VALUE, &v->at,
                        "%zu bytes of files, and a unit carries 1 MiB; put them on the host and "
                        "use a hostPath",
                        total);
        else if (c->file_bytes > POD_MOST)
                diag_report(c->d, VMQ_POD_VALUE, &v->at,
                            "with the volumes before it more than 8 MiB of files; put them on the "
                            "host and use a hostPath");
        else
                return true;
        return false;
}

void files_unit(struct convert *c, struct volume *v)
{
        UNIT_AUTO struct unit u = UNIT_INIT;
        struct files files = { .list = NULL };

        take_volume(c, v, &files);
        for (size_t i = 0; i < files.n; i++)
                buf_add(&v->files, files.list[i].path, strlen(files.list[i].path) + 1);
        if (files.secret)
                diag_report(
                        c->d, VMQ_POD_PARTLY, &v->at,
                        "the secret is in the unit, of which systemd makes a service that others "
                        "on the host may read; let a user of its own run it");
        systemd_addf(&u, "Unit", "Description", "Files of volume %s for pod %s", v->name, c->name);
        unit_section(&u, "Volume");
        systemd_addf(&u, "Service", "ExecStartPost", PODMAN " volume import systemd-%s -", v->stem);
        volume_add_removal(c, &u, v);
        if (files_fit(c, v, &files))
                add_input(&u, &files);
        if (files.secret)
                file_add_secret_unit(c, v->unit, &u, AT(&v->at, "name"));
        else
                file_add_unit(c, v->unit, &u, AT(&v->at, "name"));
        release(&files);
}
