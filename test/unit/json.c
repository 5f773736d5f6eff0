/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include <limits.h>
#include <math.h>

#include "array.h"
#include "check.h"
#include "feed.h"
#include "jvx.h"
#include "ref.h"

/* Read one value; its text again in `out`, or what is wrong. */
static int read_one(const char *text, size_t len, struct buf *out)
{
        struct input in;
        struct places places = PLACES_INIT;
        struct json_error err;
        jv v = jv_invalid();
        int fd = feed(text, len);

        input_open(&in, fd, 1 << 24);
        int got = json_next(&in, &v, &(struct json_reading){ .places = &places }, &err);

        buf_clear(out);
        if (got > 0)
                json_print(&v, out);
        else if (got < 0)
                buf_addf(out, "%u:%u: %s", err.at.line, err.at.column, err.text);
        jv_free(v);
        places_release(&places);
        input_close(&in);
        CHECK(close(fd) == 0);
        return got;
}

static void test_round_trip(void)
{
        static const char *const cases[][2] = {
                { "{}", "{}" },
                { " [ ] ", "[]" },
                { "{\"b\": 1, \"a\" :[true,false,null]}", "{\"b\":1,\"a\":[true,false,null]}" },
                { "\"\\u0041\\n\\t\\\"\\\\\\/\\b\"", "\"A\\n\\t\\\"\\\\/\\u0008\"" },
                { "\"\\ud83d\\ude00\\u00e9\"", "\"\xF0\x9F\x98\x80\xC3\xA9\"" },
                { "\"\\u007f\"", "\"\\u007f\"" },
                { "9007199254740992", "9007199254740992" },
                { "9007199254740993", "9007199254740993" },
                { "-9223372036854775808", "-9223372036854775808" },
                { "18446744073709551615", "18446744073709551615" },
                { "123456789012345678901234567890", "123456789012345678901234567890" },
                { "-0", "0" },
                { "1.0", "1" },
                { "1.5", "1.5" },
                { "1e3", "1000" },
                { "1E16", "10000000000000000" },
                { "1e20", "100000000000000000000" },
                { "1e21", "1e+21" },
                { "1.5e21", "1.5e+21" },
                { "1e-6", "0.000001" },
                { "1.25e-7", "1.25e-7" },
                { "-1.5e-10", "-1.5e-10" },
                { "0.1", "0.1" },
                { "0.30000000000000004", "0.30000000000000004" },
                { "123.456", "123.456" },
                { "5e-324", "5e-324" },
                { "1.7976931348623157e308", "1.7976931348623157e+308" },
                { "{\"a\":1,\"a\":2}", "{\"a\":2}" },
        };
        BUF_AUTO struct buf out = BUF_INIT;

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
                (void)read_one(cases[i][0], strlen(cases[i][0]), &out);
                CHECK_STR(out.s, cases[i][1]);
        }
}

static void test_refused(void)
{
        static const char *const cases[][2] = {
                { "{", "1:2: the text ends inside a value" },
                { "{\"a\" 1}", "1:6: unexpected '1' behind a key" },
                { "{\"a\":1,}", "1:8: unexpected '}' where a key is expected" },
                { "[1,]", "1:4: unexpected ']' where a value is expected" },
                { "[1 2]", "1:4: unexpected '2' in a list" },
                { "[\n 01]", "2:4: unexpected ']' in a number" },
                { "1.", "1:3: the text ends inside a value" },
                { "[1.x]", "1:4: unexpected 'x' in a number" },
                { "[1ex]", "1:4: unexpected 'x' in a number" },
                { "-", "1:2: the text ends inside a value" },
                { "[-a]", "1:3: unexpected 'a' in a number" },
                { "nul", "1:4: 'nul' is no value" },
                { "{a:1}", "1:2: unexpected 'a' where a key is expected" },
                { "\"a\nb\"", "1:3: unexpected byte 0x0a in a text" },
                { "\"\\q\"", "1:3: unexpected 'q' behind a backslash" },
                { "\"\\u12g4\"", "1:6: unexpected 'g' in a \\u escape" },
                { "\"\\u0000\"", "1:8: a NUL character in a text" },
                { "\"\\ud800x\"", "1:8: half a surrogate pair" },
                { "\"\\ud800\\u0041\"", "1:14: half a surrogate pair" },
                { "\"\\udc00\"", "1:8: half a surrogate pair" },
                { "\"\xFF\"", "1:4: a text that is not UTF-8" },
                { "1e999", "1:6: a number beyond what a double holds" },
                { "\x01", "1:1: unexpected byte 0x01 where a value is expected" },
        };
        BUF_AUTO struct buf out = BUF_INIT;

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
                CHECK(read_one(cases[i][0], strlen(cases[i][0]), &out) == -1);
                CHECK_STR(out.s, cases[i][1]);
        }
        CHECK(read_one("\"a\0b\"", 5, &out) == -1);
        CHECK(read_one(" \n\t ", 4, &out) == 0);
}

static void test_bounds(void)
{
        BUF_AUTO struct buf text = BUF_INIT;
        BUF_AUTO struct buf out = BUF_INIT;

        for (int i = 0; i < JSON_DEPTH; i++)
                buf_addc(&text, '[');
        for (int i = 0; i < JSON_DEPTH; i++)
                buf_addc(&text, ']');
        CHECK(read_one(text.s, text.len, &out) == 1);
        buf_clear(&text);
        for (int i = 0; i < 1000000; i++)
                buf_adds(&text, "{\"a\":");
        CHECK(read_one(text.s, text.len, &out) == -1);
        CHECK(strstr(out.s, "nested deeper than 256"));
        buf_clear(&text);
        buf_addc(&text, '[');
        for (int i = 0; i < PLACES_MOST; i++)
                buf_adds(&text, "0,");
        buf_adds(&text, "0]");
        CHECK(read_one(text.s, text.len, &out) == -1);
        CHECK(strstr(out.s, "more than 250000 values"));
        for (int n = JSON_MEMBERS; n <= JSON_MEMBERS + 1; n++) {
                buf_clear(&text);
                for (int i = 0; i < n; i++)
                        buf_addf(&text, "%s\"k%d\": {}", i ? "," : "{", i);
                buf_addc(&text, '}');
                CHECK(read_one(text.s, text.len, &out) == (n == JSON_MEMBERS ? 1 : -1));
        }
        CHECK(strstr(out.s, "more than 10000 members in one object"));
        buf_clear(&text);
        buf_addc(&text, '"');
        for (int i = 0; i < 1 << 21; i++)
                buf_adds(&text, "xxxxxxxx");
        CHECK(read_one(text.s, text.len, &out) == -1);
        CHECK(strstr(out.s, "larger than 16 MiB"));
}

static void test_stream(void)
{
        static const char text[] = "{\"a\":1}{\"b\":2}\n[3] 4 \"5\"";
        struct input in;
        struct json_error err;
        int fd = feed(text, strlen(text)), n = 0;
        jv v;

        input_open(&in, fd, 1 << 20);
        while (json_next(&in, &v, &(struct json_reading){ 0 }, &err) > 0) {
                jv_free(v);
                n++;
        }
        CHECK(n == 5);
        input_close(&in);
        CHECK(close(fd) == 0);

        /* The first value is there before the second is sent. */
        int ends[2];

        CHECK(pipe(ends) == 0 && write(ends[1], "{\"a\":1}", 7) == 7);
        input_open(&in, ends[0], 1 << 20);
        CHECK(json_next(&in, &v, &(struct json_reading){ 0 }, &err) == 1);
        jv_free(v);
        input_close(&in);
        CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static int nodes_of(const char *text)
{
        struct places p = PLACES_INIT;
        struct input in;
        struct json_error err;
        jv v = jv_invalid();

        input_open_text(&in, text, strlen(text), 1 << 20);
        CHECK(json_next(&in, &v, &(struct json_reading){ .places = &p, .mark = "m" }, &err) == 1);
        int n = p.n;

        jv_free(v);
        places_release(&p);
        input_close(&in);
        return n;
}

static void test_marked(void)
{
        CHECK(nodes_of("{\"m\":1,\"a\":{\"b\":2}}") == 2);
        CHECK(nodes_of("{\"m\":null,\"a\":{\"b\":2}}") == 4);
        CHECK(nodes_of("{\"a\":{\"m\":2},\"m\":1,\"b\":1}") == 5);
        CHECK(nodes_of("[{\"m\":1,\"a\":{\"b\":2}}]") == 5);
}

static int read_with(const char *text, const struct json_reading *how, struct buf *out)
{
        struct input in;
        struct json_error err;
        jv v = jv_invalid();

        input_open_text(&in, text, strlen(text), 1 << 20);
        int got = json_next(&in, &v, how, &err);

        buf_clear(out);
        if (got > 0)
                json_print(&v, out);
        else
                buf_addf(out, "%u:%u: %s", err.at.line, err.at.column, err.text);
        jv_free(v);
        input_close(&in);
        return got;
}

/* A work item with these members, if it is an object. */
static const char *marked(struct buf *out, const char *text)
{
        buf_clear(out);
        buf_adds(out, *text == '{' ? "{\"m\":1," : "");
        buf_adds(out, *text == '{' ? text + 1 : text);
        return out->s;
}

/* What is kept as text comes out as what is read and printed, and is held to the same grammar. */
static void test_unread(void)
{
        static const char *const names[] = { "a", "b", NULL };
        static const char *const good[] = {
                "{\"a\": {\"x\": [1, 2.50, -0, 1e3, true, null], \"y\": {}, \"z\": [ ]}}",
                "{\"b\":[\"\\u0041\\n\\/\", \"\xC3\xA9\", 9007199254740993, {\"b\":[]}], "
                "\"c\":{\"a\":[1]}}",
                "{\"a\":7,\"b\":null}",
                "[{\"a\":[ 1 ]}]",
        };
        static const char *const bad[] = {
                "{\"a\":[1,]}",
                "{\"a\":{\"x\" 1}}",
                "{\"a\":{\"x\":1,}}",
                "{\"a\":{x:1}}",
                "{\"a\":[1 2]}",
                "{\"a\":[1",
                "{\"a\":[\"\\ud800\"]}",
                "{\"a\":[\"\\u0000\"]}",
                "{\"a\":[01]}",
                "{\"a\":[nul]}",
                "{\"a\":[1}",
                "{\"a\":[\"\xFF\"]}",
        };
        const struct json_reading whole = { 0 }, kept = { .mark = "m", .unread = names };
        const struct json_reading forgotten = { .mark = "m", .unread = names, .forget = true };
        BUF_AUTO struct buf a = BUF_INIT;
        BUF_AUTO struct buf b = BUF_INIT;
        BUF_AUTO struct buf text = BUF_INIT;

        for (size_t i = 0; i < ARRAY_LEN(good); i++) {
                (void)marked(&text, good[i]);
                CHECK(read_with(text.s, &whole, &a) == 1 && read_with(text.s, &kept, &b) == 1);
                CHECK_STR(a.s, b.s);
        }
        for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
                (void)marked(&text, bad[i]);
                CHECK(read_with(text.s, &whole, &a) == -1 && read_with(text.s, &kept, &b) == -1);
                CHECK_STR(a.s, b.s);
                CHECK(read_with(text.s, &forgotten, &b) == -1);
        }
        CHECK(read_with("{\"m\":1,\"a\":[1],\"b\":2,\"c\":3}", &forgotten, &a) == 1);
        CHECK_STR(a.s, "{\"m\":1,\"a\":null,\"b\":2,\"c\":3}");
        CHECK(read_with("{\"a\":[1],\"m\":1}", &forgotten, &a) == 1);
        CHECK_STR(a.s, "{\"a\":[1],\"m\":1}"); /* no item, or one that is not ours */
        CHECK(read_with("{\"m\":1,\"m\":null}", &forgotten, &a) == -1);
        CHECK(strstr(a.s, "'m' is given twice"));
}

static void test_unread_bounds(void)
{
        static const char *const names[] = { "a", NULL };
        const struct json_reading how = { .mark = "m", .unread = names };
        BUF_AUTO struct buf text = BUF_INIT;
        BUF_AUTO struct buf out = BUF_INIT;

        buf_adds(&text, "{\"m\":1,\"a\":");
        for (int i = 0; i < JSON_DEPTH; i++)
                buf_addc(&text, '[');
        CHECK(read_with(text.s, &how, &out) == -1);
        CHECK(strstr(out.s, "nested deeper than 256 levels"));
        buf_clear(&text);
        buf_adds(&text, "{\"m\":1,\"a\":{\"x\":1");
        for (int i = 0; i < JSON_MEMBERS; i++)
                buf_adds(&text, ",\"x\":1");
        buf_adds(&text, "}}");
        CHECK(read_with(text.s, &how, &out) == -1);
        CHECK(strstr(out.s, "more than 10000 members in one object"));
}

static void test_view_of_unread(void)
{
        BUF_AUTO struct buf text = BUF_INIT;

        json_keep_begin(&text);
        buf_adds(&text, "[1]");
        JVX_AUTO jv v = json_keep(&text);

        CHECK_STR(json_kept(&v), "[1]");
        CHECK(!json_bigint(&v) && ref_is_set(ref_of(&v)) && !ref_str(ref_of(&v)));
        CHECK(ref_kind(ref_of(&v)) == JV_KIND_INVALID && ref_len(ref_of(&v)) == 0);
}

static void test_places(void)
{
        static const char text[] =
                "{\n \"a\": {\"\xC3\xA9\": 1, \"b\": [1, {\"c\": 2}]},\n \"a\": 3}";
        struct input in;
        struct json_error err;
        struct places p = PLACES_INIT;
        int fd = feed(text, strlen(text));
        jv v;

        input_open(&in, fd, 1 << 20);
        CHECK(json_next(&in, &v, &(struct json_reading){ .places = &p }, &err) == 1);
        jv_free(v);
        CHECK(p.n_again == 1 && p.again[0].at.line == 3 && p.again[0].at.column == 2);
        CHECK(places_at(&p, NULL, AT(NULL, "a")).line == 3);
        CHECK(p.nodes[3].at_key.column == 16); /* characters, not bytes */
        places_release(&p);
        input_close(&in);
        CHECK(close(fd) == 0);
}

static void test_int(void)
{
        JVX_AUTO jv small = json_int(-5), big = json_int(LLONG_MIN), text = jv_string("");

        CHECK(json_bigint(&small) == NULL && json_bigint(&text) == NULL);
        CHECK_STR(json_bigint(&big), "-9223372036854775808");
        CHECK(ref_int(ref_of(&big), 0) == LLONG_MIN && ref_int(ref_of(&small), 0) == -5);
        CHECK(ref_kind(ref_of(&big)) == JV_KIND_NUMBER && ref_str(ref_of(&big)) == NULL);
        CHECK(json_parse_int("18446744073709551615", -7) == -7);
        CHECK(json_parse_int("", -7) == -7 && json_parse_int("1x", -7) == -7);
        JVX_AUTO jv list = jv_array_append(jv_array(), jv_copy(big));
        JVX_AUTO jv printed = json_text(&list);

        CHECK_STR(jv_string_value(printed), "[-9223372036854775808]");
        JVX_AUTO jv endless = jv_number(INFINITY);
        JVX_AUTO jv nothing = json_text(&endless);

        CHECK_STR(jv_string_value(nothing), "null");
}

int main(void)
{
        test_round_trip();
        test_refused();
        test_bounds();
        test_stream();
        test_places();
        test_marked();
        test_unread();
        test_unread_bounds();
        test_view_of_unread();
        test_int();
        return 0;
}
