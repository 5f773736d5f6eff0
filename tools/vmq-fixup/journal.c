/* SPDX-License-Identifier: Apache-2.0 */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names.h"
#include "transaction.h"

struct numbered journal_room(int k)
{
        struct numbered name;

        (void)snprintf(name.s, sizeof name.s, ".vmq-new-%d.d", k);
        return name;
}

struct numbered journal_number(size_t n)
{
        struct numbered name;
        char *p = name.s + sizeof name.s;
        size_t len;

        *--p = '\0';
        do
                *--p = (char)('0' + n % 10);
        while (n /= 10);
        len = (size_t)(name.s + sizeof name.s - p);
        memmove(name.s, p, len);
        return name;
}

/* One that is being carried out. */
struct journal {
        int dir;
        const char *path; /* of the folder */
        FILE *file;
        int room; /* -1: it is gone, and so everything was put */
        struct buf *why;
};

static bool failed(const struct journal *j, const char *name)
{
        buf_addf(j->why, "%s/%s: %s", j->path, name, strerror(errno));
        return false;
}

static bool damaged(const struct journal *j)
{
        buf_addf(j->why, "%s/" JOURNAL " is damaged; remove it and the folders .vmq-new-*.d",
                 j->path);
        return false;
}

/* ---- lines -------------------------------------------------------------------------------------
 */

struct line {
        const char *number; /* NULL: to be removed */
        const char *name;   /* NULL: the end */
};

static bool is_number(const char *s)
{
        return *s && s[strspn(s, "0123456789")] == '\0' && strlen(s) < 20;
}

/* Cuts the text, which has its line break. */
static bool parse_line(char *text, struct line *line)
{
        size_t len = strlen(text), put = strlen(JOURNAL_PUT), remove = strlen(JOURNAL_REMOVE);
        char *name = text + remove;

        *line = (struct line){ 0 };
        if (strcmp(text, JOURNAL_END) == 0)
                return true;
        if (len == 0 || text[len - 1] != '\n')
                return false;
        text[len - 1] = '\0';
        if (strncmp(text, JOURNAL_PUT, put) == 0) {
                line->number = text + put;
                name = strchr(text + put, ' ');
                if (!name)
                        return false;
                *name++ = '\0';
                if (!is_number(line->number))
                        return false;
        } else if (strncmp(text, JOURNAL_REMOVE, remove) != 0) {
                return false;
        }
        line->name = name;
        return strcmp(name, TRANSACTION_RECORD) == 0 || name_is_good(name);
}

/* Call `each` (NULL: only look at them) with every line behind the header. */
static bool walk(const struct journal *j,
                 bool (*each)(const struct journal *j, const struct line *line))
{
        char *text = NULL;
        size_t size = 0;
        struct line line = { .name = "" };
        bool good = true;

        while (good && line.name) {
                if (getline(&text, &size, j->file) <= 0 || !parse_line(text, &line))
                        good = damaged(j);
                else if (each && line.name)
                        good = each(j, &line);
        }
        free(text);
        return good && (fgetc(j->file) == EOF || damaged(j));
}

static bool do_line(const struct journal *j, const struct line *line)
{
        int got = 0;

        if (!line->number)
                got = unlinkat(j->dir, line->name, 0);
        else if (j->room >= 0)
                got = renameat(j->room, line->number, j->dir, line->name);
        return got == 0 || errno == ENOENT || failed(j, line->name);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static bool read_header(struct journal *j, int *k)
{
        char text[sizeof JOURNAL_HEADER + 10] = "", want[sizeof text], *number = text;
        size_t n = 0;

        for (int lines = 0, c; lines < 2 && n + 1 < sizeof text && (c = fgetc(j->file)) != EOF;) {
                text[n++] = (char)c;
                lines += c == '\n';
                if (lines == 1 && c == ' ')
                        number = text + n;
        }
        *k = (int)strtol(number, NULL, 10);
        (void)snprintf(want, sizeof want, JOURNAL_HEADER, *k);
        return (*k >= 0 && strcmp(text, want) == 0) || damaged(j);
}

static bool carry_out(struct journal *j)
{
        int k;

        if (!read_header(j, &k))
                return false;
        struct numbered room = journal_room(k);
        long begin = ftell(j->file);

        if (!walk(j, NULL) || fseek(j->file, begin, SEEK_SET) != 0)
                return false;
        j->room = openat(j->dir, room.s, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (j->room < 0 && errno != ENOENT)
                return failed(j, room.s);
        bool good = walk(j, do_line);

        if (j->room >= 0)
                (void)close(j->room);
        if (!good)
                return false;
        if (fsync(j->dir) != 0 || unlinkat(j->dir, JOURNAL, 0) != 0 || fsync(j->dir) != 0)
                return failed(j, JOURNAL);
        (void)unlinkat(j->dir, room.s, AT_REMOVEDIR);
        return true;
}

bool journal_apply(int dir, const char *path, struct buf *why)
{
        struct journal j = { .dir = dir, .path = path, .room = -1, .why = why };
        int fd = openat(dir, JOURNAL, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

        if (fd < 0)
                return errno == ENOENT || failed(&j, JOURNAL);
        j.file = fdopen(fd, "r");
        if (!j.file) {
                (void)close(fd);
                return failed(&j, JOURNAL);
        }
        bool good = carry_out(&j);

        (void)fclose(j.file);
        return good;
}
