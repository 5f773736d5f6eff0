/* SPDX-License-Identifier: Apache-2.0 */
#include "release_fields.h"

#include <assert.h>
#include <string.h>

#include "jvx.h"
#include "ref.h"

struct drop {
        const char *release;
        struct diag *d;
};

static void drop(jv *obj, const char *field, const struct path *at, const struct drop *drop_);

static void drop_in_items(jv *list, const char *rest, const struct path *at, const struct drop *dr)
{
        int n = jvx_is(list, JV_KIND_ARRAY) ? ref_len(ref_of(list)) : 0;

        for (int i = 0; i < n; i++) {
                JVX_AUTO jv item = jvx_detach_item(list, i);

                drop(&item, rest, AT_INDEX(at, i), dr);
                jvx_set_item(list, i, jvx_take(&item));
        }
}

/* One step down the field's name (release.h says how it is written). */
static void drop(jv *obj, const char *field, const struct path *at, const struct drop *dr)
{
        char key[64];
        size_t n = strcspn(field, ".[");
        const char *rest = field + n;

        assert(n < sizeof key);
        memcpy(key, field, n);
        key[n] = '\0';
        if (!ref_is_set(ref_get(ref_of(obj), key)))
                return;
        if (!*rest) {
                diag_report(
                        dr->d, VMQ_RELEASE_FIELD, AT(at, key),
                        "KubeVirt %s does not know this field, it is dropped; remove it, or use a "
                        "newer launcher image",
                        dr->release);
                jvx_del(obj, key);
                return;
        }
        JVX_AUTO jv child = jvx_detach(obj, key);

        if (*rest == '[')
                drop_in_items(&child, rest + strlen("[]."), AT(at, key), dr);
        else
                drop(&child, rest + 1, AT(at, key), dr);
        jvx_set(obj, key, jvx_take(&child));
}

void drop_later_fields(jv *vm, const struct release *release, struct diag *d)
{
        const struct drop dr = { release->name, d };
        static const char below[] = "spec.template.spec";

        for (const char *const *f = release->unknown_fields; *f; f++) {
                JVX_AUTO jv spec = jvx_detach(vm, "spec");
                JVX_AUTO jv template = jvx_detach(&spec, "template");
                JVX_AUTO jv vmi_spec = jvx_detach(&template, "spec");

                drop(&vmi_spec, *f, AT(NULL, below), &dr);
                jvx_set(&template, "spec", jvx_take(&vmi_spec));
                jvx_set(&spec, "template", jvx_take(&template));
                jvx_set(vm, "spec", jvx_take(&spec));
        }
}
