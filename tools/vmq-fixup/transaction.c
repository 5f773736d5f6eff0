/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): syncfs */
#include "transaction.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array.h"
#include "journal.h"
#include "mem.h"
#include "stage.h"

#define ROOMS      64 /* runs that may be at work on one folder at once */
#define FEW        64 /* files that are synced one by one; more of them with all the file system */
#define JOURNAL_IN "journal" /* the journal's name in the room, before it counts */

/* Always false: "FOLDER/NAME: the system's reason". */
static bool failed(const struct transaction *t, const char *name, struct buf *why)
{
        buf_addf(why, "%s%s%s: %s", t->path, *name ? "/" : "", name, strerror(errno));
        return false;
}

/* ---- the room ----------------------------------------------------------------------------------
 */

static int open_room(const struct transaction *t, int k)
{
        return openat(t->dir, journal_room(k).s, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Remove a room that we have locked, with what is in it. */
static void remove_room(const struct transaction *t, int room, int k)
{
        int fd = openat(room, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *all = fd < 0 ? NULL : fdopendir(fd);
        const struct dirent *entry;

        while (all && (entry = readdir(all)))
                if (entry->d_name[0] != '.')
                        (void)unlinkat(room, entry->d_name, 0);
        if (all)
                (void)closedir(all);
        (void)unlinkat(t->dir, journal_room(k).s, AT_REMOVEDIR);
}

/* Remove the rooms that nobody is at work in. The folder is locked, and has no journal. */
static void sweep(const struct transaction *t)
{
        for (int k = 0; k < ROOMS; k++) {
                int room = t->room >= 0 && k == t->k ? -1 : open_room(t, k);

                if (room >= 0 && flock(room, LOCK_EX | LOCK_NB) == 0)
                        remove_room(t, room, k);
                if (room >= 0)
                        (void)close(room);
        }
}

/* The first free number. Between making it and locking it somebody may sweep it away. */
static bool make_room(struct transaction *t)
{
        struct stat now;

        for (int k = 0; k < ROOMS; k++) {
                if (mkdirat(t->dir, journal_room(k).s, 0755) != 0) {
                        if (errno != EEXIST)
                                return false;
                        continue;
                }
                t->k = k;
                t->room = open_room(t, k);
                if (t->room >= 0 && flock(t->room, LOCK_EX | LOCK_NB) == 0 &&
                    fstat(t->room, &now) == 0 && now.st_nlink > 0)
                        return true;
                if (t->room >= 0)
                        (void)close(t->room);
                t->room = -1;
        }
        errno = EBUSY;
        return false;
}

/* ---- files -------------------------------------------------------------------------------------
 */

static int create(const struct transaction *t, const char *name, mode_t mode)
{
        return openat(t->room, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

/* The umask, and lists of access, may have taken some of the mode. */
static bool set_mode(int fd, mode_t mode)
{
        struct stat now;

        return fstat(fd, &now) == 0 && ((now.st_mode & 07777) == mode || fchmod(fd, mode) == 0);
}

static bool finish_file(const struct transaction *t, int fd, const char *name, bool good,
                        struct buf *why)
{
        int saved = good ? 0 : errno;

        good = close(fd) == 0 && good;
        errno = saved ? saved : errno;
        return good || failed(t, name, why);
}

static bool sync_file(const struct transaction *t, const char *name, struct buf *why)
{
        int fd = openat(t->room, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        bool good = fd >= 0 && fsync(fd) == 0;

        if (!good)
                failed(t, name, why);
        if (fd >= 0)
                (void)close(fd);
        return good;
}

static int open_old(const struct transaction *t, const char *name)
{
        return openat(t->dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

bool transaction_open(const struct transaction *t, const char *name, FILE **file, struct buf *why)
{
        int fd = open_old(t, name);

        *file = fd < 0 ? NULL : fdopen(fd, "r");
        if (*file || (fd < 0 && errno == ENOENT))
                return true;
        failed(t, name, why);
        if (fd >= 0)
                (void)close(fd);
        return false;
}

bool transaction_has(const struct transaction *t, const char *name)
{
        struct stat at;

        return fstatat(t->dir, name, &at, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool same_bytes(int a, int b, bool *same)
{
        char left[4096], right[sizeof left];
        ssize_t n;

        do {
                n = read(a, left, sizeof left);
                *same = n >= 0 && read(b, right, sizeof right) == n &&
                        memcmp(left, right, (size_t)n) == 0;
        } while (*same && n > 0);
        return n >= 0;
}

bool transaction_same(const struct transaction *t, const char *name, size_t number, bool *same,
                      struct buf *why)
{
        int old = open_old(t, name);
        int new = openat(t->room, journal_number(number).s, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        struct stat now;
        bool good = true;

        *same = old < 0 && errno == ENOENT;
        if (old >= 0)
                *same = fstat(old, &now) == 0 && now.st_size == 0;
        if (!*same)
                good = (old >= 0 && new >= 0 && same_bytes(old, new, same)) || failed(t, name, why);
        if (old >= 0)
                (void)close(old);
        if (new >= 0)
                (void)close(new);
        return good;
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

static bool open_folder(struct transaction *t, struct buf *why)
{
        if (!make_folders(t, why))
                return false;
        t->dir = open(t->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return t->dir >= 0 || failed(t, "", why);
}

static bool unlock(const struct transaction *t, struct buf *why)
{
        return flock(t->dir, LOCK_UN) == 0 || failed(t, "", why);
}

bool transaction_begin(struct transaction *t, const char *path, struct buf *why)
{
        BUF_AUTO struct buf header = BUF_INIT;

        *t = (struct transaction)TRANSACTION_INIT;
        t->path = path;
        if (!open_folder(t, why))
                return false;
        bool good = make_room(t);

        if (!good && errno == ENOENT) { /* who had made the folder has given up meanwhile */
                (void)close(t->dir);
                t->dir = -1;
                if (!open_folder(t, why))
                        return false;
                good = make_room(t);
        } else if (!good && errno == EBUSY) {
                if (!transaction_lock(t, why) || !unlock(t, why))
                        return false;
                good = make_room(t);
        }
        if (!good)
                return failed(t, "", why);
        buf_addf(&header, JOURNAL_HEADER, t->k);
        return spool_append(&t->journal, header.s, header.len) || failed(t, JOURNAL, why);
}

bool transaction_lock(struct transaction *t, struct buf *why)
{
        while (flock(t->dir, LOCK_EX) != 0)
                if (errno != EINTR)
                        return failed(t, "", why);
        if (!journal_apply(t->dir, t->path, why))
                return false;
        sweep(t);
        return true;
}

/* Make the file and note it down; -1 after a failure. */
static int begin_put(struct transaction *t, size_t number, const char *name, mode_t mode,
                     struct buf *why)
{
        BUF_AUTO struct buf line = BUF_INIT;
        struct numbered as = journal_number(number);
        struct stat at;

        if (fstatat(t->dir, name, &at, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(at.st_mode)) {
                errno = EISDIR;
                failed(t, name, why);
                return -1;
        }
        buf_adds(&line, JOURNAL_PUT);
        buf_adds(&line, as.s);
        buf_addc(&line, ' ');
        buf_adds(&line, name);
        buf_addc(&line, '\n');
        int fd = create(t, as.s, mode);

        if (fd >= 0 && number >= t->n)
                t->n = number + 1;
        if (fd >= 0 && spool_append(&t->journal, line.s, line.len))
                return fd;
        failed(t, name, why);
        if (fd >= 0)
                (void)close(fd);
        return -1;
}

bool transaction_put(struct transaction *t, size_t number, const char *name, mode_t mode,
                     const char *bytes, size_t len, struct buf *why)
{
        int fd = begin_put(t, number, name, mode, why);

        return fd >= 0 &&
               finish_file(t, fd, name, vmq_write_all(fd, bytes, len) && set_mode(fd, mode), why);
}

bool transaction_put_spool(struct transaction *t, size_t number, const char *name, mode_t mode,
                           const struct spool *content, struct buf *why)
{
        int fd = begin_put(t, number, name, mode, why);

        return fd >= 0 &&
               finish_file(t, fd, name, spool_copy(content, fd) && set_mode(fd, mode), why);
}

bool transaction_remove(struct transaction *t, const char *name, struct buf *why)
{
        BUF_AUTO struct buf line = BUF_INIT;

        buf_addf(&line, JOURNAL_REMOVE "%s\n", name);
        return spool_append(&t->journal, line.s, line.len) || failed(t, JOURNAL, why);
}

/* ---- the end of one ----------------------------------------------------------------------------
 */

/* All contents are on the disk. */
static bool sync_all(const struct transaction *t, struct buf *why)
{
        if (t->n > FEW)
                return syncfs(t->room) == 0 || failed(t, "", why);
        for (size_t i = 0; i < t->n; i++)
                if (!sync_file(t, journal_number(i).s, why))
                        return false;
        return true;
}

static bool write_journal(struct transaction *t, struct buf *why)
{
        if (!spool_append(&t->journal, JOURNAL_END, strlen(JOURNAL_END)))
                return failed(t, JOURNAL, why);
        int fd = create(t, JOURNAL_IN, 0600);

        if (fd < 0)
                return failed(t, JOURNAL, why);
        return finish_file(t, fd, JOURNAL, spool_copy(&t->journal, fd) && fsync(fd) == 0, why);
}

/* With the journal in the folder everything is decided; so it is to be there before what it says
 * happens. Should the disk not say so, journal_apply() will find out. */
static bool decide(struct transaction *t, struct buf *why)
{
        if (!sync_all(t, why) || !write_journal(t, why))
                return false;
        if (fsync(t->room) != 0 || renameat(t->room, JOURNAL_IN, t->dir, JOURNAL) != 0)
                return failed(t, JOURNAL, why);
        (void)fsync(t->dir);
        t->n = 0;
        t->made = false;
        return true;
}

/* The process that changes the folder. It has the lock as long as it lives. What ends a whole
 * session or is meant kindly does not end it. */
static _Noreturn void apply_in_child(const struct transaction *t, struct buf *why)
{
        static const int kind[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

        (void)setsid();
        for (size_t i = 0; i < ARRAY_LEN(kind); i++)
                (void)signal(kind[i], SIG_IGN);
        bool good = journal_apply(t->dir, t->path, why);

        if (!good)
                (void)fprintf(stderr, "vmq-fixup: %s\n", why->s);
        _exit(good ? VMQ_EXIT_OK : VMQ_EXIT_SYSTEM);
}

/* Apply the journal in a process of its own, which a kill of ours does not reach; and should it be
 * killed itself, do the rest. */
static bool apply_apart(const struct transaction *t, struct buf *why)
{
        pid_t pid = fork();
        int status = 0;

        if (pid < 0)
                return journal_apply(t->dir, t->path, why);
        if (pid == 0)
                apply_in_child(t, why);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == VMQ_EXIT_OK)
                return true;
        if (!WIFSIGNALED(status))
                buf_addf(why,
                         "%s: not all files could be put in place; the next run will try again",
                         t->path);
        else if (journal_apply(t->dir, t->path, why))
                buf_addf(why, "%s: the process that put the files in place was killed; all are",
                         t->path);
        return false;
}

bool transaction_commit(struct transaction *t, struct buf *why)
{
        return decide(t, why) && apply_apart(t, why);
}

void transaction_end(struct transaction *t)
{
        for (size_t i = 0; i < t->n; i++)
                (void)unlinkat(t->room, journal_number(i).s, 0);
        if (t->room >= 0) {
                (void)unlinkat(t->room, JOURNAL_IN, 0);
                (void)unlinkat(t->dir, journal_room(t->k).s, AT_REMOVEDIR);
                (void)close(t->room);
        }
        if (t->made)
                (void)rmdir(t->path);
        if (t->dir >= 0)
                (void)close(t->dir);
        spool_release(&t->journal);
        *t = (struct transaction)TRANSACTION_INIT;
}
