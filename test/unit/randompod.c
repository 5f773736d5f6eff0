/* SPDX-License-Identifier: Apache-2.0 */
/*
 * randompod - a Pod with random text in every field that takes some, and what must come of it.
 *
 *      randompod SEED       {"pod": POD, "wants": [{"in": "p-c0", "args": [TEXT, ...]},
 *                            {"in": ..., "option": "--env", "value": TEXT},
 *                            {"in": ..., "mount": SOURCE, "to": DESTINATION}, ...]}
 *
 * The texts have all of printable ASCII, characters of two to four bytes, Unicode's spaces, what
 * has a meaning for someone on the way ('%n', '${HOME}', a lone ';', ...), and in commands and
 * variables line breaks too. The same seed gives the same Pod.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "json.h"
#include "jvx.h"

#define CONTAINERS 5

static unsigned long long state;

static unsigned pick(unsigned n)
{
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (unsigned)(state >> 33) % n;
}

enum { ANYTHING, ONE_LINE, SEGMENT, NAME };

/* Append a character, or a piece that means something to somebody. */
static void add_piece(struct buf *out, int kind)
{
        static const char *const pieces[] = {
                "%",
                "%%",
                "%n",
                "%h",
                "$",
                "$$",
                "${HOME}",
                "$HOME",
                "$(id)",
                "\\",
                "\\\\",
                "\\n",
                "\\x41",
                "\"",
                "'",
                "\"\"",
                " ",
                "  ",
                ";",
                "#",
                ":",
                ",",
                "=",
                "[Service]",
                "-",
                "--",
                "*",
                "~",
                "`id`",
                "\xc3\xa9",
                "\xe2\x80\x8f",
                "\xe2\x80\xae", /* NOLINT(misc-misleading-bidirectional): what is tested */
                "\xc2\xa0",
                "\xe3\x80\x80",
                "\xf0\x9f\x90\xb3",
                "\xe2\x80\xa8",
        };
        char c;

        if (kind == ANYTHING && pick(12) == 0) {
                buf_adds(out, (const char *[]){ "\n", "\t", "\r", "\x1b" }[pick(4)]);
                return;
        }
        if (kind != NAME && pick(3) == 0) {
                buf_adds(out, pieces[pick(sizeof pieces / sizeof *pieces)]);
                return;
        }
        do
                c = (char)(' ' + pick(95));
        while ((kind == SEGMENT && c == '/') || (kind == NAME && c == '='));
        buf_addc(out, c);
}

static void add_text(struct buf *out, int kind)
{
        for (unsigned n = pick(12); n > 0; n--)
                add_piece(out, kind);
}

/* References to variables are another matter. */
static char *text_of(const char *front, int kind)
{
        struct buf b = BUF_INIT;
        char *at;

        buf_adds(&b, front);
        add_text(&b, kind);
        while ((at = strstr(b.s, "$(")))
                at[1] = '{';
        return buf_detach(&b);
}

static void want_option(jv *wants, const char *in, const char *option, const char *value)
{
        jvx_append(wants, jvx_build("{in: %s, option: %s, value: %s}", in, option, value));
}

static jv words(int n)
{
        jv list = jv_array();

        while (n-- > 0) {
                char *word = text_of("", ANYTHING);

                jvx_append(&list, jv_string(word));
                free(word);
        }
        return list;
}

static void add_env(jv *container, jv *wants, const char *in)
{
        for (int i = 0; i < 4; i++) {
                char front[16];
                BUF_AUTO struct buf pair = BUF_INIT;

                (void)snprintf(front, sizeof front, "V%d", i);
                char *name = text_of(front, NAME), *value = text_of("", ANYTHING);

                buf_addf(&pair, "%s=%s", name, value);
                jvx_append_at(container, "env", jvx_build("{name: %s, value: %s}", name, value));
                want_option(wants, in, "--env", pair.s);
                free(name);
                free(value);
        }
}

static void add_mount(jv *spec, jv *container, jv *wants, const char *in, int i)
{
        char *source = text_of("/srv/x", SEGMENT), *to = text_of("/mnt/y", SEGMENT), name[16];

        (void)snprintf(name, sizeof name, "v%d", i);
        jvx_append_at(spec, "volumes", jvx_build("{name: %s, hostPath: {path: %s}}", name, source));
        jvx_append_at(container, "volumeMounts", jvx_build("{name: %s, mountPath: %s}", name, to));
        jvx_append(wants, jvx_build("{in: %s, mount: %s, to: %s}", in, source, to));
        free(source);
        free(to);
}

/* A part of a claim's volume, and of an image. */
static void add_part(jv *spec, jv *container, jv *wants, const char *in, int i)
{
        char *sub = text_of("s", SEGMENT), *to = text_of("/part/z", SEGMENT), name[16];

        (void)snprintf(name, sizeof name, "c%d", i);
        jvx_append_at(spec, "volumes",
                      jvx_build("{name: %s, persistentVolumeClaim: {claimName: "
                                "'x'}}",
                                name));
        jvx_append_at(container, "volumeMounts",
                      jvx_build("{name: %s, mountPath: %s, subPath: %s}", name, to, sub));
        jvx_append(wants, jvx_build("{in: %s, sub: %s, to: %s}", in, sub, to));
        free(sub);
        free(to);
}

/* A header of a check, which Podman gets as a list in JSON. */
static void add_header(jv *container, jv *wants, const char *in)
{
        char *value = text_of("", ONE_LINE);
        BUF_AUTO struct buf header = BUF_INIT;

        buf_addf(&header, "X-Y: %s", value);
        jvx_set(container, "startupProbe",
                jvx_build("{httpGet: {port: 80, httpHeaders: [{name: 'X-Y', value: %s}]}}", value));
        jvx_append(wants, jvx_build("{in: %s, header: %s}", in, header.s));
        free(value);
}

static jv make_container(jv *spec, jv *wants, int i)
{
        char name[16], in[16];
        jv args = words(6), probe = words(3);
        char *dir = text_of("/w", SEGMENT), *entry = text_of("/bin/e", SEGMENT);

        (void)snprintf(name, sizeof name, "c%d", i);
        (void)snprintf(in, sizeof in, "p-c%d", i);
        jvx_append(wants, jvx_build("{in: %s, args: %j}", in, jv_copy(args)));
        jvx_append(wants, jvx_build("{in: %s, health: %j}", in, jv_copy(probe)));
        want_option(wants, in, "--workdir", dir);
        want_option(wants, in, "--entrypoint", entry);
        jv container = jvx_build("{name: %s, image: 'example.com/i:1', command: [%s], args: %j, "
                                 "workingDir: %s, livenessProbe: {exec: {command: %j}}}",
                                 name, entry, args, dir, probe);

        add_env(&container, wants, in);
        add_mount(spec, &container, wants, in, i);
        add_part(spec, &container, wants, in, i);
        add_header(&container, wants, in);
        free(dir);
        free(entry);
        return container;
}

static void add_sysctl(jv *spec, jv *wants, int i)
{
        char *value = text_of("", ONE_LINE), name[16];
        BUF_AUTO struct buf pair = BUF_INIT;

        (void)snprintf(name, sizeof name, "net.x%d", i);
        buf_addf(&pair, "%s=%s", name, value);
        jvx_append_at(spec, "securityContext.sysctls",
                      jvx_build("{name: %s, value: %s}", name, value));
        jvx_append(wants, jvx_build("{in: 'p-pod', csv: '--sysctl', value: %s}", pair.s));
        free(value);
}

/* Labels become the pod's, an annotation gets in through a variable. */
static void add_metadata(jv *metadata, jv *spec, jv *wants, int i)
{
        char *label = text_of("", ONE_LINE), *note = text_of("", ANYTHING), name[16], field[64];
        char in_labels[32], in_notes[32];
        BUF_AUTO struct buf pair = BUF_INIT, variable = BUF_INIT;
        jv containers = jvx_detach(spec, "containers");
        jv first = jvx_detach_item(&containers, 0);

        (void)snprintf(name, sizeof name, "k%d", i);
        (void)snprintf(in_labels, sizeof in_labels, "labels.%s", name);
        (void)snprintf(in_notes, sizeof in_notes, "annotations.%s", name);
        (void)snprintf(field, sizeof field, "metadata.annotations['%s']", name);
        buf_addf(&pair, "%s=%s", name, label);
        buf_addf(&variable, "%s=%s", name, note);
        jvx_append(wants, jvx_build("{in: 'p-pod', label: %s}", pair.s));
        want_option(wants, "p-c0", "--env", variable.s);
        jvx_set_at(metadata, in_labels, jv_string(label));
        jvx_set_at(metadata, in_notes, jv_string(note));
        jvx_append_at(&first, "env",
                      jvx_build("{name: %s, valueFrom: {fieldRef: {fieldPath: %s}}}", name, field));
        jvx_set_item(&containers, 0, first);
        jvx_set(spec, "containers", containers);
        free(label);
        free(note);
}

static void add_search(jv *spec, jv *wants)
{
        char *search = text_of("d", ONE_LINE);

        jvx_append_at(spec, "dnsConfig.searches", jv_string(search));
        jvx_append(wants, jvx_build("{in: 'p-pod', csv: '--dns-search', value: %s}", search));
        free(search);
}

int main(int argc, char **argv)
{
        jv spec = jv_object(), wants = jv_array(), metadata = jvx_build("{name: 'p'}");
        BUF_AUTO struct buf out = BUF_INIT;

        if (argc < 2) {
                jv_free(spec);
                jv_free(wants);
                jv_free(metadata);
                return 0;
        }
        state = strtoull(argv[1], NULL, 10);
        for (int i = 0; i < CONTAINERS; i++)
                jvx_append_at(&spec, "containers", make_container(&spec, &wants, i));
        for (int i = 0; i < 4; i++) {
                add_sysctl(&spec, &wants, i);
                add_metadata(&metadata, &spec, &wants, i);
                add_search(&spec, &wants);
        }
        JVX_AUTO jv all = jvx_build("{pod: {apiVersion: 'v1', kind: 'Pod', metadata: %j, "
                                    "spec: %j}, wants: %j}",
                                    metadata, spec, wants);

        json_print(&all, &out);
        puts(out.s);
        return 0;
}
