/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings - the options of the whole pipeline (settings.def).
 *
 * A setting's value comes from, in this order: the command line, the work item's `options`, the
 * configuration file, the default.
 */
#ifndef VMQ_SETTINGS_H
#define VMQ_SETTINGS_H

#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "diag.h"

enum setting {
#define SETTING(name, option, kind, arg, fallback, help) SET_##name,
#include "settings.def"
#undef SETTING
        N_SETTINGS
};

enum setting_kind { SETTING_SWITCH, SETTING_TEXT, SETTING_CHOICE, SETTING_PORT, SETTING_NUMBER };

struct setting_info {
        const char *option; /* without the dashes */
        enum setting_kind kind;
        const char *arg;      /* its name in the help, or the choices a|b; NULL: a switch */
        const char *fallback; /* "": none */
        const char *help;
};

extern const struct setting_info setting_infos[N_SETTINGS];

/* All texts are owned; NULL: not given there. */
struct settings {
        char *given[N_SETTINGS];      /* command line */
        char *remembered[N_SETTINGS]; /* the item at hand */
        char *configured[N_SETTINGS]; /* configuration file */
};

/* The setting of an option's name; N_SETTINGS if there is none. */
enum setting setting_of(const char *option);

/* Is the text a value that the setting takes? Appends to `why` what would be one if it is not. */
bool setting_check(enum setting s, const char *text, struct buf *why);

/* Take a value from the command line (already checked). */
void settings_give(struct settings *s, enum setting which, const char *text);

/*
 * Read an INI file of "option = value" lines, in no section or under [vmq]; what is behind " ;" is
 * a comment. False, with a line in `why`, if it can't be read or has a line that is no setting.
 */
bool settings_read(struct settings *s, const char *file, struct buf *why);

/* Take over the options that an item remembers; false after a report where one is not a value that
 * the setting takes. Options that are no settings are left to whoever put them there. */
bool settings_recall(struct settings *s, const jv *item, struct diag *d);

/* Put the command line's into the item. */
void settings_remember(const struct settings *s, jv *item);

/* The value in force: its text, NULL where there is none; as a switch; as a number (-1: none). */
const char *setting_text(const struct settings *s, enum setting which);
bool setting_on(const struct settings *s, enum setting which);
int setting_int(const struct settings *s, enum setting which);

void settings_release(struct settings *s);

#endif
