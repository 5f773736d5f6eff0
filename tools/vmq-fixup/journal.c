/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): clone */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array.h"
#include "names.h"
#include "room.h"
#include "transaction.h"

/* One that is being carried out. */
struct journal {
        int dir;
        const char *path; /* of the folder */
        int file;
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
        enum { PUT, REMOVE, END } what;
        char name[NAME_LENGTH + 1];
};

/* Does the text begin with the word? Then it is cut off. */
static bool cut(const char **text, size_t *len, const char *word)
{
        size_t n = strlen(word);

        if (*len < n || memcmp(*text, word, n) != 0)
                return false;
        *text += n;
        *len -= n;
        return true;
}

/* The first line of the text, which is cut off. */
static bool read_line(const char **text, size_t *len, struct line *line)
{
        if (cut(text, len, JOURNAL_END)) {
                line->what = END;
                return true;
        }
        if (cut(text, len, JOURNAL_PUT))
                line->what = PUT;
        else if (cut(text, len, JOURNAL_REMOVE))
                line->what = REMOVE;
        else
                return false;
        const char *end = memchr(*text, '\n', *len);
        size_t n = end ? (size_t)(end - *text) : 0;

        if (!end || n > NAME_LENGTH)
                return false;
        memcpy(line->name, *text, n);
        line->name[n] = '\0';
        *text += n + 1;
        *len -= n + 1;
        return strlen(line->name) == n &&
               (strcmp(line->name, TRANSACTION_RECORD) == 0 || name_is_good(line->name));
}

/* The journal, piece by piece. */
struct window {
        off_t at;         /* of what comes behind it */
        const char *text; /* what is not read yet */
        size_t len;
        char bytes[8192];
};

/* There is a whole line in the window, or all that there is. */
static bool fill(const struct journal *j, struct window *w)
{
        if (w->len > NAME_LENGTH + sizeof JOURNAL_REMOVE)
                return true;
        if (w->len)
                memmove(w->bytes, w->text, w->len);
        w->text = w->bytes;
        while (w->len < sizeof w->bytes) {
                ssize_t n = pread(j->file, w->bytes + w->len, sizeof w->bytes - w->len, w->at);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n <= 0)
                        return n == 0 || failed(j, JOURNAL);
                w->len += (size_t)n;
                w->at += n;
        }
        return true;
}

/* Call `each` (NULL: only look at them) with every line from `at` on. */
static bool walk(const struct journal *j, size_t at,
                 bool (*each)(const struct journal *j, const struct line *line))
{
        struct window w = { .at = (off_t)at };
        struct line line;

        for (;;) {
                if (!fill(j, &w))
                        return false;
                if (!read_line(&w.text, &w.len, &line))
                        return damaged(j);
                if (line.what == END)
                        return w.len == 0 || damaged(j);
                if (each && !each(j, &line))
                        return false;
        }
}

static bool do_line(const struct journal *j, const struct line *line)
{
        int got = 0;

        if (line->what == REMOVE)
                got = unlinkat(j->dir, line->name, 0);
        else if (j->room >= 0)
                got = renameat(j->room, line->name, j->dir, line->name);
        return got == 0 || errno == ENOENT || failed(j, line->name);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

/* The number of the room, and where the lines begin. */
static bool read_header(const struct journal *j, int *k, size_t *at)
{
        char header[sizeof JOURNAL_HEADER + 10], want[sizeof header];
        char *number = header + strcspn(JOURNAL_HEADER, "%");
        ssize_t len = pread(j->file, header, sizeof header - 1, 0);

        if (len < 0)
                return failed(j, JOURNAL);
        header[len] = '\0';
        *k = number < header + len ? (int)strtol(number, NULL, 10) : -1;
        *at = (size_t)snprintf(want, sizeof want, JOURNAL_HEADER, *k);
        return (*k >= 0 && *at <= (size_t)len && memcmp(header, want, *at) == 0) || damaged(j);
}

static bool carry_out(struct journal *j)
{
        char room[NAME_LENGTH + 1];
        size_t at;
        int k;

        if (!read_header(j, &k, &at) || !walk(j, at, NULL))
                return false;
        room_name(k, room);
        j->room = openat(j->dir, room, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (j->room < 0 && errno != ENOENT)
                return failed(j, room);
        bool good = walk(j, at, do_line);

        if (j->room >= 0)
                (void)close(j->room);
        if (!good)
                return false;
        /* The renaming is on the disk before the journal goes; that it went may be news to it. */
        if (fsync(j->dir) != 0 || unlinkat(j->dir, JOURNAL, 0) != 0)
                return failed(j, JOURNAL);
        (void)unlinkat(j->dir, room, AT_REMOVEDIR);
        return true;
}

bool journal_apply(int dir, const char *path, struct buf *why)
{
        struct journal j = { .dir = dir, .path = path, .room = -1, .why = why };

        j.file = openat(dir, JOURNAL, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (j.file < 0)
                return errno == ENOENT || failed(&j, JOURNAL);
        bool good = carry_out(&j);

        (void)close(j.file);
        return good;
}

/* ---- in a process of its own -------------------------------------------------------------------
 */

#define STACK (256 << 10)

struct apart {
        int dir;
        const char *path;
        struct buf *why;
};

/* What ends a whole session or is meant kindly does not end it. */
static int apply(void *arg)
{
        static const int kind[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
        const struct apart *a = arg;

        (void)setsid();
        for (size_t i = 0; i < ARRAY_LEN(kind); i++)
                (void)signal(kind[i], SIG_IGN);
        return journal_apply(a->dir, a->path, a->why) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* As posix_spawn() does it: the new process has our memory, and we stand still until it has ended.
 * So nothing is copied; a kill of ours leaves it its memory, and signals are its own. -1: it could
 * not be started. */
static int run_apart(struct apart *a)
{
        char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
        int status = -1;

        if (stack == MAP_FAILED)
                return -1;
        pid_t pid = clone(apply, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, a);

        while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
                continue;
        (void)munmap(stack, STACK);
        return pid < 0 ? -1 : status;
}

bool journal_apply_apart(int dir, const char *path, struct buf *why)
{
        struct apart a = { .dir = dir, .path = path, .why = why };
        int status = run_apart(&a);

        if (status == -1)
                return journal_apply(dir, path, why);
        if (WIFEXITED(status) && WEXITSTATUS(status) != EXIT_SUCCESS)
                buf_adds(why, "; not all files are in place, the next run will try again");
        else if (WIFSIGNALED(status) && journal_apply(dir, path, why))
                buf_addf(why, "%s: the process that put the files in place was killed; all are",
                         path);
        return why->len == 0;
}
