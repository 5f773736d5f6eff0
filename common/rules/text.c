/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control characters. Most texts of a VM end up in a unit sooner or later: image and host names,
 * paths, names of volumes. A line break there is a new line of the unit, and a line of the
 * attacker's choice runs a command on the host. What legitimately has line breaks travels inside
 * JSON, which escapes them.
 */
#include <string.h>

#include "array.h"
#include "rules/rules.h"

/* Members whose text is free, wherever they are. */
static bool is_free(const char *key)
{
        static const char *const names[] = { "userData",          "networkData", "userDataBase64",
                                             "networkDataBase64", "status",      "managedFields" };

        for (size_t i = 0; i < ARRAY_LEN(names); i++)
                if (strcmp(names[i], key) == 0)
                        return true;
        return false;
}

long control_of(const char *text)
{
        for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
                if (*p < 0x20 || *p == 0x7f)
                        return *p;
                if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)
                        return p[1];
                if (*p == 0xe2 && p[1] == 0x80 && (p[2] == 0xa8 || p[2] == 0xa9))
                        return 0x2000 + (p[2] - 0x80);
        }
        return -1;
}

static void report(const struct subject *s, const struct path *at, long c, const char *what)
{
        const char *name = c == '\n' ? "a line break" : c == '\t' ? "a tab" : "a control character";

        diag_report(s->d, VMQ_CONTROL, at, "%s (U+%04lX) in this %s; remove it", name,
                    (unsigned long)c, what);
}

/* Annotations are free, but this one becomes a variable of the launcher's environment. */
static bool is_passed_on(const char *key)
{
        return key && strcmp(key, "kubevirt.io/libvirt-log-filters") == 0;
}

static void check_text(const struct subject *s, struct ref r, const struct path *at)
{
        const char *text = ref_str(r);
        long c = text ? control_of(text) : -1;

        if (c >= 0)
                report(s, at, c, "text");
}

static void check_annotations(const struct subject *s, struct ref annotations,
                              const struct path *at)
{
        REF_EACH(a, annotations)
                if (is_passed_on(a.key))
                        check_text(s, a.item, AT_KEY(at, a.key));
}

static void walk(const struct subject *s, struct ref r, const struct path *at)
{
        check_text(s, r, at);
        if (ref_kind(r) != JV_KIND_ARRAY && ref_kind(r) != JV_KIND_OBJECT)
                return;
        REF_EACH(m, r) {
                const struct path *here = m.key ? AT_KEY(at, m.key) : AT_INDEX(at, m.i);

                if (m.key && control_of(m.key) >= 0)
                        report(s, here, control_of(m.key), "key");
                else if (m.key && strcmp(m.key, "annotations") == 0)
                        check_annotations(s, m.item, here);
                else if (!m.key || !is_free(m.key))
                        walk(s, m.item, here);
        }
}

void rule_control_characters(const struct subject *s)
{
        walk(s, s->vm, NULL);
}
