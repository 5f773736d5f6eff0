/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "jvx.h"
#include "mem.h"
#include "ref.h"
#include "utf8.h"

const struct setting_info setting_infos[N_SETTINGS] = {
#define SETTING(name_, option_, kind_, arg_, fallback_, help_)                                     \
        { .option = (option_),                                                                     \
          .kind = SETTING_##kind_,                                                                 \
          .arg = (arg_),                                                                           \
          .fallback = (fallback_),                                                                 \
          .help = (help_) },
#include "settings.def"
#undef SETTING
};

enum setting setting_of(const char *option)
{
        for (int i = 0; i < N_SETTINGS; i++)
                if (strcmp(setting_infos[i].option, option) == 0)
                        return (enum setting)i;
        return N_SETTINGS;
}

static bool is_choice(const char *choices, const char *text)
{
        size_t len = strlen(text);

        for (const char *p = choices; p && len;) {
                size_t n = strcspn(p, "|");

                if (n == len && memcmp(p, text, n) == 0)
                        return true;
                if (!p[n])
                        break;
                p += n + 1;
        }
        return false;
}

static bool is_number(const char *text, long from, long to)
{
        char *end;

        if (strspn(text, "0123456789") != strlen(text) || !*text)
                return false;
        errno = 0;
        long n = strtol(text, &end, 10);

        return !errno && n >= from && n <= to;
}

/* One line that can stand in a unit or an argument. */
static bool is_line(const char *text)
{
        for (const char *p = text; *p; p++)
                if ((unsigned char)*p < 0x20 || *p == 0x7F)
                        return false;
        return *text && utf8_valid(text, strlen(text));
}

bool setting_check(enum setting s, const char *text, struct buf *why)
{
        const struct setting_info *info = &setting_infos[s];
        const char *word = info->arg ? strchr(info->arg, '|') : NULL;

        switch (info->kind) {
        case SETTING_SWITCH:
                if (is_choice("true|false", text))
                        return true;
                buf_adds(why, "true or false");
                break;
        case SETTING_CHOICE:
                if (is_choice(info->arg, text))
                        return true;
                buf_addf(why, "one of %s", info->arg);
                break;
        case SETTING_PORT:
                if (is_number(text, 1, 65535))
                        return true;
                buf_adds(why, "a port from 1 to 65535");
                break;
        case SETTING_NUMBER:
                if (is_number(text, 0, 2147483647) || (word && strcmp(word + 1, text) == 0))
                        return true;
                buf_addf(why, "a whole number%s%s", word ? " or " : "", word ? word + 1 : "");
                break;
        case SETTING_TEXT:
                if (is_line(text))
                        return true;
                buf_adds(why, "a text without control characters");
                break;
        }
        return false;
}

static void replace(char **slot, const char *text)
{
        free(*slot);
        *slot = text ? mem_strdup(text) : NULL;
}

void settings_give(struct settings *s, enum setting which, const char *text)
{
        replace(&s->given[which], text);
}

struct config_file {
        struct settings *settings;
        FILE *in;
        char *line;
        size_t size;
        struct buf *why;
};

/* What inih would get wrong without a word is kept from it: it cuts a line that is longer than its
 * buffer, and takes one that is indented for more of the value above. */
static char *next_line(char *text, int size, void *user)
{
        struct config_file *f = user;
        ssize_t len = getline(&f->line, &f->size, f->in);

        if (len < 0 || f->why->len)
                return NULL;
        const char *start = f->line + strspn(f->line, " \t");

        if (strlen(f->line) != (size_t)len || strlen(start) >= (size_t)size - 1) {
                buf_addf(f->why, "a line of %zd bytes; at most %d are read", len, size - 2);
                start = "?"; /* which is no line either, so that its number is told */
        }
        return memcpy(text, start, strlen(start) + 1);
}

static int read_line(void *user, const char *section, const char *name, const char *value)
{
        struct config_file *f = user;
        enum setting which = setting_of(name);

        if (*section && strcmp(section, "vmq") != 0)
                buf_addf(f->why, "[%s]: no such section", section);
        else if (which == N_SETTINGS)
                buf_addf(f->why, "%s: no such setting", name);
        else if (setting_check(which, value, f->why))
                replace(&f->settings->configured[which], value);
        else
                buf_addf(f->why, " is what %s takes, not '%s'", name, value);
        return f->why->len == 0;
}

static void explain(const struct config_file *f, const char *file, int line, struct buf *why)
{
        BUF_AUTO struct buf text = BUF_INIT;

        if (ferror(f->in))
                buf_addf(&text, "%s: %s", file, strerror(errno));
        else if (f->why->len)
                buf_addf(&text, "%s:%d: %s", file, line, f->why->s);
        else
                buf_addf(&text, "%s:%d: not a line of the form option = value", file, line);
        utf8_add_visible(why, text.s, text.len);
}

bool settings_read(struct settings *s, const char *file, struct buf *why)
{
        BUF_AUTO struct buf problem = BUF_INIT;
        struct config_file f = { .settings = s, .in = fopen(file, "re"), .why = &problem };

        if (!f.in) {
                buf_addf(why, "%s: %s", file, strerror(errno));
                return false;
        }
        int line = ini_parse_stream(next_line, &f, read_line, &f);
        bool good = line == 0 && !ferror(f.in);

        if (!good)
                explain(&f, file, line, why);
        free(f.line);
        (void)fclose(f.in);
        return good;
}

/* The text of an option's value in an item: text, number or boolean. */
static bool value_text(struct ref value, struct buf *out)
{
        if (ref_str(value)) {
                buf_adds(out, ref_str(value));
                return true;
        }
        if (ref_kind(value) == JV_KIND_ARRAY || ref_kind(value) == JV_KIND_OBJECT)
                return false;
        json_print(&value.v, out);
        return true;
}

bool settings_recall(struct settings *s, const jv *item, struct diag *d)
{
        bool good = true;
        struct ref options = ref_get(ref_of(item), "options");

        for (int i = 0; i < N_SETTINGS; i++)
                replace(&s->remembered[i], NULL);
        REF_EACH(c, options) {
                enum setting which = c.key ? setting_of(c.key) : N_SETTINGS;
                BUF_AUTO struct buf text = BUF_INIT;
                BUF_AUTO struct buf why = BUF_INIT;

                if (which == N_SETTINGS)
                        continue;
                if (value_text(c.item, &text) && setting_check(which, text.s, &why)) {
                        replace(&s->remembered[which], text.s);
                        continue;
                }
                diag_report(d, VMQ_OPTION_VALUE, AT_KEY(AT(NULL, "options"), c.key),
                            "not %s; correct it in the work item", why.len ? why.s : "a text");
                good = false;
        }
        return good;
}

/* A setting's value as an item has it. A number's setting may have a word in its place. */
static jv value_json(enum setting_kind kind, const char *text)
{
        switch (kind) {
        case SETTING_SWITCH:
                return jv_bool(strcmp(text, "true") == 0);
        case SETTING_PORT:
        case SETTING_NUMBER:
                if (is_number(text, 0, 2147483647))
                        return json_int(strtol(text, NULL, 10));
                break;
        case SETTING_CHOICE:
        case SETTING_TEXT:
                break;
        }
        return jv_string(text);
}

void settings_remember(const struct settings *s, jv *item)
{
        JVX_AUTO jv options = jvx_detach(item, "options");

        for (int i = 0; i < N_SETTINGS; i++) {
                const struct setting_info *info = &setting_infos[i];
                const char *text = s->given[i];

                if (text)
                        jvx_set(&options, info->option, value_json(info->kind, text));
        }
        jvx_set(item, "options", jvx_take(&options));
}

const char *setting_text(const struct settings *s, enum setting which)
{
        const char *fallback = setting_infos[which].fallback;

        if (s->given[which])
                return s->given[which];
        if (s->remembered[which])
                return s->remembered[which];
        if (s->configured[which])
                return s->configured[which];
        return *fallback ? fallback : NULL;
}

bool setting_on(const struct settings *s, enum setting which)
{
        const char *text = setting_text(s, which);

        return text && strcmp(text, "true") == 0;
}

int setting_int(const struct settings *s, enum setting which)
{
        const char *text = setting_text(s, which);

        return text ? (int)strtol(text, NULL, 10) : -1;
}

void settings_release(struct settings *s)
{
        for (int i = 0; i < N_SETTINGS; i++) {
                replace(&s->given[i], NULL);
                replace(&s->remembered[i], NULL);
                replace(&s->configured[i], NULL);
        }
}
