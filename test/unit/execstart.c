/* SPDX-License-Identifier: Apache-2.0 */
/*
 * execstart - what systemd would run for the services that Podman's generator made.
 *
 *      execstart - < DRYRUN     {"x.service": {"ExecStart": [["podman", "run", ...]], ...}, ...}
 *
 * reads the output of `quadlet -dryrun` and applies systemd's rules to every Exec*= line of
 * [Service], of all commands (systemd src/core/load-fragment.c, config_parse_exec;
 * src/basic/extract-word.c; src/core/unit-printf.c; src/basic/env-util.c, replace_env_argv). They
 * are written anew here, apart from common/unit.c, so that one checks the other. Specifiers are
 * told as "<%h>". Without the argument it tests itself.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "check.h"
#include "json.h"
#include "jvx.h"
#include "ref.h"

/* ---- words ------------------------------------------------------------------------------------
 */

static int hex(char c)
{
        const char *digits = "0123456789abcdef", *d;

        c = (char)(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
        d = c ? strchr(digits, c) : NULL;
        return d ? (int)(d - digits) : -1;
}

/* The byte behind a backslash; returns how long the escape is, 0 if it is none. */
static int unescape(const char *s, struct buf *out)
{
        switch (*s) {
        case 'a':
                return buf_addc(out, '\a'), 1;
        case 'b':
                return buf_addc(out, '\b'), 1;
        case 'f':
                return buf_addc(out, '\f'), 1;
        case 'n':
                return buf_addc(out, '\n'), 1;
        case 'r':
                return buf_addc(out, '\r'), 1;
        case 't':
                return buf_addc(out, '\t'), 1;
        case 'v':
                return buf_addc(out, '\v'), 1;
        case 's':
                return buf_addc(out, ' '), 1;
        case '\\':
        case '"':
        case '\'':
                return buf_addc(out, *s), 1;
        case 'x':
                if (hex(s[1]) < 0 || hex(s[2]) < 0 || (s[1] == '0' && s[2] == '0'))
                        return 0;
                return buf_addc(out, (char)(hex(s[1]) << 4 | hex(s[2]))), 3;
        default:
                return 0;
        }
}

/* One word. 1: a word, 0: the end, -1: systemd would refuse the line. */
static int word(const char **s, struct buf *out)
{
        char quote = 0;
        bool any = false;

        *s += strspn(*s, " \t\n\r");
        for (; **s; ++*s) {
                if (**s == '\\') {
                        int n = unescape(*s + 1, out);

                        if (n == 0)
                                return -1;
                        *s += n;
                        any = true;
                } else if (quote ? **s == quote : **s == '"' || **s == '\'') {
                        quote = (char)(quote ? 0 : **s);
                        any = true;
                } else if (!quote && strchr(" \t\n\r", **s)) {
                        break;
                } else {
                        buf_addc(out, **s);
                        any = true;
                }
        }
        return quote ? -1 : any;
}

/* Those of systemd.unit(5) are told as "<%h>", since what they stand for is the host's; what is
 * none stays as it is. */
static void specifiers(const char *s, struct buf *out)
{
        static const char known[] = "aAbBCdDEfgGhHiIjJlLmMnNopPqsStTuUvVwWyY";

        for (; *s; s++) {
                if (s[0] == '%' && s[1] && strchr(known, s[1])) {
                        buf_addf(out, "<%%%c>", s[1]);
                        s++;
                        continue;
                }
                buf_addc(out, *s);
                if (s[0] == '%' && s[1] == '%')
                        s++;
        }
}

/* The variable's value; "" if it is not set. */
static const char *variable(struct ref env, const char *name, size_t len)
{
        BUF_AUTO struct buf key = BUF_INIT;

        buf_add(&key, name, len);
        return ref_text(env, key.s);
}

/* ${NAME} and $$ inside a word. */
static void expand(const char *s, struct ref env, struct buf *out)
{
        while (*s) {
                const char *end = s[0] == '$' && s[1] == '{' ? strchr(s, '}') : NULL;

                if (end) {
                        buf_adds(out, variable(env, s + 2, (size_t)(end - s - 2)));
                        s = end + 1;
                } else if (s[0] == '$' && s[1] == '$') {
                        buf_addc(out, '$');
                        s += 2;
                } else {
                        buf_addc(out, *s++);
                }
        }
}

/* The commands of an Exec*= line, [[word, ...], ...]; null where systemd refuses it. */
static jv commands(const char *line, struct ref env)
{
        jv all = jv_array(), one = jv_array();

        for (;;) {
                BUF_AUTO struct buf raw = BUF_INIT, plain = BUF_INIT, done = BUF_INIT;

                line += strspn(line, " \t\n\r");
                if (line[0] == ';' && (!line[1] || strchr(" \t", line[1]))) {
                        jvx_append(&all, one);
                        one = jv_array();
                        line++;
                        continue;
                }
                int got = word(&line, &raw);

                if (got == 0)
                        break;
                if (got < 0) {
                        jv_free(all);
                        jv_free(one);
                        return jv_null();
                }
                specifiers(raw.s, &plain);
                if (plain.s[0] == '$' && plain.s[1] != '{' && plain.s[1] != '$' && plain.s[1])
                        continue; /* $NAME of its own: split at spaces, and nothing is set */
                expand(plain.s, env, &done);
                jvx_append(&one, jv_string(done.s));
        }
        jvx_append(&all, one);
        return all;
}

/* ---- services ---------------------------------------------------------------------------------
 */

struct reader {
        jv all, service, lines, env;
        bool inside;
        char name[512];
};

static void end_service(struct reader *r)
{
        REF_EACH(l, ref_of(&r->lines)) {
                const char *key = ref_str(ref_item(l.item, 0));
                jv list = jvx_detach(&r->service, key);
                jv got = commands(ref_str(ref_item(l.item, 1)), ref_of(&r->env));

                if (!jvx_is(&list, JV_KIND_ARRAY)) {
                        jv_free(list);
                        list = jv_array();
                }
                list = jvx_is(&got, JV_KIND_ARRAY) ? jv_array_concat(list, got)
                                                   : jv_array_append(list, got);
                jvx_set(&r->service, key, list);
        }
        if (r->name[0])
                jvx_set(&r->all, r->name, jv_copy(r->service));
        jv_free(r->service);
        jv_free(r->lines);
        jv_free(r->env);
        r->service = jv_object();
        r->lines = jv_array();
        r->env = jv_object();
        r->inside = false;
}

/* What is kept of other lines: [Unit] and [Service] as they are. */
static void take_entry(struct reader *r, const char *key, const char *value)
{
        const char *eq = strchr(value, '=');

        if (r->inside && strncmp(key, "Exec", 4) == 0) {
                jvx_append(&r->lines, jvx_build("[%s, %s]", key, value));
                return;
        }
        if (r->inside && strcmp(key, "Environment") == 0 && eq) {
                BUF_AUTO struct buf name = BUF_INIT;

                buf_add(&name, value, (size_t)(eq - value));
                jvx_set(&r->env, name.s, jv_string(eq + 1));
        }
        jvx_append_at(&r->service, key, jv_string(value));
}

static void take_line(struct reader *r, char *line)
{
        size_t len = strlen(line);
        char *eq = strchr(line, '=');

        if (strncmp(line, "---", 3) == 0 && len > 6 && strcmp(line + len - 3, "---") == 0) {
                end_service(r);
                (void)snprintf(r->name, sizeof r->name, "%.*s", (int)len - 6, line + 3);
        } else if (line[0] == '[') {
                r->inside = strcmp(line, "[Service]") == 0;
        } else if (line[0] == '#' || line[0] == ';' || !eq) {
                return;
        } else {
                *eq = '\0';
                take_entry(r, line, eq + 1);
        }
}

static void read_all(FILE *in)
{
        struct reader r = {
                .all = jv_object(), .service = jv_object(), .lines = jv_array(), .env = jv_object()
        };
        BUF_AUTO struct buf joined = BUF_INIT, out = BUF_INIT;
        char *line = NULL;
        size_t size = 0;
        ssize_t len;

        while ((len = getline(&line, &size, in)) > 0) {
                if (line[len - 1] == '\n')
                        line[--len] = '\0';
                bool more = len && line[len - 1] == '\\';

                buf_add(&joined, line, (size_t)(more ? len - 1 : len));
                if (more) {
                        buf_addc(&joined, ' ');
                        continue;
                }
                take_line(&r, joined.s);
                buf_clear(&joined);
        }
        end_service(&r);
        json_print(&r.all, &out);
        puts(out.s);
        free(line);
        jv_free(r.all);
        jv_free(r.service);
        jv_free(r.lines);
        jv_free(r.env);
}

static void test_self(void)
{
        static const char *const cases[][2] = {
                { "a \"b\\x20c\" d", "[[\"a\",\"b c\",\"d\"]]" },
                { "a ; b", "[[\"a\"],[\"b\"]]" },
                { "a ;${E} ${E} \"\\\\;\"", "[[\"a\",\";\",\"\",\"\\\\;\"]]" },
                { "a 100%% $$x $HOME x$y", "[[\"a\",\"100%\",\"$x\",\"x$y\"]]" },
                { "a \"b", "null" },
                { "a %h 5%% 5% %z", "[[\"a\",\"<%h>\",\"5%\",\"5%\",\"%z\"]]" },
        };

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                JVX_AUTO jv env = jv_object();
                JVX_AUTO jv got = commands(cases[i][0], ref_of(&env));
                BUF_AUTO struct buf text = BUF_INIT;

                json_print(&got, &text);
                CHECK_STR(text.s, cases[i][1]);
        }
}

int main(int argc, char **argv)
{
        if (argc > 1 && strcmp(argv[1], "-") == 0)
                read_all(stdin);
        else
                test_self();
        return 0;
}
