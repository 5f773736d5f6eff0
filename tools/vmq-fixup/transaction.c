/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mem.h"
#include "names.h"
#include "stage.h"

#define JOURNAL ".vmq-journal"
#define STAGED  ".vmq-new-"
#define HEADER  "vmq-fixup journal 1\n"
#define END     "end\n"

struct staged_name {
        char s[sizeof STAGED + 20];
};

static struct staged_name staged_name(size_t number)
{
        struct staged_name name;

        (void)snprintf(name.s, sizeof name.s, STAGED "%zu", number);
        return name;
}

/* Always false: "FOLDER/NAME: the system's reason". */
static bool failed(const struct transaction *t, const char *name, struct buf *why)
{
        buf_addf(why, "%s%s%s: %s", t->path, *name ? "/" : "", name, strerror(errno));
        return false;
}

/* ---- files -------------------------------------------------------------------------------------
 */

static bool write_file(const struct transaction *t, const char *name, mode_t mode,
                       const char *bytes, size_t len, struct buf *why)
{
        int fd = openat(t->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

        if (fd < 0)
                return failed(t, name, why);
        bool good = vmq_write_all(fd, bytes, len) && fchmod(fd, mode) == 0;
        int saved = errno;

        good = close(fd) == 0 && good;
        if (!good) {
                errno = saved ? saved : errno;
                return failed(t, name, why);
        }
        return true;
}

static bool sync_file(const struct transaction *t, const char *name, struct buf *why)
{
        int fd = openat(t->dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        bool good = fd >= 0 && fsync(fd) == 0;

        if (!good)
                failed(t, name, why);
        if (fd >= 0)
                (void)close(fd);
        return good;
}

bool transaction_read(const struct transaction *t, const char *name, struct buf *out,
                      struct buf *why)
{
        int fd = openat(t->dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        ssize_t n;

        if (fd < 0)
                return errno == ENOENT || failed(t, name, why);
        do {
                buf_reserve(out, 65536);
                n = read(fd, out->s + out->len, 65536);
                out->len += n > 0 ? (size_t)n : 0;
        } while (n > 0 || (n < 0 && errno == EINTR));
        if (n < 0)
                failed(t, name, why);
        (void)close(fd);
        buf_add(out, "", 0);
        return n == 0;
}

bool transaction_has(const struct transaction *t, const char *name)
{
        struct stat at;

        return fstatat(t->dir, name, &at, AT_SYMLINK_NOFOLLOW) == 0;
}

/* ---- the journal: "put N NAME" and "remove NAME", a line each ----------------------------------
 */

static bool is_ours(const char *name)
{
        return strcmp(name, TRANSACTION_RECORD) == 0 || name_is_good(name);
}

/* Done already is as good as done: a run before may have got so far. */
static bool apply_line(const struct transaction *t, char *line, struct buf *why)
{
        char *word = strtok_r(line, " ", &line), *number = NULL;
        bool put = word && strcmp(word, "put") == 0;

        if (put)
                number = strtok_r(NULL, " ", &line);
        char *name = strtok_r(NULL, " ", &line);

        if (!word || (!put && strcmp(word, "remove") != 0) || !name || !is_ours(name) ||
            (put && (!number || number[strspn(number, "0123456789")]))) {
                buf_addf(why, "%s/" JOURNAL " is damaged; remove it and the files " STAGED "*",
                         t->path);
                return false;
        }
        struct staged_name from = staged_name(put ? strtoul(number, NULL, 10) : 0);
        int got = put ? renameat(t->dir, from.s, t->dir, name) : unlinkat(t->dir, name, 0);

        return got == 0 || errno == ENOENT || failed(t, name, why);
}

static bool apply(const struct transaction *t, const char *journal, struct buf *why)
{
        MEM_AUTO char *copy = mem_strdup(journal);
        size_t head = strlen(HEADER);
        bool good = strncmp(copy, HEADER, head) == 0;
        char *rest = copy + (good ? head : 0), *line;

        while ((line = strtok_r(NULL, "\n", &rest)) && strcmp(line, "end") != 0)
                if (!apply_line(t, line, why))
                        return false;
        if (!good || !line) {
                buf_addf(why, "%s/" JOURNAL " is damaged; remove it and the files " STAGED "*",
                         t->path);
                return false;
        }
        return fsync(t->dir) == 0 && unlinkat(t->dir, JOURNAL, 0) == 0 && fsync(t->dir) == 0
                       ? true
                       : failed(t, JOURNAL, why);
}

/* Remove the temporary files, all that there are. */
static bool discard_staged(const struct transaction *t, struct buf *why)
{
        int fd = openat(t->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *all = fd < 0 ? NULL : fdopendir(fd);
        const struct dirent *entry;

        if (!all)
                return failed(t, "", why);
        while ((entry = readdir(all)))
                if (strncmp(entry->d_name, STAGED, strlen(STAGED)) == 0)
                        (void)unlinkat(t->dir, entry->d_name, 0);
        (void)closedir(all);
        return true;
}

static bool settle(const struct transaction *t, struct buf *why)
{
        BUF_AUTO struct buf journal = BUF_INIT;

        if (!transaction_read(t, JOURNAL, &journal, why))
                return false;
        if (journal.len && !apply(t, journal.s, why))
                return false;
        return discard_staged(t, why);
}

/* ---- a transaction -----------------------------------------------------------------------------
 */

/* The folder with those above it. */
static bool make_folders(struct transaction *t, struct buf *why)
{
        MEM_AUTO char *path = mem_strdup(t->path);

        for (char *p = path + 1;; p++) {
                char end = *p;

                if (end != '/' && end != '\0')
                        continue;
                *p = '\0';
                if (mkdir(path, 0777) == 0)
                        t->made = true;
                else if (errno != EEXIST)
                        return failed(t, "", why);
                if (end == '\0')
                        return true;
                *p = end;
        }
}

bool transaction_begin(struct transaction *t, const char *path, struct buf *why)
{
        *t = (struct transaction){ .path = path, .dir = -1, .journal = BUF_INIT, .late = BUF_INIT };
        buf_adds(&t->journal, HEADER);
        if (!make_folders(t, why))
                return false;
        t->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        while (t->dir >= 0 && flock(t->dir, LOCK_EX) != 0)
                if (errno != EINTR)
                        return failed(t, "", why);
        return t->dir >= 0 ? settle(t, why) : failed(t, "", why);
}

bool transaction_put(struct transaction *t, const char *name, mode_t mode, const char *bytes,
                     size_t len, bool late, struct buf *why)
{
        struct staged_name staged = staged_name(t->staged);
        struct stat at;

        if (fstatat(t->dir, name, &at, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(at.st_mode)) {
                errno = EISDIR;
                return failed(t, name, why);
        }
        t->staged++;
        buf_addf(late ? &t->late : &t->journal, "put %zu %s\n", t->staged - 1, name);
        return write_file(t, staged.s, mode, bytes, len, why);
}

void transaction_remove(struct transaction *t, const char *name)
{
        buf_addf(&t->late, "remove %s\n", name);
}

/* Everything is on the disk under its temporary name, the journal last. */
static bool prepare(struct transaction *t, struct buf *why)
{
        struct staged_name journal = staged_name(t->staged);

        for (size_t i = 0; i < t->staged; i++)
                if (!sync_file(t, staged_name(i).s, why))
                        return false;
        return write_file(t, journal.s, 0600, t->journal.s, t->journal.len, why) &&
               sync_file(t, journal.s, why) &&
               ((fsync(t->dir) == 0 && renameat(t->dir, journal.s, t->dir, JOURNAL) == 0) ||
                failed(t, JOURNAL, why));
}

/* Apply the journal in a process of its own, which a kill of ours does not reach. It has the lock
 * as long as it lives. */
static bool apply_apart(struct transaction *t, struct buf *why)
{
        pid_t pid = fork();
        int status = 0;

        if (pid < 0)
                return apply(t, t->journal.s, why);
        if (pid == 0) {
                (void)setsid();
                bool good = apply(t, t->journal.s, why);

                if (!good)
                        (void)fprintf(stderr, "vmq-fixup: %s\n", why->s);
                _exit(good ? VMQ_EXIT_OK : VMQ_EXIT_SYSTEM);
        }
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
                return true;
        buf_addf(why, "%s: not all files could be put in place; the next run will try again",
                 t->path);
        return false;
}

bool transaction_commit(struct transaction *t, struct buf *why)
{
        buf_add(&t->journal, t->late.s, t->late.len);
        buf_adds(&t->journal, END);
        if (!prepare(t, why))
                return false;
        t->staged = 0;
        t->made = false;
        return apply_apart(t, why);
}

void transaction_end(struct transaction *t)
{
        if (t->dir >= 0) {
                for (size_t i = 0; i <= t->staged && t->staged; i++)
                        (void)unlinkat(t->dir, staged_name(i).s, 0);
                if (t->made)
                        (void)rmdir(t->path);
                (void)close(t->dir);
        }
        buf_release(&t->journal);
        buf_release(&t->late);
}
