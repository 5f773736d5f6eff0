/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "array.h"
#include "check.h"
#include "mem.h"
#include "unit.h"

static void test_words(void)
{
        static const struct {
                const char *text, *want;
        } cases[] = {
                { "plain", "plain" },
                { "a b", "\"a\\x20b\"" },
                { "", "${VMQ_EMPTY}" },
                { ";", ";${VMQ_EMPTY}" },
                { "\\;", "\"\\\\;\"" },
                { "tail\\", "\"tail\\\\\"" },
                { "line\nline", "\"line\\nline\"" },
                { "100%n", "100%%n" },
                { "${HOME}", "$${HOME}" },
                { "$HOME", "$$HOME" },
                { "a$HOME", "a$HOME" },
                { "$(id)", "$$(id)" },
                { "a$$b", "a$$$$b" },
                { "it's \"so\"", "\"it's\\x20\\\"so\\\"\"" },
                { "\x1b[0m", "\"\\x1b[0m\"" },
                { "caf\xc3\xa9", "caf\xc3\xa9" },
                { "end\xc2\xa0", "\"end\xc2\xa0\"" },
                { "\xe3\x80\x80x", "\"\xe3\x80\x80x\"" },
        };

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                BUF_AUTO struct buf v = BUF_INIT;

                CHECK(unit_word(&v, cases[i].text) == UNIT_OK);
                CHECK_STR(v.s, cases[i].want);
        }
}

static void test_values(void)
{
        BUF_AUTO struct buf v = BUF_INIT;

        CHECK(unit_plain(&v, "a\nb") == UNIT_CONTROL);
        CHECK(unit_plain(&v, "\xff") == UNIT_ENCODING);
        CHECK(unit_plain(&v, "say \"so\"") == UNIT_EDGE);
        CHECK(unit_plain(&v, " x") == UNIT_EDGE);
        CHECK(unit_plain(&v, "x\xe3\x80\x80") == UNIT_EDGE);
        CHECK(unit_plain(&v, "x\\") == UNIT_EDGE);
        CHECK(unit_plain(&v, ";") == UNIT_EDGE);
        CHECK(unit_plain(&v, "") == UNIT_EMPTY);
        CHECK_STR(v.s, "");
        CHECK(unit_plain(&v, "a 'b' c=%h # ;") == UNIT_OK);
        CHECK_STR(v.s, "a 'b' c=%%h # ;");
        buf_clear(&v);
        CHECK(unit_bare_word(&v, "/dev/a b") == UNIT_OK);
        CHECK(unit_bare_word(&v, "c'd\"e") == UNIT_OK);
        CHECK_STR(v.s, "\"/dev/a b\" \"c'd\"'\"e'");
        buf_clear(&v);
        CHECK(unit_mount_field(&v, "type", "bind") == UNIT_OK);
        CHECK(unit_mount_field(&v, "source", "/srv/\"x\",ro") == UNIT_OK);
        CHECK(unit_mount_field(&v, "ro", NULL) == UNIT_OK);
        CHECK_STR(v.s, "type=bind,\"source=/srv/\"\"x\"\",ro\",ro");
        CHECK(unit_volume_safe("/srv/x") && !unit_volume_safe("/srv/x:y"));
        CHECK_STR(unit_flaw_text(UNIT_CONTROL), "has a control character in it");
}

static void test_env(void)
{
        BUF_AUTO struct buf v = BUF_INIT;
        char *big = mem_alloc(140000);

        CHECK(unit_env_line(&v, "A", "x=\"1\" # y") == UNIT_OK);
        CHECK_STR(v.s, "A=x=\"1\" # y");
        CHECK(unit_env_line(&v, "A", "x\n") == UNIT_CONTROL);
        CHECK(unit_env_line(&v, "#A", "x") == UNIT_EDGE);
        memset(big, 'x', 140000);
        big[UNIT_ENV_LINE_MAX - 2] = '\0';
        CHECK(unit_env_line(&v, "A", big) == UNIT_OK);
        big[UNIT_ENV_LINE_MAX - 2] = 'x', big[UNIT_ENV_LINE_MAX - 1] = '\0';
        CHECK(unit_env_line(&v, "A", big) == UNIT_LONG);
        buf_clear(&v);
        memset(big, 'x', 140000);
        big[UNIT_ARG_MAX - 3] = '\0';
        CHECK(unit_env_word(&v, "A", big) == UNIT_OK);
        big[UNIT_ARG_MAX - 3] = 'x', big[UNIT_ARG_MAX - 2] = '\0';
        CHECK(unit_env_word(&v, "A", big) == UNIT_LONG);
        free(big);
}

static void test_write(void)
{
        UNIT_AUTO struct unit u = UNIT_INIT;
        BUF_AUTO struct buf out = BUF_INIT;

        unit_section(&u, "Unit");
        CHECK(unit_add(&u, "Description", "x"));
        unit_section(&u, "Container");
        CHECK(unit_add(&u, "Exec", "${VMQ_EMPTY}"));
        unit_section(&u, "Unit");
        CHECK(unit_add(&u, "After", "y"));
        CHECK(!unit_add(&u, "After", "y\nExecStart=z"));
        CHECK(!unit_add(&u, "After", "y\\"));
        CHECK(!unit_add(&u, "After", "y\\ "));
        CHECK(!unit_add(&u, "After", "y\\\xc2\xa0"));
        CHECK(!unit_add(&u, "A=B", "y"));
        CHECK(!unit_add(&u, "[A]", "y"));
        CHECK(unit_comment(&u, "note"));
        CHECK(!unit_comment(&u, "note\nA=b"));
        unit_print(&u, &out);
        CHECK_STR(out.s, "[Unit]\nDescription=x\nAfter=y\n# note\n[Container]\nExec=${VMQ_EMPTY}\n"
                         "\n[Service]\nEnvironment=VMQ_EMPTY=\n");
}

static void test_read(void)
{
        static const char text[] = "# head\n\n[Unit]\nDescription = a b \n\n; why\n[Pod]\n"
                                   "Exec=a \\\n# inside\n  b\\\n\\\nc\nX=1\n[Install]\nW=1";
        UNIT_AUTO struct unit u = UNIT_INIT;
        BUF_AUTO struct buf out = BUF_INIT, why = BUF_INIT;

        CHECK(unit_read(&u, text, strlen(text), &why));
        CHECK_STR(unit_get(&u, "Unit", "Description"), "a b");
        CHECK_STR(unit_get(&u, "Pod", "Exec"), "a bc");
        CHECK(unit_get(&u, "Pod", "Nope") == NULL);
        unit_before_section(&u, "Pod");
        CHECK(unit_add(&u, "Before", "pod"));
        unit_section_start(&u, "Pod");
        CHECK(unit_add(&u, "First", "1"));
        unit_section(&u, "Pod");
        CHECK(unit_add(&u, "Last", "1"));
        unit_remove(&u, unit_find(&u, "Pod", "X", 0));
        unit_print(&u, &out);
        CHECK_STR(out.s, "# head\n\n[Unit]\nDescription=a b\nBefore=pod\n\n; why\n[Pod]\nFirst=1\n"
                         "Exec=a bc\nLast=1\n\n[Install]\nW=1\n");
        CHECK(!unit_read(&u, "A=b\n", 4, &why));
        CHECK_STR(why.s, "an entry before the first section (line 1)");
        buf_clear(&why);
        CHECK(!unit_read(&u, "[A]\nx\n", 6, &why));
        CHECK_STR(why.s, "neither a comment, nor a [Section], nor Key=value (line 2)");
        buf_clear(&why);
        CHECK(!unit_read(&u, "[A] b\n", 6, &why));
        CHECK_STR(why.s, "a section's name must stand alone, as [Name] (line 1)");
        buf_clear(&why);
        CHECK(!unit_read(&u, "[A]\n\0\n", 6, &why));
        CHECK_STR(why.s, "a NUL byte");
        static const char *const open[] = { "[A]\nB=c\\", "[A]\nB=c\\\\\n", "[A]\nB=c\\\n\n# d\n",
                                            "[A]\nB=c\n\\\n" };

        for (size_t i = 0; i < ARRAY_LEN(open); i++) {
                buf_clear(&why);
                CHECK(!unit_read(&u, open[i], strlen(open[i]), &why));
                CHECK_STR(why.s,
                          "the last line ends in a backslash, and no line follows; remove it");
        }
}

static void collect(const char *word, void *self)
{
        buf_addf(self, "<%s>", word);
}

static void test_split(void)
{
        BUF_AUTO struct buf got = BUF_INIT;

        CHECK(unit_split(" a 'b c'd \"e\\\"\\x20f\" \\u00e9\\101 \"\" g", collect, &got));
        CHECK_STR(got.s, "<a><b cd><e\" f><\xc3\xa9"
                         "A>");
        CHECK(!unit_split("a\\q", collect, &got));
}

int main(void)
{
        test_words();
        test_values();
        test_env();
        test_write();
        test_read();
        test_split();
        return 0;
}
