/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unit - the text of Quadlet and systemd units: writing, quoting, reading.
 *
 * Text of a VM is hostile and reaches a unit only through here. A value goes through four readers
 * before it is an argument of Podman, and must come out as it went in:
 *
 *   1. the generator's reader of lines (podman pkg/systemd/parser/unitfile.go, Parse): joins lines
 *      that end with '\', trims white space (Unicode's) at both ends;
 *   2. the generator's reader of the key (unitfile.go, Lookup and its family; enum unit_reader);
 *   3. systemd's reader of ExecStart= (config_parse_exec): words, quotes, C escapes, '%'
 * specifiers, a lone ';' that starts the next command;
 *   4. systemd's expansion of '$' when it starts the command (replace_env_argv).
 *
 * The functions that append a value say with `enum unit_flaw` what they can't carry; they append
 * nothing then. Quoting is the caller's promise; that a value is one line is unit_add()'s.
 *
 *      BUF_AUTO struct buf v = BUF_INIT;
 *      struct unit u = UNIT_INIT;
 *
 *      unit_section(&u, "Container");
 *      if (unit_word(&v, text) != UNIT_OK) ...report...
 *      unit_add(&u, "Exec", v.s);
 *      unit_print(&u, &out);
 *      unit_release(&u);
 */
#ifndef VMQ_UNIT_H
#define VMQ_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

/* Why a text can't be carried. */
enum unit_flaw {
        UNIT_OK,
        UNIT_CONTROL,  /* a control character: C0, DEL, C1 */
        UNIT_ENCODING, /* not UTF-8 */
        UNIT_EDGE,  /* white space, a quote or '\' at an end; or a lone ';'. Words can carry it */
        UNIT_EMPTY, /* nothing, where a key with nothing means something else */
        UNIT_LONG,  /* beyond what Linux passes to a process, or systemd reads in a line */
};

/* What is wrong, as the middle of a sentence: "has a control character in it". */
const char *unit_flaw_text(enum unit_flaw flaw);

/* Bytes of one argument of a process with the NUL behind it (Linux' MAX_ARG_STRLEN). */
#define UNIT_ARG_MAX 131072
/* Bytes of one line that Podman's reader of --env-file takes (Go's bufio.MaxScanTokenSize), less
 * its end. */
#define UNIT_ENV_LINE_MAX 65535
/* Bytes of one line that systemd takes (LONG_LINE_MAX), less some for what the generator adds. */
#define UNIT_LINE_MAX (1048576 - 65536)

/* Is the text free of control characters, and UTF-8? What names, paths and images must be. */
enum unit_flaw unit_check(const char *s);

/* ---- values: each appends to v, or says why it can't ------------------------------------------
 */

/* A value of a key that takes one whole value (Lookup: Image, HealthCmd, WorkingDir, ...). A quote
 * at an end is a flaw: Podman before 5.8.2 strips all of them, later ones a pair. */
enum unit_flaw unit_plain(struct buf *v, const char *s);

/* A value of a key that takes one value a line, as it is (LookupAll: DNS, AddHost, Volume, ...). */
enum unit_flaw unit_line(struct buf *v, const char *s);

/* One word of a key that splits at spaces and knows quotes but no escapes (LookupAllStrv:
 * AddDevice, Sysctl, ...). */
enum unit_flaw unit_bare_word(struct buf *v, const char *s);

/*
 * One word of a command line, behind a space if v is not empty (LookupAllArgs, LookupLastArgs,
 * LookupAllKeyVal: Exec, PodmanArgs, Environment, Mount, ...). Carries every text of UTF-8 but for
 * the control characters U+0080 to U+009F. The generator stops at an empty word and systemd
 * starts another command at a lone ";", so those two are written with the empty variable
 * VMQ_EMPTY, which unit_print() then defines in [Service].
 */
enum unit_flaw unit_word(struct buf *v, const char *s);

/* The word OPTION=S. */
enum unit_flaw unit_word_option(struct buf *v, const char *option, const char *s);

/* All words of a value; for [Unit] and [Service] keys of systemd itself that are plain text
 * (Description): '%' is doubled, and that is all. */
enum unit_flaw unit_text(struct buf *v, const char *s);

/*
 * Fields of a Mount= value or of --mount: comma-separated, CSV-quoted where needed, to be passed
 * through unit_word() as a whole. `value` NULL: the field is the key alone.
 */
enum unit_flaw unit_mount_field(struct buf *csv, const char *key, const char *value);

/* Can the text stand as a field of a Volume= or AddDevice= value (SOURCE:DESTINATION:OPTIONS) as it
 * is: no ':' and nothing that unit_line() refuses? */
bool unit_volume_safe(const char *s);

/* A line NAME=VALUE of an --env-file, without line break. UNIT_LONG beyond UNIT_ENV_LINE_MAX. */
enum unit_flaw unit_env_line(struct buf *v, const char *name, const char *value);

/* The word NAME=VALUE of an Environment= line. UNIT_LONG beyond UNIT_ARG_MAX. */
enum unit_flaw unit_env_word(struct buf *v, const char *name, const char *value);

/* ---- units ------------------------------------------------------------------------------------
 */

enum unit_line_kind { UNIT_COMMENT, UNIT_SECTION, UNIT_ENTRY };

struct unit_line {
        enum unit_line_kind kind;
        char *key;   /* of an entry; the name of a section; NULL for a comment */
        char *value; /* of an entry (one piece of memory with its key: neither is to be replaced or
                        released alone); a comment's whole line ("" for a blank one) */
};

struct unit {
        struct unit_line *lines;
        size_t n, cap;
        size_t at; /* where unit_add() puts the next line */
};

/* clang-format off */
#define UNIT_INIT { .lines = NULL, .n = 0, .cap = 0, .at = 0 }
/* clang-format on */
#define UNIT_AUTO __attribute__((cleanup(unit_release)))

void unit_release(struct unit *u);

/* Go to the end of the section, which is made at the end of the unit if there is none. */
void unit_section(struct unit *u, const char *name);

/* Go to before the first line of the section, or before its header; made if there is none. */
void unit_section_start(struct unit *u, const char *name);
void unit_before_section(struct unit *u, const char *name);

/*
 * Add KEY=VALUE where we are. The value is unit text already. False, and nothing is added, if it
 * would not be this one line: a control character, bytes that are no UTF-8, '\' at its end, or a
 * key that is not made of letters and digits.
 */
bool unit_add(struct unit *u, const char *key, const char *value);

/* Add a comment line "# text". Never text of a VM; false as in unit_add(). */
bool unit_comment(struct unit *u, const char *text);

/* The value of the last entry of that key in the section, NULL if there is none. */
const char *unit_get(const struct unit *u, const char *section, const char *key);

/* The index of the first entry of that key (NULL: any) in the section at or after line `from`;
 * u->n if there is none. Sections of the same name count as one. */
size_t unit_find(const struct unit *u, const char *section, const char *key, size_t from);

/* The one behind that which unit_find() or this has found. */
size_t unit_next(const struct unit *u, const char *section, const char *key, size_t found);

/* Take a line out. */
void unit_remove(struct unit *u, size_t line);

/*
 * Read a unit's text. Comments and blank lines are kept, continued lines joined (comments between
 * them are dropped), white space at the ends of lines is trimmed: what the generator sees. False
 * with a line in `why` if it is no unit, or ends inside a continued line.
 */
bool unit_read(struct unit *u, const char *text, size_t len, struct buf *why);

/* Append the text, a blank line between sections. */
void unit_print(const struct unit *u, struct buf *out);

/* ---- reading values back (what the generator and systemd do) ----------------------------------
 */

/* Split at white space, with quotes and C escapes, as the generator does (extractFirstWord with
 * SplitRelax|SplitUnquote|SplitCUnescape). Calls `each` with every word; stops at an empty one, as
 * the generator does. False if an escape is unknown. */
bool unit_split(const char *value, void (*each)(const char *word, void *self), void *self);

#endif
