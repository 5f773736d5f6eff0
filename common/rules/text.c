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
                                             "networkDataBase64", "annotations", "status",
                                             "managedFields" };

        for (size_t i = 0; i < ARRAY_LEN(names); i++)
                if (strcmp(names[i], key) == 0)
                        return true;
        return false;
}

/* The first control character of the UTF-8 text, C1 controls and the Unicode line and paragraph
 * separators among them; -1 if there is none. */
static long control_of(const char *text)
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

static void walk(const struct subject *s, struct ref r, const struct path *at)
{
        const char *text = ref_str(r);
        long c = text ? control_of(text) : -1;

        if (c >= 0)
                report(s, at, c, "text");
        if (ref_kind(r) != JV_KIND_ARRAY && ref_kind(r) != JV_KIND_OBJECT)
                return;
        REF_EACH(m, r)
        {
                const struct path *here = m.key ? AT_KEY(at, m.key) : AT_INDEX(at, m.i);

                if (m.key && control_of(m.key) >= 0)
                        report(s, here, control_of(m.key), "key");
                else if (!m.key || !is_free(m.key))
                        walk(s, m.item, here);
        }
}

void rule_control_characters(const struct subject *s)
{
        walk(s, s->vm, NULL);
}
