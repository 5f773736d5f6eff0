/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "utf8.h"

/* A string value of a NUL and the text. No text of a document can look like one, since a NUL inside
 * a text is refused wherever texts come in. */
void json_keep_begin(struct buf *text)
{
        buf_addc(text, '\0');
}

jv json_keep(const struct buf *text)
{
        return jv_string_sized(text->s, (int)text->len);
}

const char *json_kept(const jv *v)
{
        if (!jvx_is(v, JV_KIND_STRING))
                return NULL;
        const char *s = jv_string_value(*v);

        /* Short of the length call for every text: a NUL first means empty or kept. */
        if (s[0] != '\0' || jv_string_length_bytes(jv_copy(*v)) == 0)
                return NULL;
        return s + 1;
}

jv json_int_digits(const char *digits, size_t len)
{
        BUF_AUTO struct buf b = BUF_INIT;

        json_keep_begin(&b);
        buf_add(&b, digits, len);
        double d = strtod(b.s + 1, NULL);

        return fabs(d) < JSON_EXACT ? jv_number(d) : json_keep(&b);
}

jv json_int(long long n)
{
        if (fabs((double)n) < JSON_EXACT)
                return jv_number((double)n);
        char digits[24];
        int len = snprintf(digits, sizeof digits, "%lld", n);

        return json_int_digits(digits, (size_t)len);
}

const char *json_bigint(const jv *v)
{
        const char *text = json_kept(v);

        return text && *text != '{' && *text != '[' ? text : NULL;
}

long long json_parse_int(const char *digits, long long fallback)
{
        char *end;

        errno = 0;
        long long n = strtoll(digits, &end, 10);

        return errno || *end || end == digits ? fallback : n;
}

/* --- printing ------------------------------------------------------------------------------- */

void json_print_text(const char *s, size_t len, struct buf *out)
{
        buf_addc(out, '"');
        for (size_t i = 0, from = 0; i <= len; i++) {
                i += utf8_plain(s + i, len - i);
                unsigned char c = i < len ? (unsigned char)s[i] : '"';

                if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F)
                        continue;
                buf_add(out, s + from, i - from);
                from = i + 1;
                if (i == len)
                        break;
                if (c == '"' || c == '\\')
                        buf_add(out, (char[]){ '\\', (char)c }, 2);
                else if (c == '\n')
                        buf_adds(out, "\\n");
                else if (c == '\t')
                        buf_adds(out, "\\t");
                else
                        buf_addf(out, "\\u%04x", c);
        }
        buf_addc(out, '"');
}

/* The fewest digits that read back as d, as "d.ddde[-]xx"; returns the decimal exponent. */
static int shortest_digits(double d, char *text, size_t size)
{
        for (int precision = 0; precision < 17; precision++) {
                (void)snprintf(text, size, "%.*e", precision, d);
                if (strtod(text, NULL) == d)
                        break;
        }
        return (int)strtol(strchr(text, 'e') + 1, NULL, 10);
}

/* As Go's encoding/json prints a float64: positional from 1e-6 to below 1e21. */
static void print_double(double d, struct buf *out)
{
        char text[40], digits[40] = "";
        int exponent = shortest_digits(d, text, sizeof text), n = 0;

        if (d < 0)
                buf_addc(out, '-');
        for (const char *p = text; *p != 'e'; p++)
                if (*p >= '0' && *p <= '9')
                        digits[n++] = *p;
        if (exponent < -6 || exponent >= 21) {
                buf_addf(out, "%c%s%.*s", digits[0], n > 1 ? "." : "", n - 1, digits + 1);
                buf_addf(out, exponent < 0 ? "e-%d" : "e+%d", abs(exponent));
                return;
        }
        if (exponent < 0)
                buf_addf(out, "0.%.*s", -exponent - 1, "000000");
        for (int i = 0; i < n || i <= exponent; i++) {
                if (i == exponent + 1 && exponent >= 0)
                        buf_addc(out, '.');
                buf_adds(out, i < n ? (char[]){ digits[i], '\0' } : "0");
        }
}

static void print_number(double d, struct buf *out)
{
        if (!isfinite(d)) /* none is read; JSON has no text for it */
                buf_adds(out, "null");
        else if (d == floor(d) && fabs(d) < JSON_EXACT)
                buf_addf(out, "%lld", (long long)d);
        else
                print_double(d, out);
}

/* No text has a NUL inside, and what is kept has one in front: what libjq holds ends where strlen()
 * says. */
static void print_string(const jv *v, struct buf *out)
{
        const char *s = jv_string_value(*v), *kept = *s ? NULL : json_kept(v);

        if (kept)
                buf_adds(out, kept);
        else
                json_print_text(s, strlen(s), out);
}

static void print_array(const jv *v, struct buf *out)
{
        int n = jv_array_length(jv_copy(*v));

        buf_addc(out, '[');
        for (int i = 0; i < n; i++) {
                JVX_AUTO jv item = jv_array_get(jv_copy(*v), i);

                if (i)
                        buf_addc(out, ',');
                json_print(&item, out);
        }
        buf_addc(out, ']');
}

static void print_object(const jv *v, struct buf *out)
{
        bool first = true;

        buf_addc(out, '{');
        jv_object_foreach(*v, k, val) {
                JVX_AUTO jv key = k;
                JVX_AUTO jv value = val;

                if (!first)
                        buf_addc(out, ',');
                first = false;
                json_print(&key, out);
                buf_addc(out, ':');
                json_print(&value, out);
        }
        buf_addc(out, '}');
}

void json_print(const jv *v, struct buf *out)
{
        switch (jv_get_kind(*v)) {
        case JV_KIND_INVALID:
        case JV_KIND_NULL:
                buf_adds(out, "null");
                break;
        case JV_KIND_FALSE:
                buf_adds(out, "false");
                break;
        case JV_KIND_TRUE:
                buf_adds(out, "true");
                break;
        case JV_KIND_NUMBER:
                print_number(jv_number_value(*v), out);
                break;
        case JV_KIND_STRING:
                print_string(v, out);
                break;
        case JV_KIND_ARRAY:
                print_array(v, out);
                break;
        case JV_KIND_OBJECT:
                print_object(v, out);
                break;
        }
}

jv json_text(const jv *v)
{
        BUF_AUTO struct buf b = BUF_INIT;

        json_print(v, &b);
        return jv_string_sized(b.s, (int)b.len);
}
