/* SPDX-License-Identifier: Apache-2.0 */
/* ConfigMaps and Secrets: what is in them (core v1: data, binaryData, stringData). */
#include <string.h>

#include "convert.h"

struct ref config_find(struct convert *c, const char *kind, struct ref reference, const char *field,
                       const struct path *at)
{
        const char *name = ref_text(reference, field);
        struct ref object = ref_get(ref_get(c->configs, kind), name);

        if (!ref_is_set(object) && !ref_bool(ref_get(reference, "optional"), false))
                diag_report(c->d, VMQ_POD_REFERENCE, AT(at, field),
                            "there is no %s '%s'; put it in the stream, or give --%s=FILE", kind,
                            name, *kind == 'S' ? "secret" : "configmap");
        return object;
}

static int base64_digit(char ch)
{
        static const char digits[] =
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const char *d = ch ? strchr(digits, ch) : NULL;

        return d ? (int)(d - digits) : -1;
}

static bool add_base64(const char *s, struct buf *out)
{
        unsigned bits = 0;
        int n = 0, digit;

        for (; *s && *s != '='; s++) {
                if (strchr("\r\n", *s))
                        continue;
                if ((digit = base64_digit(*s)) < 0)
                        return false;
                bits = bits << 6 | (unsigned)digit;
                n += 6;
                if (n >= 8) {
                        n -= 8;
                        buf_addc(out, (char)(bits >> n & 0xFF));
                }
        }
        return !s[strspn(s, "=\r\n")];
}

bool config_bytes(struct ref object, const char *key, struct buf *out)
{
        bool secret = ref_eq(ref_get(object, "kind"), "Secret");
        struct ref text = ref_get(ref_get(object, secret ? "stringData" : "data"), key);
        struct ref base64 = ref_get(ref_get(object, secret ? "data" : "binaryData"), key);

        if (ref_str(text)) {
                buf_adds(out, ref_str(text));
                return true;
        }
        return ref_str(base64) && add_base64(ref_str(base64), out);
}

void config_each(struct ref object, void (*each)(const char *key, void *self), void *self)
{
        static const char *const lists[] = { "data", "stringData", "binaryData" };

        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
                REF_EACH(e, ref_get(object, lists[i]))
                        each(e.key, self);
}
