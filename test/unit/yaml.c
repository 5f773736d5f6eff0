/* SPDX-License-Identifier: Apache-2.0 */
#include "yaml.h"

#include "array.h"
#include "check.h"
#include "feed.h"
#include "json.h"
#include "jvx.h"
#include "mem.h"

/* A stream that is read document by document. */
struct stream {
        struct input in;
        struct places places;
        struct json_error err;
        struct buf json; /* of the last document */
        int fd;
};

static void open_bytes(struct stream *s, const char *text, size_t len)
{
        *s = (struct stream){ .places = PLACES_INIT, .json = BUF_INIT, .fd = feed(text, len) };
        input_open(&s->in, s->fd, (size_t)64 << 20);
}

static void open_text(struct stream *s, const char *text)
{
        open_bytes(s, text, strlen(text));
}

static int next(struct stream *s)
{
        jv v = jv_invalid();
        int got = yaml_next(&s->in, &v, &s->places, &s->err);

        buf_clear(&s->json);
        if (got > 0)
                json_print(&v, &s->json);
        jv_free(v);
        return got;
}

static void close_stream(struct stream *s)
{
        input_close(&s->in);
        places_release(&s->places);
        buf_release(&s->json);
        CHECK(close(s->fd) == 0);
}

/* One document and what it is in JSON; "!": it is refused at line:column, with the text in it. */
static void test_values(void)
{
        static const char *const cases[][2] = {
                { "a: 1\nb: [x, 'y', \"z\\n\"]\n", "{\"a\":1,\"b\":[\"x\",\"y\",\"z\\n\"]}" },
                { "a: yes\nb: 'yes'\nc: |\n  yes\n",
                  "{\"a\":true,\"b\":\"yes\",\"c\":\"yes\\n\"}" },
                { "on: 1\n8080: 2\n~a: 3\n1.50: 4\n",
                  "{\"true\":1,\"8080\":2,\"~a\":3,\"1.5\":4}" },
                { "a:\nb: ~\nc: ''\n", "{\"a\":null,\"b\":null,\"c\":\"\"}" },
                { "{a: {b: c}, d: [1, {e: f}]}", "{\"a\":{\"b\":\"c\"},\"d\":[1,{\"e\":\"f\"}]}" },
                { "- 1\n-\n- - 2\n", "[1,null,[2]]" },
                { "  a: 1\n  b: 2\n", "{\"a\":1,\"b\":2}" },
                { "\xEF\xBB\xBF"
                  "a: 1\r\nb: 2\r\n",
                  "{\"a\":1,\"b\":2}" },
                { "a: &x {b: 1}\nc: *x\nd: [*x]\n",
                  "{\"a\":{\"b\":1},\"c\":{\"b\":1},\"d\":[{\"b\":1}]}" },
                { "a: &x 1\nb: &x 2\nc: *x\n", "{\"a\":1,\"b\":2,\"c\":2}" },
                { "&k a: 1\nb: *k\n*k : 2\n", "{\"a\":2,\"b\":\"a\"}" },
                { "a: &x [1]\nb: !!str 5\nc: !!int '7'\nd: !!float 1\ne: !!null ''\n",
                  "{\"a\":[1],\"b\":\"5\",\"c\":7,\"d\":1,\"e\":null}" },
                { "a: !!bool \"on\"\nb: !!map {}\nc: !!seq []\nd: ! yes\n",
                  "{\"a\":true,\"b\":{},\"c\":[],\"d\":\"yes\"}" },
                { "a: !!binary aGVsbG8=\nb: !!binary |\n  aGVs\n  bG8=\nc: !!timestamp "
                  "2001-01-01\n",
                  "{\"a\":\"hello\",\"b\":\"hello\",\"c\":\"2001-01-01\"}" },
                { "a: &d {x: 1, w: 2}\nb: {<<: *d, w: 3}\n",
                  "{\"a\":{\"x\":1,\"w\":2},\"b\":{\"x\":1,\"w\":3}}" },
                { "a: &d {x: 1}\nb: &e {x: 2, z: 3}\nc:\n  <<: [*d, *e]\n  w: 4\n",
                  "{\"a\":{\"x\":1},\"b\":{\"x\":2,\"z\":3},\"c\":{\"x\":1,\"z\":3,\"w\":4}}" },
                { "a: {<<: {x: 1}, !!merge <<: {w: 2}}\n", "{\"a\":{\"x\":1,\"w\":2}}" },
                { "a: {'<<': {x: 1}}\n", "{\"a\":{\"<<\":{\"x\":1}}}" },
                { "a: &d {<<: {x: 1}, w: 2}\nb: {<<: *d}\n",
                  "{\"a\":{\"x\":1,\"w\":2},\"b\":{\"x\":1,\"w\":2}}" },
                { "a: 1\na: 2\n", "{\"a\":2}" },
                { "? a\n: b\n", "{\"a\":\"b\"}" },
                { "a: \"\\u00e9\\U0001F600 \\x41\"\n", "{\"a\":\"\xC3\xA9\xF0\x9F\x98\x80 A\"}" },
                { "%YAML 1.1\n# c\n---\na: 1\n...\n", "{\"a\":1}" },
                { "a: 9007199254740993\nb: 18446744073709551615\n",
                  "{\"a\":9007199254740993,\"b\":18446744073709551615}" },
                { "a: |\n  x: ---\n   --- y\nb: '--- z'\n",
                  "{\"a\":\"x: ---\\n --- y\\n\",\"b\":\"--- z\"}" },
                { "text", "\"text\"" },
                { "a: >-\n  one\n  two\n", "{\"a\":\"one two\"}" },
                { "{\"a\": \"b\\/c\"}", "{\"a\":\"b/c\"}" },
        };

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
                struct stream s;

                open_text(&s, cases[i][0]);
                if (next(&s) != 1) {
                        fprintf(stderr, "%s: %s\n", cases[i][0], s.err.text);
                        exit(1);
                }
                CHECK_STR(s.json.s, cases[i][1]);
                CHECK(next(&s) == 0);
                CHECK(next(&s) == 0);
                close_stream(&s);
        }
}

static const struct {
        const char *text;
        unsigned line, column;
        const char *says;
} refused[] = {
        { "a:\n\tb: 1\n", 2, 1, "a tab" },
        { "a: 1\nb: \"x\nc: 2\n", 2, 4, "not closed" },
        { "a: 'x\n---\nb: 1\n", 1, 4, "not closed" },
        { "a: *nope\n", 1, 4, "no anchor &nope" },
        { "a: &x [*x]\n", 1, 8, "contain itself" },
        { "a: &x\n  b: {<<: *x}\n", 2, 11, "contain itself" },
        { "a: b: c\n", 1, 5, "quote a value" },
        { "a: [1\nb: 2\n", 2, 2, "[ is not closed" },
        { "a: @b\n", 1, 4, "quote" },
        { "a: .inf\n", 1, 4, "'.inf' is no number" },
        { "a: \"x\\0y\"\n", 1, 4, "NUL" },
        { "\"x\\0y\": 1\n", 1, 1, "NUL" },
        { "a: !foo b\n", 1, 4, "tag !foo" },
        { "a: !foo {}\n", 1, 4, "tag !foo" },
        { "a: !!set {}\n", 1, 4, "tag" },
        { "a: !!int x\n", 1, 4, "!!int" },
        { "a: !!int 1.5\n", 1, 4, "!!int" },
        { "a: !!map []\n", 1, 4, "tag" },
        { "a: !!binary '*'\n", 1, 4, "!!binary" },
        { "a: !!binary aGVsbG8\n", 1, 4, "!!binary" },
        { "a: !!binary AAAA\n", 1, 4, "!!binary" },     /* NULs */
        { "a: !!binary /////w==\n", 1, 4, "!!binary" }, /* no UTF-8 */
        { "a: !!timestamp soon\n", 1, 4, "!!timestamp" },
        { "~: 1\n", 1, 1, "no key" },
        { "{a: 1}: 2\n", 1, 1, "a key must be a text" },
        { "? [a]\n: 2\n", 1, 3, "a key must be a text" },
        { "18446744073709551615: 1\n", 1, 1, "no key" },
        { "a: {<<: 1}\n", 1, 5, "merges" },
        { "a: {<<: [1]}\n", 1, 5, "merges" },
        { "a: \xFF\n", 1, 4, "not UTF-8" },
        { "a: \xC3\xA9\xED\xA0\x80\n", 1, 5, "not UTF-8" },
        { "a: \x01\n", 1, 4, "U+0001" },
        { "a: \"\xC3\xA9\" b\n", 1, 8, "" },
        { "a: 1\r---\rb: 2\n", 1, 6, "no line break" },
        { "%BAD\na: 1\n", 1, 5, "directive" },
        { "a: 1\n b: 2\n", 2, 3, "" },
        { "- a\nb: 1\n", 2, 1, "indentation" },
        { "a: \"\\q\"\n", 1, 5, "escape" },
        { "a: \"\\uD800\"\n", 1, 7, "escape" },
        { "a: &x\n", 0, 0, NULL }, /* an anchor of null is one */
};

static void test_refused(void)
{
        for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
                struct stream s;

                open_text(&s, refused[i].text);
                int got = next(&s);

                if (!refused[i].says) {
                        CHECK(got == 1);
                        close_stream(&s);
                        continue;
                }
                if (got != -1 || s.err.at.line != refused[i].line ||
                    s.err.at.column != refused[i].column || !strstr(s.err.text, refused[i].says)) {
                        fprintf(stderr, "%s: got %d, %u:%u: %s\n", refused[i].text, got,
                                s.err.at.line, s.err.at.column, got < 0 ? s.err.text : s.json.s);
                        exit(1);
                }
                close_stream(&s);
        }
}

/* A NUL byte of the file itself is no text either. */
static void test_nul(void)
{
        struct stream s;

        open_bytes(&s, "a: x\0y\n---\nb: 1\n", 16);
        CHECK(next(&s) == -1);
        CHECK(strstr(s.err.text, "U+0000") && s.err.at.line == 1 && s.err.at.column == 5);
        CHECK(next(&s) == 1);
        CHECK_STR(s.json.s, "{\"b\":1}");
        close_stream(&s);
}

static void test_stream(void)
{
        struct stream s;

        open_text(&s, "---\n# nothing\n---\na: 1\n---\n---\n~\n---\nb: \"\n---\nb: \t[\n...\n"
                      "# more\n%YAML 1.1\n---\nc: 3\n--- d\n--- # e\ne: |\n  x\n... # end\n");
        CHECK(next(&s) == 1);
        CHECK_STR(s.json.s, "{\"a\":1}");
        CHECK(s.places.nodes[0].at_value.line == 4);
        CHECK(next(&s) == -1 && s.err.at.line == 9 && s.err.at.column == 4);
        CHECK(next(&s) == -1 && s.err.at.line >= 10);
        CHECK(next(&s) == 1);
        CHECK_STR(s.json.s, "{\"c\":3}");
        CHECK(s.places.nodes[0].at_value.line == 16);
        CHECK(next(&s) == 1);
        CHECK_STR(s.json.s, "\"d\"");
        CHECK(next(&s) == 1);
        CHECK_STR(s.json.s, "{\"e\":\"x\\n\"}");
        CHECK(next(&s) == 0);
        close_stream(&s);
        open_text(&s, "");
        CHECK(next(&s) == 0);
        close_stream(&s);
        open_text(&s, "\n# c\n\n---\n...\n...\n---");
        CHECK(next(&s) == 0);
        close_stream(&s);
}

/* The first document is there before the second is sent. */
static void test_pipe(void)
{
        static const char *const ends[] = { "---\n", "...\n", "--- \n" };

        for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
                int ends_of_pipe[2];
                struct stream s = { .places = PLACES_INIT, .json = BUF_INIT };

                CHECK(pipe(ends_of_pipe) == 0);
                s.fd = ends_of_pipe[0];
                input_open(&s.in, s.fd, 1 << 20);
                CHECK(write(ends_of_pipe[1], "a: 1\n", 5) == 5);
                CHECK(write(ends_of_pipe[1], ends[i], strlen(ends[i])) == (int)strlen(ends[i]));
                CHECK(next(&s) == 1); /* would hang */
                CHECK_STR(s.json.s, "{\"a\":1}");
                CHECK(close(ends_of_pipe[1]) == 0);
                CHECK(next(&s) == 0);
                close_stream(&s);
        }
}

static void check_place(struct stream *s, const struct path *path, unsigned line, unsigned column)
{
        struct place at = places_at(&s->places, NULL, path);

        if (at.line == line && at.column == column)
                return;
        BUF_AUTO struct buf b = BUF_INIT;

        path_print(path, &b);
        fprintf(stderr, "%s: %u:%u, not %u:%u\n", b.s, at.line, at.column, line, column);
        exit(1);
}

static void test_places(void)
{
        struct stream s;

        open_text(&s, "# \xC3\xA9\nspec:\n  \xC3\xA9: {b: on, c: [0x1F, x]}\n  d: \"e\xE2\x80\xA8"
                      "f\"\n  g: &g {h: ~}\n  i: *g\n  j: {<<: *g}\n  k: &k 017\n  l: *k\n");
        CHECK(next(&s) == 1);
        check_place(&s, AT(NULL, "spec"), 2, 1);
        check_place(&s, AT(NULL, "spec.\xC3\xA9"), 3, 3);
        check_place(&s, AT(NULL, "spec.\xC3\xA9.b"), 3, 7);
        check_place(&s, AT_INDEX(AT(NULL, "spec.\xC3\xA9.c"), 1), 3, 24);
        check_place(&s, AT_INDEX(AT(NULL, "spec.\xC3\xA9.c"), 7), 3, 14);
        check_place(&s, AT(NULL, "spec.g"), 5,
                    3); /* behind U+2028, which is no line of an editor */
        check_place(&s, AT(NULL, "spec.i"), 6, 3);
        check_place(&s, AT(NULL, "spec.i.h"), 5, 10); /* what an alias stands for is where it was */
        check_place(&s, AT(NULL, "spec.j.h"), 5, 10);
        check_place(&s, AT(NULL, "spec.none"), 2, 1);
        CHECK_STR(places_raw(&s.places, NULL, AT(NULL, "spec.\xC3\xA9.b")), "on");
        CHECK_STR(places_raw(&s.places, NULL, AT_INDEX(AT(NULL, "spec.\xC3\xA9.c"), 0)), "0x1F");
        CHECK_STR(places_raw(&s.places, NULL, AT_INDEX(AT(NULL, "spec.\xC3\xA9.c"), 1)), NULL);
        CHECK_STR(places_raw(&s.places, NULL, AT(NULL, "spec.i.h")), "~");
        CHECK_STR(places_raw(&s.places, NULL, AT(NULL, "spec.j.h")), "~");
        CHECK_STR(places_raw(&s.places, NULL, AT(NULL, "spec.l")), "017");
        CHECK_STR(places_raw(&s.places, NULL, AT(NULL, "spec.d")), NULL);
        close_stream(&s);
}

/* Keys that are there again, and keys that are not. */
static void test_again(void)
{
        struct stream s;

        open_text(&s, "a: 1\nb: {c: 1, d: 2, c: 3}\na: {e: 1}\na: 4\n");
        CHECK(next(&s) == 1);
        CHECK(s.places.n_again == 3);
        CHECK(s.places.again[0].at.line == 2 && s.places.again[0].at.column == 17);
        CHECK(s.places.again[1].at.line == 3 && s.places.again[2].at.line == 4);
        CHECK_STR(s.json.s, "{\"a\":4,\"b\":{\"c\":3,\"d\":2}}");
        check_place(&s, AT(NULL, "a"), 4, 1);
        close_stream(&s);

        open_text(&s, "x: &x {a: 1, b: 2}\nw: {<<: *x, a: 3, b: 4, a: 5}\n");
        CHECK(next(&s) == 1);
        CHECK(s.places.n_again == 1);
        CHECK(s.places.again[0].at.column == 25);
        check_place(&s, AT(NULL, "w.b"), 2, 19);
        close_stream(&s);

        /* Behind the key, the merge wins, as for kubectl; that is told. */
        open_text(&s, "x: &x {a: 1, b: 2}\nw: {a: 3, <<: *x}\n");
        CHECK(next(&s) == 1);
        CHECK_STR(s.json.s, "{\"x\":{\"a\":1,\"b\":2},\"w\":{\"a\":1,\"b\":2}}");
        CHECK(s.places.n_again == 1 && s.places.again[0].at.column == 11);
        close_stream(&s);

        open_text(&s, "true: 1\non: 2\n");
        CHECK(next(&s) == 1);
        CHECK(s.places.n_again == 1);
        close_stream(&s);
}

static void repeat(struct buf *b, const char *text, int n)
{
        for (int i = 0; i < n; i++)
                buf_adds(b, text);
}

/* Refused, with a message of its own, and the document behind it is read. */
static void check_bound(struct buf *text, const char *says)
{
        struct stream s;

        buf_adds(text, "\n---\nok: 1\n");
        open_bytes(&s, text->s, text->len);
        CHECK(next(&s) == -1);
        if (!strstr(s.err.text, says)) {
                fprintf(stderr, "%s, not: %s\n", s.err.text, says);
                exit(1);
        }
        CHECK(next(&s) == 1);
        CHECK_STR(s.json.s, "{\"ok\":1}");
        close_stream(&s);
        buf_clear(text);
}

static void test_member_bounds(void)
{
        BUF_AUTO struct buf b = BUF_INIT;

        for (int i = 0; i <= JSON_MEMBERS; i++)
                buf_addf(&b, "k%d: 0\n", i);
        check_bound(&b, "more than 10000 members in one object");
        buf_adds(&b, "a: &a\n");
        for (int i = 0; i < JSON_MEMBERS; i++)
                buf_addf(&b, "  k%d: 0\n", i);
        buf_adds(&b, "b: {<<: *a, k: 0}\n");
        check_bound(&b, "more than 10000 members in one object");
        for (int i = 0; i <= YAML_ANCHORS_MOST; i++)
                buf_addf(&b, "- &a%d x\n", i);
        buf_adds(&b, "- x\n");
        check_bound(&b, "more than 10000 anchors");
}

static void test_bounds(void)
{
        BUF_AUTO struct buf b = BUF_INIT;
        struct stream s;

        repeat(&b, "[", 65);
        repeat(&b, "]", 65);
        check_bound(&b, "nested deeper than 64");
        repeat(&b, "[", 64);
        repeat(&b, "]", 64);
        open_bytes(&s, b.s, b.len);
        CHECK(next(&s) == 1);
        close_stream(&s);
        buf_clear(&b);
        repeat(&b, "{a: ", 100000);
        check_bound(&b, "nested deeper than 64");
        repeat(&b, "- ", 100000);
        check_bound(&b, "nested deeper than 64");

        /* 40 levels below 40 levels of aliases */
        buf_adds(&b, "a: &a ");
        repeat(&b, "[", 40);
        repeat(&b, "]", 40);
        buf_adds(&b, "\nb: ");
        repeat(&b, "[", 40);
        buf_adds(&b, "*a");
        repeat(&b, "]", 40);
        check_bound(&b, "nested deeper than 64");

        buf_adds(&b, "a0: &a0 [x]\n");
        for (int i = 1; i < 9; i++) {
                buf_addf(&b, "a%d: &a%d [*a%d", i, i, i - 1);
                for (int j = 1; j < 10; j++)
                        buf_addf(&b, ",*a%d", i - 1);
                buf_adds(&b, "]\n");
        }
        check_bound(&b, "aliases stand for more than 100000");
        buf_adds(&b, "a0: &a0 {x: 1}\n");
        for (int i = 1; i < 30; i++)
                buf_addf(&b, "a%d: &a%d {k: *a%d, l: *a%d, <<: *a%d}\n", i, i, i - 1, i - 1, i - 1);
        check_bound(&b, "aliases stand for more than 100000");

        buf_adds(&b, "[");
        repeat(&b, "[],", PLACES_MOST);
        buf_adds(&b, "]");
        check_bound(&b, "more than 250000 values");

        buf_adds(&b, "a: ");
        repeat(&b, "xxxxxxxx", 1 << 20);
        check_bound(&b, "larger than 8 MiB");
        repeat(&b, "# comment\n", 1000000);
        check_bound(&b, "larger than 8 MiB");
}

/* What should be linear; it would be minutes otherwise. */
static void test_wide(void)
{
        BUF_AUTO struct buf b = BUF_INIT;
        struct stream s;
        bool exact;
        const int half = JSON_MEMBERS / 2;

        for (int i = 0; i < JSON_MEMBERS; i++)
                buf_addf(&b, "k%d: %d\n", i % half, i);
        open_bytes(&s, b.s, b.len);
        CHECK(next(&s) == 1);
        CHECK(s.places.n_again == half);
        for (int i = 0; i < half; i++) {
                char key[16];

                (void)snprintf(key, sizeof key, "k%d", i);
                CHECK(places_find(&s.places, NULL, AT(NULL, key), &exact) == half + 1 + i && exact);
        }
        close_stream(&s);
        buf_clear(&b);
        buf_adds(&b, "a: \"");
        repeat(&b, "x y ", 1 << 20);
        buf_adds(&b, "\"\n");
        repeat(&b, "# c\n\n", 100000);
        for (int i = 1; i < JSON_MEMBERS; i++)
                buf_addf(&b, "b%d: &b%d x\n", i, i);
        open_bytes(&s, b.s, b.len);
        CHECK(next(&s) == 1);
        close_stream(&s);
}

int main(void)
{
        test_values();
        test_refused();
        test_nul();
        test_stream();
        test_pipe();
        test_places();
        test_again();
        test_bounds();
        test_member_bounds();
        test_wide();
        return 0;
}
