/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <string.h>

#include "array.h"
#include "mem.h"
#include "utf8.h"

/* Expands to nothing; keeps a word from being empty, or a lone ';', on the way. */
#define EMPTY "VMQ_EMPTY"

const char *unit_flaw_text(enum unit_flaw flaw)
{
        static const char *const texts[] = {
                [UNIT_OK] = "is fine",
                [UNIT_CONTROL] = "has a control character in it",
                [UNIT_ENCODING] = "is not UTF-8",
                [UNIT_EDGE] = "begins or ends with white space, a quote or a backslash",
                [UNIT_EMPTY] = "is empty",
                [UNIT_LONG] = "is longer than Linux passes to a process (131072 bytes)",
        };

        return texts[flaw];
}

/* ---- what is in a text ------------------------------------------------------------------------
 */

/* The code point at s, which is well-formed and n bytes long. */
static unsigned code_point(const char *s, size_t n)
{
        static const unsigned char masks[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
        unsigned c = (unsigned char)s[0] & masks[n];

        for (size_t i = 1; i < n; i++)
                c = c << 6 | ((unsigned char)s[i] & 0x3F);
        return c;
}

static bool is_control(unsigned c)
{
        return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

/* Go's unicode.IsSpace, by which the generator trims lines. */
static bool is_space(unsigned c)
{
        if (c < 0x85)
                return c == ' ' || (c >= '\t' && c <= '\r');
        return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
               c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/* The first and the last character of a well-formed text; 0 if it is empty. */
static unsigned first_of(const char *s, size_t len)
{
        return len ? code_point(s, utf8_length(s, len)) : 0;
}

static unsigned last_of(const char *s, size_t len)
{
        size_t i = len;

        if (len == 0)
                return 0;
        while (i > 0 && ((unsigned char)s[i - 1] & 0xC0) == 0x80)
                i--;
        return code_point(s + i - 1, len - i + 1);
}

/* UTF-8, and no control characters but those of ASCII that are allowed. */
static enum unit_flaw check_text(const char *s, size_t len, bool ascii_controls)
{
        size_t i = 0;

        while ((i += utf8_printable(s + i, len - i)) < len) {
                size_t n = utf8_length(s + i, len - i);

                if (n == 0)
                        return UNIT_ENCODING;
                if (!(ascii_controls && n == 1) && is_control(code_point(s + i, n)))
                        return UNIT_CONTROL;
                i += n;
        }
        return UNIT_OK;
}

enum unit_flaw unit_check(const char *s)
{
        return check_text(s, strlen(s), false);
}

/* Does the generator's reader of lines keep the text whole behind "Key=" ? */
static enum unit_flaw check_edges(const char *s)
{
        size_t len = strlen(s);
        enum unit_flaw flaw = check_text(s, len, false);

        if (flaw != UNIT_OK)
                return flaw;
        if (!len)
                return UNIT_EMPTY;
        unsigned last = last_of(s, len);

        if (is_space(first_of(s, len)) || is_space(last) || last == '\\')
                return UNIT_EDGE;
        return UNIT_OK;
}

/* ---- quoting ----------------------------------------------------------------------------------
 */

/*
 * Append one character of an argument as systemd wants it: '%' doubled, and '$' doubled where it
 * would be expanded. That is at the start of a word and before '{' or '$' (systemd
 * src/basic/env-util.c, replace_env_argv and replace_env_full); a '$' behind another is doubled
 * too, so that the pairs count right.
 */
static void add_expanded(struct buf *v, const char *s, size_t i)
{
        buf_addc(v, s[i]);
        if (s[i] == '%')
                buf_addc(v, '%');
        if (s[i] == '$' && (i == 0 || s[i - 1] == '$' || s[i + 1] == '$' || s[i + 1] == '{'))
                buf_addc(v, '$');
}

static void add_all_expanded(struct buf *v, const char *s)
{
        size_t from = 0, i;

        while (s[i = from + strcspn(s + from, "%$")]) {
                buf_add(v, s + from, i - from);
                add_expanded(v, s, i);
                from = i + 1;
        }
        buf_add(v, s + from, i - from);
}

enum unit_flaw unit_line(struct buf *v, const char *s)
{
        enum unit_flaw flaw = check_edges(s);

        /* A lone ';' would start another command in ExecStart=. */
        if (flaw == UNIT_OK && strcmp(s, ";") == 0)
                flaw = UNIT_EDGE;
        if (flaw == UNIT_OK)
                add_all_expanded(v, s);
        return flaw;
}

enum unit_flaw unit_plain(struct buf *v, const char *s)
{
        size_t len = strlen(s);

        if (len && (s[0] == '"' || s[len - 1] == '"'))
                return unit_check(s) == UNIT_OK ? UNIT_EDGE : unit_check(s);
        return unit_line(v, s);
}

enum unit_flaw unit_text(struct buf *v, const char *s)
{
        enum unit_flaw flaw = check_edges(s);

        if (flaw != UNIT_OK)
                return flaw;
        for (; *s; s++) {
                buf_addc(v, *s);
                if (*s == '%')
                        buf_addc(v, '%');
        }
        return UNIT_OK;
}

enum unit_flaw unit_bare_word(struct buf *v, const char *s)
{
        enum unit_flaw flaw = unit_check(s);
        char open = 0;

        if (flaw == UNIT_OK && !*s)
                flaw = UNIT_EMPTY;
        if (flaw == UNIT_OK && strcmp(s, ";") == 0)
                flaw = UNIT_EDGE;
        if (flaw != UNIT_OK)
                return flaw;
        if (v->len)
                buf_addc(v, ' ');
        size_t len = strlen(s);

        if (!strpbrk(s, " \"'\\") && !is_space(first_of(s, len)) && !is_space(last_of(s, len))) {
                add_all_expanded(v, s);
                return UNIT_OK;
        }
        /* A piece in double quotes up to the next '"', that in single quotes, and so on. */
        for (size_t i = 0; s[i]; i++) {
                char want = (char)(open ? open : '"');

                if (s[i] == '"')
                        want = '\'';
                else if (s[i] == '\'')
                        want = '"';

                if (want != open) {
                        if (open)
                                buf_addc(v, open);
                        buf_addc(v, want);
                        open = want;
                }
                add_expanded(v, s, i);
        }
        if (open)
                buf_addc(v, open);
        return UNIT_OK;
}

/* Append one byte of a word in double quotes, as the generator itself writes such words. */
static void add_quoted(struct buf *v, const char *s, size_t i)
{
        static const char named[] = "abtnvfr"; /* from \a, which is 7 */
        unsigned char c = (unsigned char)s[i];

        if (c >= 7 && c <= 13) {
                buf_addc(v, '\\');
                buf_addc(v, named[c - 7]);
        } else if (c <= ' ' || c == 0x7F) {
                buf_addf(v, "\\x%.2x", c);
        } else if (c == '"' || c == '\\') {
                buf_addc(v, '\\');
                buf_addc(v, (char)c);
        } else {
                add_expanded(v, s, i);
        }
}

/* Of a text that begins with so many bytes of printable ASCII. */
static bool needs_quotes(const char *s, size_t len, size_t plain)
{
        if (strpbrk(s, " \"'\\"))
                return true;
        for (const char *p = s + plain; *p; p++)
                if ((unsigned char)*p <= ' ' || *p == 0x7F)
                        return true;
        return is_space(first_of(s, len)) || is_space(last_of(s, len));
}

enum unit_flaw unit_word(struct buf *v, const char *s)
{
        size_t len = strlen(s), plain = utf8_printable(s, len);
        enum unit_flaw flaw = check_text(s + plain, len - plain, true);

        if (flaw == UNIT_OK && len >= UNIT_ARG_MAX)
                flaw = UNIT_LONG;
        if (flaw != UNIT_OK)
                return flaw;
        if (v->len)
                buf_addc(v, ' ');
        if (!*s || strcmp(s, ";") == 0) {
                buf_addf(v, "%s${" EMPTY "}", s);
                return UNIT_OK;
        }
        if (!needs_quotes(s, len, plain)) {
                add_all_expanded(v, s);
                return UNIT_OK;
        }
        buf_addc(v, '"');
        for (size_t i = 0; s[i]; i++)
                add_quoted(v, s, i);
        buf_addc(v, '"');
        return UNIT_OK;
}

enum unit_flaw unit_word_option(struct buf *v, const char *option, const char *s)
{
        BUF_AUTO struct buf word = BUF_INIT;

        buf_addf(&word, "%s=%s", option, s);
        return unit_word(v, word.s);
}

enum unit_flaw unit_mount_field(struct buf *csv, const char *key, const char *value)
{
        enum unit_flaw flaw = value ? unit_check(value) : UNIT_OK;

        if (flaw != UNIT_OK)
                return flaw;
        if (csv->len)
                buf_addc(csv, ',');
        if (!value) {
                buf_adds(csv, key);
                return UNIT_OK;
        }
        bool quote = strpbrk(value, ",\"") != NULL;

        buf_addf(csv, "%s%s=", quote ? "\"" : "", key);
        for (; *value; value++) {
                if (*value == '"')
                        buf_addc(csv, '"');
                buf_addc(csv, *value);
        }
        if (quote)
                buf_addc(csv, '"');
        return UNIT_OK;
}

bool unit_volume_safe(const char *s)
{
        return check_edges(s) == UNIT_OK && !strpbrk(s, ":,;\"'\\ ");
}

enum unit_flaw unit_env_line(struct buf *v, const char *name, const char *value)
{
        size_t name_len = strlen(name), value_len = strlen(value);
        /* What is behind the printable ASCII. */
        const char *odd_name = name + utf8_printable(name, name_len);
        const char *odd_value = value + utf8_printable(value, value_len);

        if (!utf8_valid(odd_name, strlen(odd_name)) || !utf8_valid(odd_value, strlen(odd_value)))
                return UNIT_ENCODING;
        if (strpbrk(odd_name, "\r\n") || strpbrk(odd_value, "\r\n"))
                return UNIT_CONTROL;
        if (!*name)
                return UNIT_EMPTY;
        if (strchr("# \t", name[0]))
                return UNIT_EDGE;
        if (name_len + 1 + value_len > UNIT_ENV_LINE_MAX)
                return UNIT_LONG;
        buf_addf(v, "%s=%s", name, value);
        return UNIT_OK;
}

enum unit_flaw unit_env_word(struct buf *v, const char *name, const char *value)
{
        if (!*name)
                return UNIT_EMPTY;
        return unit_word_option(v, name, value);
}

/* ---- units ------------------------------------------------------------------------------------
 */

static void release_line(struct unit_line *l)
{
        free(l->key ? l->key : l->value);
}

void unit_release(struct unit *u)
{
        for (size_t i = 0; i < u->n; i++)
                release_line(&u->lines[i]);
        free(u->lines);
        *u = (struct unit)UNIT_INIT;
}

/* Put a line where we are, and go behind it. The texts are handed over. */
static void insert(struct unit *u, enum unit_line_kind kind, char *key, char *value)
{
        MEM_GROW(u->lines, u->n, u->cap);
        memmove(u->lines + u->at + 1, u->lines + u->at, (u->n - u->at) * sizeof *u->lines);
        u->lines[u->at] = (struct unit_line){ .kind = kind, .key = key, .value = value };
        u->n++;
        u->at++;
}

/* Both texts are one piece of memory. */
static void insert_entry(struct unit *u, const char *key, size_t key_len, const char *value,
                         size_t value_len)
{
        char *text = mem_alloc(key_len + value_len + 2);

        memcpy(text, key, key_len);
        text[key_len] = '\0';
        memcpy(text + key_len + 1, value, value_len);
        text[key_len + 1 + value_len] = '\0';
        insert(u, UNIT_ENTRY, text, text + key_len + 1);
}

void unit_remove(struct unit *u, size_t line)
{
        if (line >= u->n)
                return;
        release_line(&u->lines[line]);
        memmove(u->lines + line, u->lines + line + 1, (u->n - line - 1) * sizeof *u->lines);
        u->n--;
        if (u->at > line)
                u->at--;
}

static bool is_header(const struct unit *u, size_t i, const char *name)
{
        return u->lines[i].kind == UNIT_SECTION && strcmp(u->lines[i].key, name) == 0;
}

/* The header of the last section of that name; u->n if there is none. */
static size_t find_header(const struct unit *u, const char *name)
{
        for (size_t i = u->n; i > 0; i--)
                if (is_header(u, i - 1, name))
                        return i - 1;
        return u->n;
}

/* Go behind the header, which is made if there is none, and say where it is. */
static size_t behind_header(struct unit *u, const char *name)
{
        size_t header = find_header(u, name);

        u->at = header;
        if (header == u->n)
                insert(u, UNIT_SECTION, mem_strdup(name), NULL);
        u->at = header + 1;
        return header;
}

void unit_section(struct unit *u, const char *name)
{
        size_t header = behind_header(u, name), end = header + 1;

        while (end < u->n && u->lines[end].kind != UNIT_SECTION)
                end++;
        /* Comments and blank lines in front of the next header belong to that. */
        if (end < u->n)
                while (end > header + 1 && u->lines[end - 1].kind == UNIT_COMMENT)
                        end--;
        u->at = end;
}

void unit_section_start(struct unit *u, const char *name)
{
        behind_header(u, name);
}

void unit_before_section(struct unit *u, const char *name)
{
        size_t header = behind_header(u, name);

        u->at = header;
        while (u->at > 0 && u->lines[u->at - 1].kind == UNIT_COMMENT)
                u->at--;
}

static bool is_letter(char c)
{
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_key(const char *key)
{
        if (!is_letter(*key))
                return false;
        while (is_letter(*key) || (*key >= '0' && *key <= '9') || *key == '-')
                key++;
        return *key == '\0';
}

bool unit_add(struct unit *u, const char *key, const char *value)
{
        enum unit_flaw flaw = check_edges(value);

        if (!is_key(key) || (flaw != UNIT_OK && flaw != UNIT_EMPTY))
                return false;
        insert_entry(u, key, strlen(key), value, strlen(value));
        return true;
}

bool unit_comment(struct unit *u, const char *text)
{
        BUF_AUTO struct buf line = BUF_INIT;

        if (check_edges(text) != UNIT_OK)
                return false;
        buf_addf(&line, "# %s", text);
        insert(u, UNIT_COMMENT, NULL, buf_detach(&line));
        return true;
}

/* inside: is the line before `from` in that section? */
static size_t find_from(const struct unit *u, const char *section, const char *key, size_t from,
                        bool inside)
{
        for (size_t i = from; i < u->n; i++) {
                const struct unit_line *l = &u->lines[i];

                if (l->kind == UNIT_SECTION)
                        inside = strcmp(l->key, section) == 0;
                else if (inside && l->kind == UNIT_ENTRY && (!key || strcmp(l->key, key) == 0))
                        return i;
        }
        return u->n;
}

size_t unit_find(const struct unit *u, const char *section, const char *key, size_t from)
{
        size_t first = from < u->n ? from : u->n; /* of the lines in from's section */

        while (first > 0 && u->lines[first - 1].kind != UNIT_SECTION)
                first--;
        return find_from(u, section, key, from, first > 0 && is_header(u, first - 1, section));
}

size_t unit_next(const struct unit *u, const char *section, const char *key, size_t found)
{
        return find_from(u, section, key, found + 1, true);
}

const char *unit_get(const struct unit *u, const char *section, const char *key)
{
        const char *value = NULL;

        for (size_t i = unit_find(u, section, key, 0); i < u->n; i = unit_next(u, section, key, i))
                value = u->lines[i].value;
        return value;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Narrow [*s, *s + *len) to what Go's strings.TrimSpace leaves. */
static void trim(const char **s, size_t *len)
{
        size_t n;

        while (*len && (n = utf8_length(*s, *len)) && is_space(code_point(*s, n))) {
                *s += n;
                *len -= n;
        }
        while (*len) {
                n = 1;
                while (n < *len && n < 4 && ((unsigned char)(*s)[*len - n] & 0xC0) == 0x80)
                        n++;
                if (utf8_length(*s + *len - n, n) != n || !is_space(code_point(*s + *len - n, n)))
                        return;
                *len -= n;
        }
}

static bool read_header(struct unit *u, const char *s, size_t len, struct buf *why)
{
        const char *end = memchr(s, ']', len), *rest = end ? end + 1 : s;
        size_t left = end ? len - (size_t)(rest - s) : 0;

        if (end)
                trim(&rest, &left);
        if (!end || left || end == s + 1 || memchr(s + 1, '[', (size_t)(end - s - 1))) {
                buf_adds(why, "a section's name must stand alone, as [Name]");
                return false;
        }
        insert(u, UNIT_SECTION, mem_strndup(s + 1, (size_t)(end - s - 1)), NULL);
        return true;
}

static bool read_entry(struct unit *u, const char *s, size_t len, struct buf *why)
{
        const char *eq = memchr(s, '=', len), *value = eq ? eq + 1 : s;

        if (!eq || eq == s) {
                buf_adds(why, "neither a comment, nor a [Section], nor Key=value");
                return false;
        }
        size_t key_len = (size_t)(eq - s), value_len = len - key_len - 1;

        trim(&s, &key_len);
        trim(&value, &value_len);
        insert_entry(u, s, key_len, value, value_len);
        return true;
}

static bool read_line(struct unit *u, const char *s, size_t len, bool *inside, struct buf *why)
{
        if (s[0] == '[') {
                *inside = true;
                return read_header(u, s, len, why);
        }
        if (!*inside) {
                buf_adds(why, "an entry before the first section");
                return false;
        }
        return read_entry(u, s, len, why);
}

bool unit_read(struct unit *u, const char *text, size_t len, struct buf *why)
{
        BUF_AUTO struct buf joined = BUF_INIT;
        bool inside = false, more = false;
        size_t number = 0;

        if (memchr(text, '\0', len)) {
                buf_adds(why, "a NUL byte");
                return false;
        }
        unit_release(u);
        for (const char *at = text, *end = text + len; at < end;) {
                const char *stop = memchr(at, '\n', (size_t)(end - at)), *line = at;
                size_t n = (size_t)((stop ? stop : end) - at);

                at = stop ? stop + 1 : end;
                number++;
                trim(&line, &n);
                if (n == 0 || line[0] == '#' || line[0] == ';') {
                        if (joined.len == 0)
                                insert(u, UNIT_COMMENT, NULL, mem_strndup(line, n));
                        continue;
                }
                more = line[n - 1] == '\\';
                buf_add(&joined, line, more ? n - 1 : n);
                if (more)
                        continue;
                if (!read_line(u, joined.s, joined.len, &inside, why)) {
                        buf_addf(why, " (line %zu)", number);
                        return false;
                }
                buf_clear(&joined);
        }
        /* The generator takes it or drops it, by what follows; printed, it would take in a line
         * that is added behind it. */
        if (more)
                buf_adds(why, "the last line ends in a backslash, and no line follows; remove it");
        return !more;
}

/* ---- printing ---------------------------------------------------------------------------------
 */

/* Must [Service] define the empty variable? (That a text names it by chance does no harm.) */
static bool wants_empty(const struct unit *u)
{
        bool used = false;

        for (size_t i = 0; i < u->n; i++) {
                const struct unit_line *l = &u->lines[i];

                if (l->kind != UNIT_ENTRY)
                        continue;
                if (strcmp(l->value, EMPTY "=") == 0)
                        return false;
                used = used || strstr(l->value, "${" EMPTY "}");
        }
        return used;
}

static void print_line(const struct unit_line *l, struct buf *out)
{
        if (l->kind == UNIT_SECTION)
                buf_addc(out, '[');
        if (l->kind != UNIT_COMMENT)
                buf_adds(out, l->key);
        if (l->kind == UNIT_SECTION)
                buf_addc(out, ']');
        if (l->kind == UNIT_ENTRY)
                buf_addc(out, '=');
        if (l->kind != UNIT_SECTION)
                buf_adds(out, l->value);
        buf_addc(out, '\n');
}

void unit_print(const struct unit *u, struct buf *out)
{
        bool empty = wants_empty(u);

        for (size_t i = 0; i < u->n; i++) {
                const struct unit_line *l = &u->lines[i];

                if (l->kind == UNIT_SECTION && i > 0 && u->lines[i - 1].kind != UNIT_COMMENT)
                        buf_addc(out, '\n');
                print_line(l, out);
                if (empty && is_header(u, i, "Service")) {
                        buf_adds(out, "Environment=" EMPTY "=\n");
                        empty = false;
                }
        }
        if (empty)
                buf_adds(out, "\n[Service]\nEnvironment=" EMPTY "=\n");
}

/* ---- reading values back ----------------------------------------------------------------------
 */

static int hex_digits(const char *s, int n, unsigned *ret)
{
        *ret = 0;
        for (int i = 0; i < n; i++) {
                const char *digits = "0123456789abcdef0123456789ABCDEF";
                const char *d = s[i] ? strchr(digits, s[i]) : NULL;

                if (!d)
                        return 0;
                *ret = *ret << 4 | (unsigned)((d - digits) % 16);
        }
        return n;
}

/* Append what the escape behind a backslash stands for. Returns its length, 0 if it is none. */
static int add_escape(const char *s, struct buf *out)
{
        static const char names[] = "abtnvfr\\\"'s", stands_for[] = "\a\b\t\n\v\f\r\\\"' ";
        const char *name = *s ? strchr(names, *s) : NULL;
        int n = *s == 'x' ? 2 : *s == 'u' ? 4 : *s == 'U' ? 8 : 0;
        unsigned c;

        if (name) {
                buf_addc(out, stands_for[name - names]);
                return 1;
        }
        if (n) {
                if (!hex_digits(s + 1, n, &c) || c == 0 || c > 0x10FFFF ||
                    (c >= 0xD800 && c <= 0xDFFF))
                        return 0;
                utf8_add(out, c);
                return n + 1;
        }
        if (strspn(s, "01234567") < 3)
                return 0;
        c = (unsigned)(s[0] - '0') << 6 | (unsigned)(s[1] - '0') << 3 | (unsigned)(s[2] - '0');
        if (c == 0 || c > 255)
                return 0;
        utf8_add(out, c);
        return 3;
}

/* Read one word from *s. 1: a word, 0: none or an empty one, -1: a wrong escape. */
static int next_word(const char **s, struct buf *word)
{
        char quote = 0;

        *s += strspn(*s, " \t\n\r");
        for (; **s; ++*s) {
                char c = **s;

                if (c == '\\') {
                        int n = (*s)[1] ? add_escape(*s + 1, word) : 0;

                        if (n == 0)
                                return (*s)[1] ? -1 : word->len > 0;
                        *s += n;
                } else if (quote ? c == quote : c == '"' || c == '\'') {
                        quote = (char)(quote ? 0 : c);
                } else if (!quote && strchr(" \t\n\r", c)) {
                        break;
                } else {
                        buf_addc(word, c);
                }
        }
        return word->len > 0;
}

bool unit_split(const char *value, void (*each)(const char *word, void *self), void *self)
{
        BUF_AUTO struct buf word = BUF_INIT;
        int got;

        while ((got = next_word(&value, &word)) == 1) {
                each(word.s, self);
                buf_clear(&word);
        }
        return got == 0;
}
