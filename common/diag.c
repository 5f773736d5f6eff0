/* SPDX-License-Identifier: Apache-2.0 */
#include "diag.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "jvx.h"
#include "mem.h"
#include "utf8.h"

/* clang-format off */
const struct diag_info diag_infos[DIAG_CODES] = {
#define CODE(number_, name, class_, title_, reason_, example_) \
        { .number = (number_), .class = (class_), .title = (title_), .reason = (reason_), \
          .example = (example_) },
#include "codes.def"
#undef CODE
};
/* clang-format on */

static const char *const severity_names[] = { "", "note", "warning", "error" };
static const char *const severity_colors[] = { "", "\033[1;36m", "\033[1;35m", "\033[1;31m" };

enum diag_code diag_code_of(const char *text)
{
        if (strncmp(text, "VMQ", 3) == 0 || strncmp(text, "vmq", 3) == 0)
                text += 3;
        char *end;
        long number = strtol(text, &end, 10);

        if (end == text || *end)
                return DIAG_CODES;
        for (int i = 0; i < DIAG_CODES; i++)
                if (diag_infos[i].number == number)
                        return (enum diag_code)i;
        return DIAG_CODES;
}

static enum diag_severity severity_of(const struct diag *d, enum diag_code code)
{
        enum diag_severity severity = SEVERITY_ERROR;

        switch (diag_infos[code].class) {
        case DIAG_ERROR:
                break;
        case DIAG_STRICT:
                severity = d->style.strict;
                break;
        case DIAG_ADMISSION:
                severity = d->style.admission;
                break;
        case DIAG_HOST:
                if (d->style.host_warns)
                        severity = SEVERITY_WARNING;
                break;
        case DIAG_WARNING:
                severity = SEVERITY_WARNING;
                break;
        case DIAG_NOTE:
                severity = SEVERITY_NOTE;
                break;
        }
        if (severity < SEVERITY_ERROR && (d->quiet || d->style.muted[code]))
                return SEVERITY_NONE;
        if (severity == SEVERITY_WARNING && d->style.werror)
                return SEVERITY_ERROR;
        return severity;
}

void diag_begin(struct diag *d, const char *file, unsigned line, struct places *places,
                const struct input *input)
{
        d->file = file;
        d->line = line;
        d->places = places;
        d->base = NULL;
        d->input = input;
        d->quiet = false;
        d->errors = 0;
}

/* Append what can be seen of a text; of one that no reader wants whole its two ends. */
static void add_bounded(struct buf *out, const struct buf *raw)
{
        BUF_AUTO struct buf all = BUF_INIT;

        utf8_add_visible(&all, raw->s, raw->len);
        if (all.len <= DIAG_TEXT_MOST) {
                buf_add(out, all.s, all.len);
                return;
        }
        size_t head = DIAG_TEXT_MOST / 2, tail = all.len - DIAG_TEXT_MOST / 2;

        while (head > 0 && ((unsigned char)all.s[head] & 0xC0) == 0x80)
                head--;
        while (tail < all.len && ((unsigned char)all.s[tail] & 0xC0) == 0x80)
                tail++;
        buf_add(out, all.s, head);
        buf_adds(out, " [...] ");
        buf_add(out, all.s + tail, all.len - tail);
}

static void add(struct diag *d, enum diag_code code, struct place at, const struct path *path,
                const char *fmt, va_list ap) __attribute__((format(printf, 5, 0)));

static void add(struct diag *d, enum diag_code code, struct place at, const struct path *path,
                const char *fmt, va_list ap)
{
        enum diag_severity severity = severity_of(d, code);

        if (severity == SEVERITY_NONE)
                return;
        if (severity == SEVERITY_ERROR) {
                d->errors++;
                d->all_errors++;
        } else if (severity == SEVERITY_WARNING) {
                d->all_warnings++;
        }
        if (d->n >= DIAG_MOST) {
                d->left_out++;
                return;
        }
        BUF_AUTO struct buf raw = BUF_INIT;
        BUF_AUTO struct buf text = BUF_INIT;
        BUF_AUTO struct buf where = BUF_INIT;

        if ((path || d->base) && d->places && !at.line)
                at = places_at(d->places, d->base, path);
        buf_vaddf(&raw, fmt, ap);
        add_bounded(&text, &raw);
        buf_clear(&raw);
        path_print(path, &raw);
        add_bounded(&where, &raw);
        MEM_GROW(d->messages, d->n, d->cap);
        d->messages[d->n++] = (struct diag_message){ .code = code,
                                                     .severity = severity,
                                                     .at = at,
                                                     .path = buf_detach(&where),
                                                     .text = buf_detach(&text) };
}

void diag_report(struct diag *d, enum diag_code code, const struct path *path, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        add(d, code, (struct place){ 0, 0 }, path, fmt, ap);
        va_end(ap);
}

void diag_report_at(struct diag *d, enum diag_code code, struct place at, const struct path *path,
                    const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        add(d, code, at, path, fmt, ap);
        va_end(ap);
}

bool diag_failed(const struct diag *d)
{
        return d->errors > 0;
}

bool diag_told(const struct diag *d, const struct path *path)
{
        BUF_AUTO struct buf raw = BUF_INIT;
        BUF_AUTO struct buf where = BUF_INIT;

        path_print(path, &raw);
        add_bounded(&where, &raw);
        for (size_t i = 0; i < d->n; i++) {
                const char *rest = d->messages[i].path;

                if (d->messages[i].severity == SEVERITY_ERROR &&
                    strncmp(rest, where.s, where.len) == 0 &&
                    (!where.len || strchr(".[", rest[where.len])))
                        return true; /* strchr finds the end of the text, too */
        }
        return false;
}

/* A whole document's message stands at its first line. */
static struct place place_of(const struct diag *d, const struct diag_message *m)
{
        if (m->at.line)
                return m->at;
        return (struct place){ d->line, d->places && d->line ? 1 : 0 };
}

/* Append the line as it is shown, without what would move the caret; where character `column` of it
 * begins there, in characters. */
static int add_shown(struct buf *b, const char *line, size_t len, unsigned column)
{
        int before = 0;

        for (size_t i = 0, n; i < len; i += n) {
                size_t from = b->len;

                n = utf8_length(line + i, len - i);
                n = n ? n : 1;
                if (line[i] == '\t')
                        buf_addc(b, ' ');
                else
                        utf8_add_visible(b, line + i, n);
                if (column <= 1)
                        continue;
                column--;
                for (; from < b->len; from += utf8_length(b->s + from, b->len - from))
                        before++;
        }
        return before;
}

static void print_caret(const struct diag *d, struct place at)
{
        size_t len;
        const char *line = d->input && at.column ? input_line(d->input, at.line, &len) : NULL;

        if (!line || len > 500)
                return;
        BUF_AUTO struct buf text = BUF_INIT;
        int before = add_shown(&text, line, len, at.column);

        fprintf(d->out, "%6u | %s\n       | %*s%s^%s\n", at.line, text.s, before, "",
                d->style.color ? "\033[1;32m" : "", d->style.color ? "\033[0m" : "");
}

static void print_text(const struct diag *d, const struct diag_message *m)
{
        struct place at = place_of(d, m);
        const char *color = d->style.color ? severity_colors[m->severity] : "";
        BUF_AUTO struct buf file = BUF_INIT;

        utf8_add_visible(&file, d->file, strlen(d->file));
        fprintf(d->out, "%s:", file.s);
        if (at.line)
                fprintf(d->out, "%u:", at.line);
        if (at.column)
                fprintf(d->out, "%u:", at.column);
        fprintf(d->out, " %s%s:%s %s%s%s [VMQ%04d]\n", color, severity_names[m->severity],
                *color ? "\033[0m" : "", m->path, *m->path ? ": " : "", m->text,
                diag_infos[m->code].number);
        if (d->style.carets)
                print_caret(d, at);
}

static void print_json(const struct diag *d, const struct diag_message *m)
{
        struct place at = place_of(d, m);
        char code[16];
        BUF_AUTO struct buf line = BUF_INIT;

        (void)snprintf(code, sizeof code, "VMQ%04d", diag_infos[m->code].number);
        JVX_AUTO jv o = jvx_build("{file: %s, severity: %s, code: %s, path: %s, message: %s}",
                                  d->file, severity_names[m->severity], code, m->path, m->text);

        if (at.line)
                jvx_set(&o, "line", json_int(at.line));
        if (at.column)
                jvx_set(&o, "column", json_int(at.column));
        json_print(&o, &line);
        fprintf(d->out, "%s\n", line.s);
}

static int by_place(const void *a, const void *b)
{
        const struct diag_message *x = *(struct diag_message *const *)a;
        const struct diag_message *y = *(struct diag_message *const *)b;

        if (x->at.line != y->at.line)
                return x->at.line < y->at.line ? -1 : 1;
        if (x->at.column != y->at.column)
                return x->at.column < y->at.column ? -1 : 1;
        return x < y ? -1 : x > y; /* both in d->messages: as reported */
}

void diag_flush(struct diag *d)
{
        struct diag_message **order = mem_resize(NULL, d->n + 1, sizeof(struct diag_message *));

        for (size_t i = 0; i < d->n; i++)
                order[i] = &d->messages[i];
        qsort(order, d->n, sizeof(struct diag_message *), by_place);
        for (size_t i = 0; i < d->n; i++) {
                if (d->style.json)
                        print_json(d, order[i]);
                else
                        print_text(d, order[i]);
        }
        if (d->left_out)
                fprintf(d->out, "%s: %zu more messages about this document are not shown\n",
                        d->style.prog, d->left_out);
        for (size_t i = 0; i < d->n; i++) {
                free(d->messages[i].path);
                free(d->messages[i].text);
        }
        free(order);
        d->n = 0;
        d->left_out = 0;
}

void diag_summary(const struct diag *d)
{
        size_t e = d->all_errors, w = d->all_warnings;

        if (d->style.json || (!e && !w))
                return;
        fprintf(d->out, "%s: ", d->style.prog);
        if (e)
                fprintf(d->out, "%zu error%s", e, e == 1 ? "" : "s");
        if (w)
                fprintf(d->out, "%s%zu warning%s", e ? " and " : "", w, w == 1 ? "" : "s");
        fputc('\n', d->out);
}

void diag_release(struct diag *d)
{
        free(d->messages);
        d->messages = NULL;
        d->n = d->cap = 0;
}
