/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "utf8.h"

/*
 * A whole number that no double holds is kept as a string value of a NUL and its digits. No text of
 * a document can look like one, since a NUL inside a text is refused wherever texts come in.
 */
jv json_int_digits(const char *digits, size_t len)
{
        BUF_AUTO struct buf b = BUF_INIT;

        buf_add(&b, digits, len);
        double d = strtod(b.s, NULL);

        if (fabs(d) < JSON_EXACT)
                return jv_number(d);
        buf_clear(&b);
        buf_addc(&b, '\0');
        buf_add(&b, digits, len);
        return jv_string_sized(b.s, (int)b.len);
}

jv json_int(long long n)
{
        char digits[24];
        int len = snprintf(digits, sizeof digits, "%lld", n);

        return json_int_digits(digits, (size_t)len);
}

const char *json_bigint(const jv *v)
{
        if (!jvx_is(v, JV_KIND_STRING))
                return NULL;
        const char *s = jv_string_value(*v);

        /* Short of the length call for every text: a NUL first means empty or a number. */
        if (s[0] != '\0' || jv_string_length_bytes(jv_copy(*v)) == 0)
                return NULL;
        return s + 1;
}

long long json_parse_int(const char *digits, long long fallback)
{
        char *end;

        errno = 0;
        long long n = strtoll(digits, &end, 10);

        return errno || *end || end == digits ? fallback : n;
}

/* --- printing ------------------------------------------------------------------------------- */

static void print_string(const char *s, size_t len, struct buf *out)
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
        const char *big;

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
                big = json_bigint(v);
                if (big)
                        buf_adds(out, big);
                else
                        print_string(jv_string_value(*v),
                                     (size_t)jv_string_length_bytes(jv_copy(*v)), out);
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

/* --- reading -------------------------------------------------------------------------------- */

struct reader {
        struct input *in;
        struct places *places;
        struct keys *keys;
        struct json_error *err;
        struct buf token;
        int depth;
        int values;
};

static struct place here(const struct reader *r)
{
        return (struct place){ r->in->line, (unsigned)r->in->column };
}

static jv fail(struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static jv fail(struct reader *r, const char *fmt, ...)
{
        va_list ap;

        if (r->err->text[0])
                return jv_invalid();
        va_start(ap, fmt);
        (void)vsnprintf(r->err->text, sizeof r->err->text, fmt, ap);
        va_end(ap);
        r->err->at = here(r);
        return jv_invalid();
}

/* Why there is no next byte. */
static jv fail_end(struct reader *r)
{
        if (r->in->error)
                return fail(r, "%s", strerror(r->in->error));
        if (r->in->too_large)
                return fail(r, "the document is larger than %zu MiB; split it up",
                            r->in->limit >> 20);
        return fail(r, "the text ends inside a value");
}

static jv fail_byte(struct reader *r, int c, const char *where)
{
        if (c < 0)
                return fail_end(r);
        if (c < 0x20 || c >= 0x7F)
                return fail(r, "unexpected byte 0x%02x %s", (unsigned)c, where);
        return fail(r, "unexpected '%c' %s", c, where);
}

static int skip_space(struct reader *r)
{
        int c;

        while ((c = input_peek(r->in)) == ' ' || c == '\n' || c == '\r' || c == '\t')
                input_skip(r->in);
        return c;
}

static bool read_hex4(struct reader *r, unsigned *ret)
{
        unsigned v = 0;

        for (int i = 0; i < 4; i++) {
                int c = input_peek(r->in);
                int digit = c >= '0' && c <= '9'   ? c - '0'
                            : c >= 'a' && c <= 'f' ? c - 'a' + 10
                            : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                   : -1;

                if (digit < 0) {
                        (void)fail_byte(r, c, "in a \\u escape");
                        return false;
                }
                v = v << 4 | (unsigned)digit;
                input_skip(r->in);
        }
        *ret = v;
        return true;
}

/* Behind "\u": one character, which may take a second escape. */
static bool read_unicode(struct reader *r)
{
        unsigned c, low;

        if (!read_hex4(r, &c))
                return false;
        if (c >= 0xD800 && c < 0xDC00) {
                if (input_peek(r->in) == '\\')
                        input_skip(r->in);
                if (input_peek(r->in) != 'u') {
                        (void)fail(r, "half a surrogate pair");
                        return false;
                }
                input_skip(r->in);
                if (!read_hex4(r, &low))
                        return false;
                if (low < 0xDC00 || low > 0xDFFF) {
                        (void)fail(r, "half a surrogate pair");
                        return false;
                }
                c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        } else if (c >= 0xDC00 && c < 0xE000) {
                (void)fail(r, "half a surrogate pair");
                return false;
        }
        if (c == 0) {
                (void)fail(r, "a NUL character in a text");
                return false;
        }
        utf8_add(&r->token, c);
        return true;
}

static bool read_escape(struct reader *r)
{
        static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
        int c = input_peek(r->in);
        const char *at = c > 0 ? strchr(from, c) : NULL;

        if (c == 'u') {
                input_skip(r->in);
                return read_unicode(r);
        }
        if (!at) {
                (void)fail_byte(r, c, "behind a backslash");
                return false;
        }
        input_skip(r->in);
        buf_addc(&r->token, to[at - from]);
        return true;
}

/* Of what has been read already, the bytes that stand for themselves: none is a line break. */
static void take_plain(struct reader *r)
{
        struct input *in = r->in;
        size_t from = in->pos;

        while (in->pos < in->len) {
                size_t n = utf8_plain(in->data + in->pos, in->len - in->pos);

                in->column += n;
                in->pos += n;
                if (in->pos == in->len)
                        break;
                unsigned char c = (unsigned char)in->data[in->pos];

                if (c < 0x20 || c == '"' || c == '\\')
                        break;
                in->column += (c & 0xC0) != 0x80;
                in->pos++;
        }
        buf_add(&r->token, in->data + from, in->pos - from);
}

/* A text, from behind its opening quote, into r->token. */
static bool read_text(struct reader *r)
{
        int c;

        buf_clear(&r->token);
        while ((c = input_peek(r->in)) != '"') {
                if (c < 0x20) {
                        (void)fail_byte(r, c, "in a text");
                        return false;
                }
                if (c != '\\') {
                        take_plain(r);
                        continue;
                }
                input_skip(r->in);
                if (!read_escape(r))
                        return false;
        }
        input_skip(r->in);
        if (!utf8_valid(r->token.s, r->token.len)) {
                (void)fail(r, "a text that is not UTF-8");
                return false;
        }
        return true;
}

/* Digits into the token; how many. */
static size_t read_digits(struct reader *r)
{
        size_t n = 0;
        int c;

        while ((c = input_peek(r->in)) >= '0' && c <= '9') {
                buf_addc(&r->token, (char)c);
                input_skip(r->in);
                n++;
        }
        return n;
}

/* If one of `set` is next, take it into the token. */
static bool take_one_of(struct reader *r, const char *set)
{
        int c = input_peek(r->in);

        if (c <= 0 || !strchr(set, c))
                return false;
        buf_addc(&r->token, (char)c);
        input_skip(r->in);
        return true;
}

static jv read_number(struct reader *r)
{
        bool whole = true;

        buf_clear(&r->token);
        (void)take_one_of(r, "-");
        size_t sign = r->token.len, n = read_digits(r);

        if (n == 0 || (n > 1 && r->token.s[sign] == '0'))
                return fail_byte(r, input_peek(r->in), "in a number");
        if (take_one_of(r, ".")) {
                whole = false;
                if (read_digits(r) == 0)
                        return fail_byte(r, input_peek(r->in), "in a number");
        }
        if (take_one_of(r, "eE")) {
                whole = false;
                (void)take_one_of(r, "+-");
                if (read_digits(r) == 0)
                        return fail_byte(r, input_peek(r->in), "in a number");
        }
        if (whole)
                return json_int_digits(r->token.s, r->token.len);
        double d = strtod(r->token.s, NULL);

        return isfinite(d) ? jv_number(d) : fail(r, "a number beyond what a double holds");
}

static jv read_word(struct reader *r)
{
        int c;

        buf_clear(&r->token);
        while ((c = input_peek(r->in)) >= 'a' && c <= 'z') {
                buf_addc(&r->token, (char)c);
                input_skip(r->in);
        }
        if (strcmp(r->token.s, "true") == 0)
                return jv_true();
        if (strcmp(r->token.s, "false") == 0)
                return jv_false();
        if (strcmp(r->token.s, "null") == 0)
                return jv_null();
        return r->token.len ? fail(r, "'%.20s' is no value", r->token.s)
                            : fail_byte(r, c, "where a value is expected");
}

static jv read_value(struct reader *r, int parent, const char *key, struct place at_key);

static jv read_array(struct reader *r, int me)
{
        JVX_AUTO jv list = jv_array();

        if (skip_space(r) == ']') {
                input_skip(r->in);
                return jvx_take(&list);
        }
        for (;;) {
                jv item = read_value(r, me, NULL, (struct place){ 0, 0 });

                if (!jv_is_valid(item))
                        return item;
                list = jv_array_append(list, item);
                int c = skip_space(r);

                if (c != ',' && c != ']')
                        return fail_byte(r, c, "in a list");
                input_skip(r->in);
                if (c == ']')
                        return jvx_take(&list);
        }
}

/* One "key": value of an object. */
static bool read_member(struct reader *r, int me, jv *object)
{
        int c = skip_space(r);
        struct place at = here(r);

        if (c != '"') {
                (void)fail_byte(r, c, "where a key is expected");
                return false;
        }
        input_skip(r->in);
        if (!read_text(r))
                return false;
        JVX_AUTO jv key = keys_get(r->keys, r->token.s, r->token.len);

        c = skip_space(r);
        if (c != ':') {
                (void)fail_byte(r, c, "behind a key");
                return false;
        }
        input_skip(r->in);
        if (r->places && jv_object_has(jv_copy(*object), jv_copy(key)))
                places_add_again(r->places, r->places->n, at); /* the node that comes next */
        jv value = read_value(r, me, jv_string_value(key), at);

        if (!jv_is_valid(value))
                return false;
        *object = jv_object_set(*object, jvx_take(&key), value);
        return true;
}

static jv read_object(struct reader *r, int me)
{
        JVX_AUTO jv object = jv_object();

        if (skip_space(r) == '}') {
                input_skip(r->in);
                return jvx_take(&object);
        }
        for (int members = 1;; members++) {
                if (members > JSON_MEMBERS)
                        return fail(r, "more than %d members in one object", JSON_MEMBERS);
                if (!read_member(r, me, &object))
                        return jv_invalid();
                int c = skip_space(r);

                if (c != ',' && c != '}')
                        return fail_byte(r, c, "in an object");
                input_skip(r->in);
                if (c == '}')
                        return jvx_take(&object);
        }
}

static jv read_container(struct reader *r, int c, int me)
{
        if (++r->depth > JSON_DEPTH)
                return fail(r, "nested deeper than %d levels", JSON_DEPTH);
        input_skip(r->in);
        jv v = c == '{' ? read_object(r, me) : read_array(r, me);

        r->depth--;
        return v;
}

static jv read_value(struct reader *r, int parent, const char *key, struct place at_key)
{
        int c = skip_space(r);

        if (++r->values > PLACES_MOST)
                return fail(r, "more than %d values in one document", PLACES_MOST);
        int me = r->places ? places_add(r->places, parent, key, at_key, here(r), NULL) : -1;

        if (c == '{' || c == '[')
                return read_container(r, c, me);
        if (c == '"') {
                input_skip(r->in);
                return read_text(r) ? jv_string_sized(r->token.s, (int)r->token.len) : jv_invalid();
        }
        if (c == '-' || (c >= '0' && c <= '9'))
                return read_number(r);
        return read_word(r);
}

int json_next(struct input *in, jv *ret, const struct json_reading *how, struct json_error *err)
{
        struct reader r = { .in = in,
                            .places = how->places,
                            .keys = how->keys,
                            .err = err,
                            .token = BUF_INIT };

        err->text[0] = '\0';
        if (r.places)
                places_clear(r.places);
        int c = skip_space(&r);

        if (c < 0 && !in->error && !in->too_large)
                return 0;
        jv v = read_value(&r, -1, NULL, (struct place){ 0, 0 });

        buf_release(&r.token);
        if (!jv_is_valid(v))
                return -1;
        *ret = v;
        return 1;
}
