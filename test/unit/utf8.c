/* SPDX-License-Identifier: Apache-2.0 */
#include "utf8.h"

#include "array.h"
#include "check.h"

static void test_length(void)
{
        static const struct {
                const char *bytes;
                size_t length;
        } cases[] = {
                { "a", 1 },
                { "\x7F", 1 },
                { "\xC2\x80", 2 },
                { "\xDF\xBF", 2 },
                { "\xE0\xA0\x80", 3 },
                { "\xED\x9F\xBF", 3 },
                { "\xEE\x80\x80", 3 },
                { "\xEF\xBF\xBF", 3 },
                { "\xF0\x90\x80\x80", 4 },
                { "\xF4\x8F\xBF\xBF", 4 },
                /* stray, overlong, surrogate, beyond U+10FFFF, cut off */
                { "\x80", 0 },
                { "\xBF", 0 },
                { "\xC0\xAF", 0 },
                { "\xC1\xBF", 0 },
                { "\xE0\x9F\xBF", 0 },
                { "\xED\xA0\x80", 0 },
                { "\xED\xBF\xBF", 0 },
                { "\xF0\x8F\xBF\xBF", 0 },
                { "\xF4\x90\x80\x80", 0 },
                { "\xF5\x80\x80\x80", 0 },
                { "\xFF", 0 },
                { "\xC2", 0 },
                { "\xE0\xA0", 0 },
                { "\xF0\x90\x80", 0 },
                { "\xC2\x41", 0 },
        };

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
                CHECK(utf8_length(cases[i].bytes, strlen(cases[i].bytes)) == cases[i].length);
                CHECK(utf8_valid(cases[i].bytes, strlen(cases[i].bytes)) == (cases[i].length > 0));
        }
        CHECK(utf8_length("", 0) == 0 && utf8_valid("", 0));
        CHECK(utf8_valid("a\xC3\xA9\0b", 5));
        CHECK(!utf8_valid("a\xC3", 2));
}

static void test_add(void)
{
        static const struct {
                unsigned c;
                const char *bytes;
        } cases[] = { { 0x41, "A" },
                      { 0x7F, "\x7F" },
                      { 0x80, "\xC2\x80" },
                      { 0x7FF, "\xDF\xBF" },
                      { 0x800, "\xE0\xA0\x80" },
                      { 0xFFFF, "\xEF\xBF\xBF" },
                      { 0x10000, "\xF0\x90\x80\x80" },
                      { 0x10FFFF, "\xF4\x8F\xBF\xBF" } };

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
                BUF_AUTO struct buf b = BUF_INIT;

                utf8_add(&b, cases[i].c);
                CHECK_STR(b.s, cases[i].bytes);
        }
}

static void test_visible(void)
{
        static const char *const cases[][2] = {
                { "plain \xC3\xA9 \xF0\x9F\x98\x80", "plain \xC3\xA9 \xF0\x9F\x98\x80" },
                { "a\nb\r\tc", "a\\nb\\r\\tc" },
                { "\033[31mred\a", "\\x1b[31mred\\x07" },
                { "\x7F", "\\x7f" },
                { "\xC2\x9B", "\\u009b" }, /* the other way to write ESC [ */
                { "\xE2\x80\x8B", "\\u200b" },
                { "\xE2\x80\xA8", "\\u2028" },
                { "\xEF\xBB\xBF", "\\ufeff" },
                { "\xFF\xC3", "\\xff\\xc3" },
        };

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
                BUF_AUTO struct buf b = BUF_INIT;

                utf8_add_visible(&b, cases[i][0], strlen(cases[i][0]));
                CHECK_STR(b.s, cases[i][1]);
        }
        BUF_AUTO struct buf b = BUF_INIT;

        utf8_add_visible(&b, "a\0b", 3);
        CHECK_STR(b.s, "a\\x00b");
        BUF_AUTO struct buf turned = BUF_INIT;

        buf_clear(&b);
        utf8_add(&turned, 0x202E); /* right to left */
        utf8_add_visible(&b, turned.s, turned.len);
        CHECK_STR(b.s, "\\u202e");
}

/* Every byte at every place of a text, and every length. */
static void test_plain(void)
{
        char text[24];

        for (size_t at = 0; at < sizeof text; at++)
                for (int c = 0; c < 256; c++) {
                        bool printable = c >= 0x20 && c < 0x7F;
                        bool plain = printable && c != '"' && c != '\\';

                        memset(text, 'a' + (int)at, sizeof text);
                        text[at] = (char)c;
                        for (size_t len = 0; len <= sizeof text; len++) {
                                CHECK(utf8_plain(text, len) == (plain || at >= len ? len : at));
                                CHECK(utf8_printable(text, len) ==
                                      (printable || at >= len ? len : at));
                        }
                }
        memset(text, 0x80, sizeof text);
        CHECK(utf8_plain(text, sizeof text) == 0);
        memcpy(text, " !#[]^~\x1F", 8);
        CHECK(utf8_plain(text, sizeof text) == 7);
}

int main(void)
{
        test_plain();
        test_length();
        test_add();
        test_visible();
        return 0;
}
