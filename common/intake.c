/* SPDX-License-Identifier: Apache-2.0 */
#include "intake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "array.h"
#include "json.h"
#include "jvx.h"
#include "mem.h"
#include "ref.h"
#include "yaml.h"

#define VERSION "kubevirt.io/v1"
/* Served and deprecated: ApiSupportedVersions in api/core/v1/register.go (1.8, 1.9). */
#define OLD_VERSION "kubevirt.io/v1alpha3"

void intake_open(struct intake *k, int fd, const char *file, bool documents, const char *kind,
                 const char *key)
{
        *k = (struct intake){ .file = file,
                              .documents = documents,
                              .kind = kind,
                              .key = key,
                              .list = jv_invalid(),
                              .places = PLACES_INIT };
        input_open(&k->in, fd, INTAKE_LIMIT);
}

void intake_close(struct intake *k)
{
        input_close(&k->in);
        places_release(&k->places);
        free(k->source);
        k->source = NULL;
        jvx_release(&k->list);
}

/* --- one object ------------------------------------------------------------------------------ */

/* A work item comes with its source; messages are about that, and have no places. */
static enum intake_result accept_item(struct intake *k, jv *v, jv *item, struct diag *d)
{
        struct ref source = ref_get(ref_of(v), "source");
        const char *file = ref_str(ref_get(source, "file"));

        if (ref_int(ref_get(ref_of(v), "vmq"), 0) != 1) {
                diag_report(d, VMQ_ITEM, AT(NULL, "vmq"),
                            "not contract version 1; use stages of one release");
                return INTAKE_BAD;
        }
        free(k->source);
        k->source = mem_strdup(file ? file : k->file);
        k->node = -1;
        diag_begin(d, k->source, (unsigned)ref_int(ref_get(source, "line"), 0), NULL, NULL);
        *item = jvx_take(v);
        return INTAKE_ITEM;
}

static enum intake_result make_item(struct intake *k, jv *object, jv *item, const struct diag *d)
{
        *item = jvx_build("{vmq: 1, source: {file: %s, document: %l, line: %l}, %s: %j}", k->file,
                          (long long)k->document, (long long)d->line, k->key, jvx_take(object));
        return INTAKE_ITEM;
}

/* Only kubevirt.io has the VirtualMachine that is meant here. */
static enum intake_result accept_vm(struct intake *k, jv *v, jv *item, struct diag *d)
{
        struct ref version = ref_get(ref_of(v), "apiVersion");

        if (ref_eq(version, OLD_VERSION)) {
                diag_report(d, VMQ_OLD_VERSION, AT(NULL, "apiVersion"),
                            OLD_VERSION " is deprecated; write " VERSION);
                jvx_set(v, "apiVersion", jv_string(VERSION));
        } else if (!ref_eq(version, VERSION)) {
                diag_report(d, VMQ_API_VERSION, AT(NULL, "apiVersion"),
                            "a %s of '%.100s' is not one of KubeVirt; its apiVersion is " VERSION,
                            k->kind, ref_str(version) ? ref_str(version) : "");
                return INTAKE_BAD;
        }
        return make_item(k, v, item, d);
}

static enum intake_result pass_over(struct intake *k, const jv *v, const char *kind, struct diag *d)
{
        const char *name = ref_text(ref_of(v), "metadata.name");

        if (k->take && k->take(v, k->take_self))
                return INTAKE_OTHER;
        diag_report(d, VMQ_OTHER_KIND, AT(NULL, "kind"),
                    *name ? "%.100s '%.253s' is not converted; only %s is"
                          : "%.100s%.253s is not converted; only %s is",
                    kind, name, k->kind);
        if (k->others)
                others_add(k->others, v);
        return INTAKE_OTHER;
}

/* --- List ------------------------------------------------------------------------------------ */

static void report_again(const struct intake *k, struct diag *d, int root,
                         const struct place_again *again)
{
        struct path chain[JSON_DEPTH + 1];
        const struct place_node *nodes = k->places.nodes;
        size_t n = 0;

        for (int i = again->node; i != root && i >= 0 && n < ARRAY_LEN(chain);
             i = nodes[i].parent) {
                const char *key = nodes[i].key >= 0 ? k->places.text.s + nodes[i].key : NULL;

                if (n)
                        chain[n - 1].up = &chain[n];
                chain[n++] = (struct path){ .key = key, .index = nodes[i].index, .opaque = true };
        }
        if (n)
                diag_report_at(d, VMQ_DUPLICATE_KEY, again->at, &chain[0],
                               "given twice in one object; remove one of them");
}

/* Keys of the nodes `from` to below `to`; `again` is in the order of the nodes. */
static void report_range(const struct intake *k, struct diag *d, int root, int from, int to)
{
        const struct place_again *again = k->places.again;
        int low = 0, high = k->places.n_again;

        while (low < high) {
                int middle = low + (high - low) / 2;

                if (again[middle].node < from)
                        low = middle + 1;
                else
                        high = middle;
        }
        for (; low < k->places.n_again && again[low].node < to; low++)
                report_again(k, d, root, &again[low]);
}

void intake_report_again(const struct intake *k, struct diag *d)
{
        if (k->node >= 0)
                report_range(k, d, k->node, k->node, k->node + places_size(&k->places, k->node));
}

/* The items come one by one; what stands around them is looked at now. */
static enum intake_result open_list(struct intake *k, jv *v, struct diag *d)
{
        struct ref items = ref_get(ref_of(v), "items");

        if (k->node != 0) {
                diag_report(d, VMQ_WRONG_KIND, AT(NULL, "kind"),
                            "a List inside a List; write its items into the outer one");
                return INTAKE_BAD;
        }
        if (ref_is_set(items) && ref_kind(items) != JV_KIND_ARRAY) {
                diag_report(d, VMQ_NOT_AN_OBJECT, AT(NULL, "items"), "not a list");
                return INTAKE_BAD;
        }
        int node = places_child(&k->places, 0, "items", strlen("items"), 0);

        report_range(k, d, 0, 0, node >= 0 ? node + 1 : k->places.n);
        if (node >= 0)
                report_range(k, d, 0, node + places_size(&k->places, node), k->places.n);
        if (diag_failed(d))
                return INTAKE_BAD;
        k->list_of_vms = strcmp(ref_text(ref_of(v), "kind"), "List") != 0;
        k->list = jvx_get(v, "items");
        if (!jvx_is(&k->list, JV_KIND_ARRAY))
                jvx_release(&k->list);
        k->list_at = 0;
        k->list_node = node + 1;
        return INTAKE_OTHER;
}

/* --- documents ------------------------------------------------------------------------------- */

/* Kubernetes tells letter cases apart, but whoever wrote `Kind` does not see what is missing. */
static enum intake_result refuse_kind(const struct intake *k, const jv *v, struct diag *d)
{
        REF_EACH(member, ref_of(v)) {
                if (strcasecmp(member.key, "kind") != 0 || strcmp(member.key, "kind") == 0)
                        continue;
                diag_report(d, VMQ_WRONG_KIND, AT_KEY(NULL, member.key),
                            "no such field; write \"kind\", in lower case");
                return INTAKE_BAD;
        }
        diag_report(d, VMQ_WRONG_KIND, AT(NULL, "kind"), "%s; a %s is expected",
                    ref_is_set(ref_get(ref_of(v), "kind")) ? "not a text" : "missing", k->kind);
        return INTAKE_BAD;
}

static enum intake_result classify_document(struct intake *k, jv *v, jv *item, struct diag *d)
{
        const char *kind = ref_str(ref_get(ref_of(v), "kind"));

        if (!kind || !*kind)
                return refuse_kind(k, v, d);
        if (strcmp(kind, k->kind) == 0)
                return strcmp(kind, "VirtualMachine") == 0 ? accept_vm(k, v, item, d)
                                                           : make_item(k, v, item, d);
        if (strcmp(kind, "List") == 0 || strcmp(kind, "VirtualMachineList") == 0)
                return open_list(k, v, d);
        return pass_over(k, v, kind, d);
}

static enum intake_result classify(struct intake *k, jv value, jv *item, struct diag *d)
{
        JVX_AUTO jv v = value;

        if (!jvx_is(&v, JV_KIND_OBJECT)) {
                diag_report(d, VMQ_NOT_AN_OBJECT, NULL, "not an object; a %s is expected",
                            k->kind ? k->kind : "work item");
                return INTAKE_BAD;
        }
        if (ref_is_set(ref_get(ref_of(&v), "vmq")))
                return accept_item(k, &v, item, d);
        if (k->documents)
                return classify_document(k, &v, item, d);
        const char *kind = ref_text(ref_of(&v), "kind");

        if (k->kind && strcmp(kind, k->kind) == 0)
                return make_item(k, &v, item, d);
        diag_report(d, VMQ_WRONG_KIND, AT(NULL, "kind"),
                    "'%.100s' is not for this stage; it takes work items%s%s%s", kind,
                    k->kind ? " and " : "", k->kind ? k->kind : "", k->kind ? " objects" : "");
        return INTAKE_BAD;
}

/* The next item of the open List, which is closed behind the last one. */
static enum intake_result next_of_list(struct intake *k, jv *item, struct diag *d)
{
        if (k->list_at >= jv_array_length(jv_copy(k->list))) {
                jvx_release(&k->list);
                return INTAKE_END;
        }
        jv v = jvx_detach_item(&k->list, k->list_at);

        k->base[0] = (struct path){ .key = "items" };
        k->base[1] = (struct path){ .up = &k->base[0], .index = k->list_at++ };
        k->node = k->list_node;
        k->list_node += places_size(&k->places, k->node);
        diag_begin(d, k->file, k->places.nodes[k->node].at_value.line, &k->places, &k->in);
        d->base = &k->base[1];
        if (k->list_of_vms && jvx_is(&v, JV_KIND_OBJECT)) {
                jvx_set_default(&v, "kind", jv_string(k->kind));
                jvx_set_default(&v, "apiVersion", jv_string(VERSION));
        }
        return classify(k, v, item, d);
}

bool intake_is_small(const struct intake *k)
{
        size_t bytes = k->in.pos - k->in.mark;

        return bytes <= 16384 && !memchr(k->in.data + k->in.mark, '*', bytes);
}

static int skip_space(struct input *in)
{
        int c;

        while ((c = input_peek(in)) == ' ' || c == '\n' || c == '\r' || c == '\t')
                input_skip(in);
        return c;
}

static bool is_before(struct place a, struct place b)
{
        return a.line < b.line || (a.line == b.line && a.column < b.column);
}

static int read_json(struct intake *k, jv *v, struct json_error *err)
{
        struct json_reading how = { .places = &k->places,
                                    .mark = "vmq",
                                    .keys = k->keys,
                                    .unread = k->unread,
                                    .forget = k->forget };

        return json_next(&k->in, v, &how, err);
}

/* What looks like JSON may be YAML in flow style. Of two errors the one is told that came later:
 * that reader understood more. */
static int read_json_or_yaml(struct intake *k, jv *v, struct json_error *err)
{
        struct json_error other;

        input_mark(&k->in);
        int got = read_json(k, v, err);

        if (got >= 0 || k->in.error || k->in.too_large)
                return got;
        input_rewind(&k->in);
        got = yaml_next(&k->in, v, &k->places, &other);
        if (got < 0 && is_before(err->at, other.at))
                *err = other;
        return got;
}

static int read_document(struct intake *k, jv *v, struct json_error *err)
{
        input_skip_bom(&k->in);
        input_mark(&k->in);
        (void)skip_space(&k->in);
        yaml_skip_marker(&k->in);
        int c = skip_space(&k->in);

        if (c == '{' || c == '[')
                return read_json_or_yaml(k, v, err);
        input_rewind(&k->in); /* what stands in front of the first word is its indentation */
        return yaml_next(&k->in, v, &k->places, err);
}

/* What is no JSON from its first character is a document that should have gone to the first stage.
 */
static int read_item(struct intake *k, jv *v, struct json_error *err)
{
        int c = skip_space(&k->in);

        input_mark(&k->in);
        int got = read_json(k, v, err);

        if (got < 0 && c > 0 && !strchr("{[\"", c) && !k->in.error && !k->in.too_large)
                (void)snprintf(err->text, sizeof err->text,
                               "this stage takes work items, which are JSON; run vmq-prepare and "
                               "the stages behind it first, or all of them with vmq convert");
        return got;
}

static enum intake_result next_document(struct intake *k, jv *item, struct diag *d)
{
        struct json_error err;
        jv v = jv_invalid();
        int got = k->documents ? read_document(k, &v, &err) : read_item(k, &v, &err);

        if (got == 0 || k->in.error)
                return INTAKE_END;
        k->document++;
        k->node = 0;
        diag_begin(d, k->file, k->places.n ? k->places.nodes[0].at_value.line : err.at.line,
                   &k->places, &k->in);
        if (got > 0)
                return classify(k, v, item, d);
        bool broken = !k->documents || k->in.too_large;
        bool more = broken && k->in.pos < k->in.len;

        diag_report_at(d, VMQ_SYNTAX, err.at, NULL, "%s%s", err.text,
                       more ? "; nothing behind this is read" : "");
        return broken ? INTAKE_BROKEN : INTAKE_BAD;
}

enum intake_result intake_next(struct intake *k, jv *item, struct diag *d)
{
        enum intake_result got;

        do {
                got = jv_is_valid(k->list) ? next_of_list(k, item, d) : INTAKE_END;
                if (got == INTAKE_END)
                        got = next_document(k, item, d);
        } while (got == INTAKE_OTHER && d->n == 0);
        return got;
}
