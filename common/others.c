/* SPDX-License-Identifier: Apache-2.0 */
#include "others.h"

#include <string.h>

#include "array.h"
#include "buf.h"
#include "jvx.h"

enum { NAME_MOST = 253 }; /* what Kubernetes allows */

void others_open(struct others *o)
{
        *o = (struct others){ .seen = jv_object() };
}

void others_close(struct others *o)
{
        jv_free(o->seen);
        o->seen = jv_invalid();
}

static void add_name(struct buf *b, const char *kind, const char *namespace, const char *name)
{
        buf_addf(b, "%s/%s/%s", kind, namespace && *namespace ? namespace : "default", name);
}

static jv keys_of(struct ref object)
{
        static const char *const fields[] = { "data", "stringData", "binaryData" };
        jv keys = jv_array();
        int n = 0;

        for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
                if (ref_kind(ref_get(object, fields[i])) != JV_KIND_OBJECT)
                        continue;
                REF_EACH(member, ref_get(object, fields[i]))
                        if (n++ < OTHERS_KEYS && strlen(member.key) <= NAME_MOST)
                                jvx_append(&keys, jv_string(member.key));
        }
        return keys;
}

void others_add(struct others *o, const jv *object)
{
        struct ref r = ref_of(object);
        const char *kind = ref_text(r, "kind"), *name = ref_text(r, "metadata.name");
        BUF_AUTO struct buf b = BUF_INIT;

        if (o->n >= OTHERS_MOST)
                return;
        add_name(&b, kind, ref_text(r, "metadata.namespace"), name);
        if (b.len > (size_t)3 * NAME_MOST)
                return;
        o->n++;
        jvx_set(&o->seen, b.s, keys_of(r));
}

struct ref others_keys(const struct others *o, const char *kind, const char *namespace,
                       const char *name)
{
        BUF_AUTO struct buf b = BUF_INIT;

        add_name(&b, kind, namespace, name);
        return ref_get(ref_of(&o->seen), b.s);
}

bool others_has(const struct others *o, const char *kind, const char *namespace, const char *name)
{
        return ref_is_set(others_keys(o, kind, namespace, name));
}
