/* SPDX-License-Identifier: Apache-2.0 */
/* json.h: from text to values. */
#include "json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "utf8.h"

struct reader {
        struct input *in;
        const struct json_reading *how;
        struct places *places; /* how->places; NULL in a work item */
        bool is_item;
        struct json_error *err;
        const char *text; /* the last one read: in the input where it stands so, else in token */
        size_t len;
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

static bool refuse(struct reader *r, int c, const char *where)
{
        (void)fail_byte(r, c, where);
        return false;
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

                if (digit < 0)
                        return refuse(r, c, "in a \\u escape");
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
        if (!at)
                return refuse(r, c, "behind a backslash");
        input_skip(r->in);
        buf_addc(&r->token, to[at - from]);
        return true;
}

/* Of what has been read already, the bytes that stand for themselves: none is a line break. True:
 * all of them are ASCII. */
static bool take_plain(struct reader *r)
{
        struct input *in = r->in;
        size_t from = in->pos;
        bool ascii = true;

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
                ascii = ascii && c < 0x80;
        }
        buf_add(&r->token, in->data + from, in->pos - from);
        return ascii;
}

/* Most texts end where their plain bytes do. */
static bool read_plain_text(struct reader *r)
{
        struct input *in = r->in;
        const char *from = in->data + in->pos;
        size_t n = utf8_plain(from, in->len - in->pos);

        if (in->pos + n == in->len || from[n] != '"')
                return false;
        r->text = from;
        r->len = n;
        in->pos += n + 1;
        in->column += n + 1;
        return true;
}

static bool read_escaped_text(struct reader *r)
{
        bool ascii = true;
        int c;

        buf_clear(&r->token);
        while ((c = input_peek(r->in)) != '"') {
                if (c < 0x20)
                        return refuse(r, c, "in a text");
                if (c != '\\') {
                        ascii &= take_plain(r);
                        continue;
                }
                input_skip(r->in);
                if (!read_escape(r))
                        return false;
        }
        input_skip(r->in);
        if (!ascii && !utf8_valid(r->token.s, r->token.len)) {
                (void)fail(r, "a text that is not UTF-8");
                return false;
        }
        r->text = r->token.s;
        r->len = r->token.len;
        return true;
}

/* A text, from behind its opening quote. It is good until the next byte is read. */
static bool read_text(struct reader *r)
{
        return read_plain_text(r) || read_escaped_text(r);
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

static jv read_word_or_number(struct reader *r, int c)
{
        return c == '-' || (c >= '0' && c <= '9') ? read_number(r) : read_word(r);
}

/* --- bounds ---------------------------------------------------------------------------------- */

static bool go_deeper(struct reader *r)
{
        if (++r->depth > JSON_DEPTH)
                (void)fail(r, "nested deeper than %d levels", JSON_DEPTH);
        return r->depth <= JSON_DEPTH;
}

static bool count_member(struct reader *r, int members)
{
        if (members > JSON_MEMBERS)
                (void)fail(r, "more than %d members in one object", JSON_MEMBERS);
        return members <= JSON_MEMBERS;
}

static bool count_value(struct reader *r)
{
        if (++r->values > PLACES_MOST)
                (void)fail(r, "more than %d values in one document", PLACES_MOST);
        return r->values <= PLACES_MOST;
}

/* --- what nobody looks into ------------------------------------------------------------------ */

static bool copy_value(struct reader *r, struct buf *out);

static void copy_byte(struct reader *r, struct buf *out)
{
        buf_addc(out, (char)input_peek(r->in));
        input_skip(r->in);
}

static bool copy_text(struct reader *r, struct buf *out)
{
        input_skip(r->in);
        if (!read_text(r))
                return false;
        if (!r->how->forget)
                json_print_text(r->text, r->len, out);
        return true;
}

static bool copy_key(struct reader *r, struct buf *out)
{
        int c = skip_space(r);

        if (c != '"')
                return refuse(r, c, "where a key is expected");
        if (!copy_text(r, out))
                return false;
        c = skip_space(r);
        if (c != ':')
                return refuse(r, c, "behind a key");
        copy_byte(r, out);
        return true;
}

/* From behind the bracket that opens them, up to the one that closes them. */
static bool copy_members(struct reader *r, char close, struct buf *out)
{
        int c = skip_space(r);

        for (int members = 1; c != close; members++) {
                if (close == '}' && (!count_member(r, members) || !copy_key(r, out)))
                        return false;
                if (!copy_value(r, out))
                        return false;
                c = skip_space(r);
                if (c != ',' && c != close)
                        return refuse(r, c, close == '}' ? "in an object" : "in a list");
                if (c == ',')
                        copy_byte(r, out);
        }
        copy_byte(r, out);
        return true;
}

static bool copy_container(struct reader *r, char close, struct buf *out)
{
        if (!go_deeper(r))
                return false;
        copy_byte(r, out);
        bool good = copy_members(r, close, out);

        r->depth--;
        return good;
}

static bool copy_value(struct reader *r, struct buf *out)
{
        int c = skip_space(r);

        if (!count_value(r))
                return false;
        if (c == '{' || c == '[')
                return copy_container(r, c == '{' ? '}' : ']', out);
        if (c == '"')
                return copy_text(r, out);
        JVX_AUTO jv v = read_word_or_number(r, c);

        if (jv_is_valid(v))
                json_print(&v, out);
        return jv_is_valid(v);
}

static bool is_unread(const struct reader *r, const char *key)
{
        if (r->is_item && r->depth == 1 && key && r->how->unread)
                for (const char *const *name = r->how->unread; *name; name++)
                        if (strcmp(*name, key) == 0)
                                return true;
        return false;
}

static jv read_unread(struct reader *r, int c)
{
        BUF_AUTO struct buf text = BUF_INIT;

        json_keep_begin(&text);
        if (!copy_container(r, c == '{' ? '}' : ']', &text))
                return jv_invalid();
        return r->how->forget ? jv_null() : json_keep(&text);
}

/* --- values ------------------------------------------------------------------------------- */

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

static bool is_mark(const struct reader *r, const jv *key)
{
        return r->how->mark && strcmp(jv_string_value(*key), r->how->mark) == 0;
}

/* The mark's value is read. False, after fail(): it is there again, and may say something else. */
static bool take_mark(struct reader *r, const jv *value)
{
        if (r->is_item) {
                (void)fail(r, "'%s' is given twice", r->how->mark);
                return false;
        }
        r->is_item = r->values == 2 && jvx_is(value, JV_KIND_NUMBER);
        if (r->is_item)
                r->places = NULL;
        return true;
}

/* One "key": value of an object. */
static bool read_member(struct reader *r, int me, jv *object)
{
        int c = skip_space(r);
        struct place at = here(r);

        if (c != '"')
                return refuse(r, c, "where a key is expected");
        input_skip(r->in);
        if (!read_text(r))
                return false;
        JVX_AUTO jv key = keys_get(r->how->keys, r->text, r->len);

        c = skip_space(r);
        if (c != ':')
                return refuse(r, c, "behind a key");
        input_skip(r->in);
        if (r->places && jv_object_has(jv_copy(*object), jv_copy(key)))
                places_add_again(r->places, r->places->n, at); /* the node that comes next */
        jv value = read_value(r, me, jv_string_value(key), at);

        if (!jv_is_valid(value))
                return false;
        if (r->depth == 1 && is_mark(r, &key) && !take_mark(r, &value))
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
                if (!count_member(r, members) || !read_member(r, me, &object))
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
        if (!go_deeper(r))
                return jv_invalid();
        input_skip(r->in);
        jv v = c == '{' ? read_object(r, me) : read_array(r, me);

        r->depth--;
        return v;
}

static jv read_value(struct reader *r, int parent, const char *key, struct place at_key)
{
        int c = skip_space(r);

        if (!count_value(r))
                return jv_invalid();
        int me = r->places ? places_add(r->places, parent, key, at_key, here(r), NULL) : -1;

        if (c == '{' || c == '[')
                return is_unread(r, key) ? read_unread(r, c) : read_container(r, c, me);
        if (c != '"')
                return read_word_or_number(r, c);
        input_skip(r->in);
        return read_text(r) ? jv_string_sized(r->text, (int)r->len) : jv_invalid();
}

int json_next(struct input *in, jv *ret, const struct json_reading *how, struct json_error *err)
{
        struct reader r = {
                .in = in, .how = how, .places = how->places, .err = err, .token = BUF_INIT
        };

        err->text[0] = '\0';
        if (how->places)
                places_clear(how->places);
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
