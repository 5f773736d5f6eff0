/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "convert.h"

enum reader { PLAIN, LINE, BARE, WORD };
enum { ONE, LIST };

static const struct key_info {
        const char *section, *key;
        int since;
        enum reader reader;
        bool list;
        const char *option;
} infos[N_KEYS] = {
#define KEY(name, section_, key_, since_, reader_, list_, option_)                                 \
        [KEY_##name] = { .section = (section_),                                                    \
                         .key = (key_),                                                            \
                         .since = (since_),                                                        \
                         .reader = (reader_),                                                      \
                         .list = (list_),                                                          \
                         .option = (option_) },
#include "keys.def"
#undef KEY
};

bool text_ok(struct convert *c, enum unit_flaw flaw, const struct path *at)
{
        static const char *const what_to_do[] = {
                [UNIT_OK] = "",
                [UNIT_CONTROL] = "take it out: a unit is made of lines",
                [UNIT_ENCODING] = "write it in UTF-8",
                [UNIT_EDGE] = "Quadlet has no way to say that here; take them away",
                [UNIT_EMPTY] = "give it a value or leave the field out",
                [UNIT_LONG] = "put it in a file and mount that",
        };

        if (flaw == UNIT_OK)
                return true;
        diag_report(c->d, VMQ_QUADLET_TEXT, at, "the text %s; %s", unit_flaw_text(flaw),
                    what_to_do[flaw]);
        return false;
}

void key_podman_arg(struct convert *c, struct unit *u, const char *option, const char *value,
                    const struct path *at)
{
        BUF_AUTO struct buf v = BUF_INIT;
        enum unit_flaw flaw = UNIT_OK;

        if (value) {
                flaw = unit_check(value);
                if (flaw == UNIT_OK)
                        flaw = unit_word_option(&v, option, value);
        } else {
                buf_adds(&v, option);
        }
        unit_section(u, unit_find(u, "Pod", NULL, 0) < u->n ? "Pod" : "Container");
        if (text_ok(c, flaw, at) && !unit_add(u, "PodmanArgs", v.s))
                assert(!"a quoted word is one line");
}

/* Podman reads the value as a line of CSV: quote it, in `space`, where it would be split. */
static const char *as_csv(const char *value, struct buf *space)
{
        if (!strpbrk(value, ",\""))
                return value;
        buf_addc(space, '"');
        for (; *value; value++) {
                if (*value == '"')
                        buf_addc(space, '"');
                buf_addc(space, *value);
        }
        buf_addc(space, '"');
        return space->s;
}

/*
 * Podman 5.8.2 takes quotes at the ends of a value away only as a pair, so with 5.8 one at one end
 * may stay. (Earlier 5.8 lose it, and with it the check that the reference writes for tcpSocket.)
 */
static enum unit_flaw add_plain(const struct convert *c, enum key key, struct buf *v,
                                const char *value)
{
        size_t len = strlen(value);

        if (key == KEY_HealthCmd && c->choices->podman >= 8 && len > 1 &&
            (value[0] == '"') != (value[len - 1] == '"'))
                return unit_line(v, value);
        return unit_plain(v, value);
}

static enum unit_flaw quote(const struct convert *c, enum key key, struct buf *v, const char *value)
{
        enum unit_flaw flaw = UNIT_OK;

        switch (infos[key].reader) {
        case PLAIN:
                return add_plain(c, key, v, value);
        case LINE:
                return unit_line(v, value);
        case BARE:
                return unit_bare_word(v, value);
        case WORD: /* could carry control characters, which we write in no value */
                flaw = *value ? unit_check(value) : UNIT_EMPTY;
                break;
        }
        return flaw == UNIT_OK ? unit_word(v, value) : flaw;
}

/* PodmanArgs=OPTIONvalue */
static void add_option(struct convert *c, struct unit *u, const char *option, const char *value,
                       const struct path *at)
{
        BUF_AUTO struct buf word = BUF_INIT, v = BUF_INIT;

        buf_addf(&word, "%s%s", option, value);
        if (text_ok(c, unit_word(&v, word.s), at) && !unit_add(u, "PodmanArgs", v.s))
                assert(!"a quoted word is one line");
}

void key_add(struct convert *c, struct unit *u, enum key key, const char *value,
             const struct path *at)
{
        const struct key_info *k = &infos[key];
        BUF_AUTO struct buf csv = BUF_INIT, v = BUF_INIT;
        const char *text = k->list ? as_csv(value, &csv) : value;

        unit_section(u, k->section);
        enum unit_flaw flaw = quote(c, key, &v, text);
        bool known = c->choices->podman >= k->since;

        if (known && flaw == UNIT_OK) {
                if (!unit_add(u, k->key, v.s))
                        (void)text_ok(c, UNIT_EDGE, at);
        } else if (k->option && (flaw == UNIT_OK || flaw == UNIT_EDGE)) {
                add_option(c, u, k->option, text, at);
        } else if (flaw != UNIT_OK) {
                (void)text_ok(c, flaw, at);
        }
}

void key_addf(struct convert *c, struct unit *u, enum key key, const struct path *at,
              const char *fmt, ...)
{
        BUF_AUTO struct buf value = BUF_INIT;
        va_list ap;

        va_start(ap, fmt);
        buf_vaddf(&value, fmt, ap);
        va_end(ap);
        key_add(c, u, key, value.s, at);
}

void systemd_add(struct unit *u, const char *section, const char *key, const char *value)
{
        unit_section(u, section);
        if (!unit_add(u, key, value))
                assert(!"our own words are one line");
}

void systemd_addf(struct unit *u, const char *section, const char *key, const char *fmt, ...)
{
        BUF_AUTO struct buf value = BUF_INIT;
        va_list ap;

        va_start(ap, fmt);
        buf_vaddf(&value, fmt, ap);
        va_end(ap);
        systemd_add(u, section, key, value.s);
}
