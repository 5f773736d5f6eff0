/* SPDX-License-Identifier: Apache-2.0 */
#include "fold.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mem.h"
#include "names.h"

#define SECTION "Container"

void fold_start(struct fold *f, struct ref units, struct diag *d)
{
        *f = (struct fold){ .diag = d };
        REF_EACH(unit, units) {
                const char *name = ref_text(unit.item, "name");

                if (name_section(name_extension(name)))
                        continue;
                MEM_GROW(f->companions, f->n, f->cap);
                f->companions[f->n++] = (struct companion){ .name = name,
                                                            .text = ref_text(unit.item, "text"),
                                                            .index = unit.i };
        }
}

bool fold_end(struct fold *f)
{
        bool good = true;

        for (size_t i = 0; i < f->n; i++) {
                const struct companion *c = &f->companions[i];

                if (c->used)
                        continue;
                diag_report(f->diag, VMQ_NOT_FOLDED, AT_INDEX(AT(NULL, "units"), c->index),
                            "%s can't be part of a bundle; use --output-dir or --tar", c->name);
                good = false;
        }
        free(f->companions);
        return good;
}

/* The companion that a unit means by "NAME" or "./NAME" (len bytes), marked as used; NULL if it is
 * a file of the host. */
static const struct companion *take_companion(struct fold *f, const char *file, size_t len)
{
        if (len > 2 && memcmp(file, "./", 2) == 0) {
                file += 2;
                len -= 2;
        }
        for (size_t i = 0; i < f->n; i++) {
                struct companion *c = &f->companions[i];

                if (strncmp(c->name, file, len) != 0 || c->name[len] != '\0')
                        continue;
                c->used = true;
                return c;
        }
        return NULL;
}

/* ---- .env --------------------------------------------------------------------------------------
 */

struct variable {
        const char *name;
        size_t len;
        bool found;
};

static void compare_name(const char *word, void *self)
{
        struct variable *v = self;

        if (strncmp(word, v->name, v->len) == 0 && word[v->len] == '=')
                v->found = true;
}

/* Environment= of the unit sets the variable: Podman prefers that to a file's. */
static bool is_set(const struct unit *u, const char *name, size_t len)
{
        struct variable v = { .name = name, .len = len };

        for (size_t i = unit_find(u, SECTION, "Environment", 0); i < u->n;
             i = unit_next(u, SECTION, "Environment", i))
                unit_split(u->lines[i].value, compare_name, &v);
        return v.found;
}

/* One line of an .env file; what is no NAME=VALUE means the host's environment, which a unit has
 * not. */
static bool fold_variable(struct fold *f, struct unit *u, const char *line, const char *name,
                          const struct path *at)
{
        BUF_AUTO struct buf word = BUF_INIT;
        const char *equals = strchr(line, '=');

        if (*line == '\0' || *line == '#')
                return true;
        size_t len = equals ? (size_t)(equals - line) : 0;
        MEM_AUTO char *variable = mem_strndup(line, len);

        if (equals && is_set(u, variable, len))
                return true;
        enum unit_flaw flaw = equals ? unit_env_word(&word, variable, equals + 1) : UNIT_EMPTY;

        if (flaw == UNIT_OK && unit_add(u, "Environment", word.s))
                return true;
        diag_report(f->diag, VMQ_NOT_FOLDED, at,
                    "variable '%s' of %s %s; use --output-dir or --tar", equals ? variable : line,
                    name, equals ? unit_flaw_text(flaw) : "has no value");
        return false;
}

static bool fold_env(struct fold *f, struct unit *u, size_t line, const struct path *at)
{
        const char *value = u->lines[line].value;
        const struct companion *file = take_companion(f, value, strlen(value));
        bool good = true;

        if (!file)
                return true;
        unit_remove(u, line);
        u->at = line;
        for (const char *text = file->text; *text;) {
                size_t len = strcspn(text, "\n");
                MEM_AUTO char *one = mem_strndup(text, len);

                good = fold_variable(f, u, one, file->name, at) && good;
                text += len + (text[len] == '\n');
        }
        return good;
}

/* ---- .sh ---------------------------------------------------------------------------------------
 */

static bool is_shell(const char *entrypoint)
{
        static const char *const shells[] = { "sh", "bash", "dash", "ash" };
        const char *slash = entrypoint ? strrchr(entrypoint, '/') : NULL;

        for (size_t i = 0; slash && i < ARRAY_LEN(shells); i++)
                if (strcmp(slash + 1, shells[i]) == 0)
                        return true;
        return false;
}

/* Exec=/P ARG... becomes Exec=-c SCRIPT /P ARG...: the same $0 and the same arguments. */
static enum unit_flaw fold_exec(struct unit *u, const char *script, const char *target, size_t len)
{
        BUF_AUTO struct buf value = BUF_INIT;
        size_t exec = unit_find(u, SECTION, "Exec", 0);
        const char *old = exec < u->n ? u->lines[exec].value : "";

        if (!is_shell(unit_get(u, SECTION, "Entrypoint")) || strncmp(old, target, len) != 0 ||
            (old[len] != '\0' && old[len] != ' '))
                return UNIT_EMPTY;
        if (strlen(script) >= UNIT_ARG_MAX)
                return UNIT_LONG;
        buf_adds(&value, "-c");
        enum unit_flaw flaw = unit_word(&value, script);

        if (flaw != UNIT_OK)
                return flaw;
        buf_addf(&value, " %s", old);
        unit_remove(u, exec);
        u->at = exec;
        return value.len < UNIT_LINE_MAX && unit_add(u, "Exec", value.s) ? UNIT_OK : UNIT_LONG;
}

static bool fold_script(struct fold *f, struct unit *u, size_t line, const struct path *at)
{
        const char *line_value = u->lines[line].value;
        size_t source = strcspn(line_value, ":");
        const struct companion *file = take_companion(f, line_value, source);

        if (!file || line_value[source] != ':')
                return true;
        MEM_AUTO char *value = mem_strdup(line_value);
        const char *target = value + source + 1;

        unit_remove(u, line);
        enum unit_flaw flaw = fold_exec(u, file->text, target, strcspn(target, ":"));

        if (flaw == UNIT_OK)
                return true;
        diag_report(
                f->diag, VMQ_NOT_FOLDED, at, "%s %s; use --output-dir or --tar", file->name,
                flaw == UNIT_EMPTY
                        ? "is not what a shell of the unit runs, so it can't be part of a bundle"
                        : unit_flaw_text(flaw));
        return false;
}

/* ------------------------------------------------------------------------------------------------
 */

bool fold_into(struct fold *f, struct unit *u, const struct path *at)
{
        static const struct {
                const char *key;
                bool (*fold)(struct fold *f, struct unit *u, size_t line, const struct path *at);
        } kinds[] = { { "EnvironmentFile", fold_env }, { "Volume", fold_script } };
        bool good = true;

        for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
                size_t i = unit_find(u, SECTION, kinds[k].key, 0);

                while (good && i < u->n) {
                        size_t before = u->n;

                        good = kinds[k].fold(f, u, i, at);
                        /* A line that was taken out moved the next one to its place. */
                        i = unit_find(u, SECTION, kinds[k].key, before == u->n ? i + 1 : i);
                }
        }
        return good;
}
