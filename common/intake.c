/* SPDX-License-Identifier: Apache-2.0 */
#include "intake.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "jvx.h"
#include "mem.h"
#include "ref.h"

void intake_open(struct intake *k, int fd, const char *file, bool documents, const char *kind,
                 const char *key)
{
        *k = (struct intake){ .file = file, .documents = documents, .kind = kind, .key = key };
        input_open(&k->in, fd, INTAKE_LIMIT);
}

void intake_close(struct intake *k)
{
        input_close(&k->in);
        places_release(&k->places);
        free(k->source);
        k->source = NULL;
}

/* A work item comes with its source; messages are about that, and have no places. */
static bool accept_item(struct intake *k, const jv *item, struct diag *d)
{
        struct ref source = ref_get(ref_of(item), "source");
        const char *file = ref_str(ref_get(source, "file"));

        if (ref_int(ref_get(ref_of(item), "vmq"), 0) != 1) {
                diag_report(d, VMQ_ITEM, AT(NULL, "vmq"),
                            "not contract version 1; use stages of one release");
                return false;
        }
        free(k->source);
        k->source = mem_strdup(file ? file : k->file);
        diag_begin(d, k->source, (unsigned)ref_int(ref_get(source, "line"), 0), NULL, NULL);
        return true;
}

static jv make_item(struct intake *k, jv object, unsigned line)
{
        JVX_AUTO jv owned = object;

        return jvx_build("{vmq: 1, source: {file: %s, document: %l, line: %l}, %s: %j}", k->file,
                         (long long)k->document, (long long)line, k->key, jvx_take(&owned));
}

static enum intake_result classify(struct intake *k, jv value, unsigned line, jv *item,
                                   struct diag *d)
{
        JVX_AUTO jv v = value;
        const char *kind = ref_text(ref_of(&v), "kind");

        if (!jvx_is(&v, JV_KIND_OBJECT)) {
                diag_report(d, VMQ_NOT_AN_OBJECT, NULL, "not an object; a %s is expected",
                            k->kind ? k->kind : "work item");
                return INTAKE_BAD;
        }
        if (ref_is_set(ref_get(ref_of(&v), "vmq"))) {
                if (!accept_item(k, &v, d))
                        return INTAKE_BAD;
                *item = jvx_take(&v);
                return INTAKE_ITEM;
        }
        if (!k->kind || strcmp(kind, k->kind) != 0) {
                diag_report(d, VMQ_WRONG_KIND, AT(NULL, "kind"),
                            "'%s' is not for this stage; it takes work items%s%s%s", kind,
                            k->kind ? " and " : "", k->kind ? k->kind : "", k->kind ? " objects" : "");
                return INTAKE_BAD;
        }
        *item = make_item(k, jvx_take(&v), line);
        return INTAKE_ITEM;
}

enum intake_result intake_next(struct intake *k, jv *item, struct diag *d)
{
        struct json_error err;
        jv v = jv_invalid();
        int c;

        input_mark(&k->in);
        while ((c = input_peek(&k->in)) == ' ' || c == '\n' || c == '\r' || c == '\t')
                input_skip(&k->in);
        unsigned line = k->in.line;

        diag_begin(d, k->file, line, &k->places, &k->in);
        int got = json_next(&k->in, &v, &k->places, &err);

        if (got == 0)
                return INTAKE_END;
        k->document++;
        if (got < 0) {
                diag_report_at(d, VMQ_SYNTAX, err.at, "%s", err.text);
                return INTAKE_BROKEN;
        }
        return classify(k, v, line, item, d);
}
