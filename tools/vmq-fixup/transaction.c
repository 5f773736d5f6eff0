/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): syncfs */
#include "transaction.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal.h"
#include "mem.h"
#include "stage.h"

#define JOURNAL_IN ".journal" /* the journal's name in the room, before it counts */

/* Always false: "FOLDER/NAME: the system's reason". */
static bool failed(const struct transaction *t, const char *name, struct buf *why)
{
        buf_addf(why, "%s%s%s: %s", t->path, *name ? "/" : "", name, strerror(errno));
        return false;
}

/* ---- contents ----------------------------------------------------------------------------------
 */

/* Of a file: bytes, or a spool. */
struct content {
        const char *bytes;
        size_t len;
        const struct spool *spool; /* NULL: bytes */
};

static bool write_content(int fd, const struct content *c)
{
        return c->spool ? spool_copy(c->spool, fd) : vmq_write_all(fd, c->bytes, c->len);
}

/* Write n bytes from `at` on to `to`, if they have to be copied; where they are, or NULL. */
static const char *read_content(const struct content *c, size_t at, char *to, size_t n)
{
        if (!c->spool)
                return c->bytes + at;
        return spool_read(c->spool, at, to, n) ? to : NULL;
}

/* Are they the bytes of the file, from its beginning on? An error is a no. */
static bool has_content(int fd, const struct content *c)
{
        char is[8192], copy[sizeof is];

        for (size_t at = 0; at < c->len;) {
                size_t n = c->len - at < sizeof is ? c->len - at : sizeof is;
                const char *want = read_content(c, at, copy, n);
                ssize_t got = read(fd, is, n);

                if (got <= 0 || !want || memcmp(is, want, (size_t)got) != 0)
                        return false;
                at += (size_t)got;
        }
        return true;
}

/* ---- the folder's files ------------------------------------------------------------------------
 */

static int open_old(const struct transaction *t, const char *name)
{
        if (t->dir < 0) {
                errno = ENOENT;
                return -1;
        }
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

        return t->dir >= 0 && fstatat(t->dir, name, &at, AT_SYMLINK_NOFOLLOW) == 0;
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

bool transaction_same(const struct transaction *t, const char *name, bool *same, struct buf *why)
{
        int new = t->room.fd < 0 ? -1 : openat(t->room.fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        struct stat now;

        *same = new < 0 && (t->room.fd < 0 || errno == ENOENT); /* it was left alone */
        if (*same)
                return true;
        int old = open_old(t, name);
        bool good = true;

        *same = old < 0 ? errno == ENOENT : fstat(old, &now) == 0 && now.st_size == 0;
        if (!*same)
                good = (old >= 0 && new >= 0 && same_bytes(old, new, same)) || failed(t, name, why);
        if (old >= 0)
                (void)close(old);
        if (new >= 0)
                (void)close(new);
        return good;
}

/* ---- files that are left alone -----------------------------------------------------------------
 */

/* In the spool, the name behind it. */
struct kept {
        dev_t dev;
        ino_t ino;
        struct timespec changed;
        size_t len; /* of the name and its end */
};

static bool keep(struct transaction *t, const char *name, const struct stat *now)
{
        const struct kept k = { .dev = now->st_dev,
                                .ino = now->st_ino,
                                .changed = now->st_ctim,
                                .len = strlen(name) + 1 };

        return spool_append(&t->kept, (const char *)&k, sizeof k) &&
               spool_append(&t->kept, name, k.len);
}

/* The folder is locked: are they what they were? */
static bool check_kept(const struct transaction *t, struct buf *why)
{
        char name[NAME_LENGTH + 1];
        struct stat now;
        struct kept k;

        for (size_t at = 0; at < spool_length(&t->kept); at += sizeof k + k.len) {
                if (!spool_read(&t->kept, at, &k, sizeof k) ||
                    !spool_read(&t->kept, at + sizeof k, name, k.len))
                        return failed(t, "", why);
                if (fstatat(t->dir, name, &now, AT_SYMLINK_NOFOLLOW) != 0 || now.st_dev != k.dev ||
                    now.st_ino != k.ino || now.st_ctim.tv_sec != k.changed.tv_sec ||
                    now.st_ctim.tv_nsec != k.changed.tv_nsec) {
                        buf_addf(why,
                                 "%s/%s was changed by somebody else meanwhile, so nothing is "
                                 "written; convert again",
                                 t->path, name);
                        return false;
                }
        }
        return true;
}

/* ---- the folder --------------------------------------------------------------------------------
 */

/* The folder with those above it. */
static bool make_folders(const char *folder, bool *made)
{
        MEM_AUTO char *path = mem_strdup(folder);

        for (char *p = path + 1;; p++) {
                char end = *p;

                if (end != '/' && end != '\0')
                        continue;
                *p = '\0';
                if (mkdir(path, 0777) == 0)
                        *made = true;
                else if (errno != EEXIST)
                        return false;
                if (end == '\0')
                        return true;
                *p = end;
        }
}

static bool open_folder(struct transaction *t, struct buf *why)
{
        if (t->dir >= 0)
                (void)close(t->dir);
        t->dir = -1;
        if (make_folders(t->path, &t->made))
                t->dir = open(t->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return t->dir >= 0 || failed(t, "", why);
}

/* "above/name", of which either may be followed by more slashes, taken apart. */
static void split(char *path, const char **above, const char **name)
{
        size_t len = strlen(path);

        while (len > 1 && path[len - 1] == '/')
                path[--len] = '\0';
        char *slash = strrchr(path, '/');

        *name = slash ? slash + 1 : path;
        *above = slash == path ? "/" : slash ? path : ".";
        if (slash && slash != path)
                *slash = '\0';
}

/* A folder that is not there is made in one step, with all that is in it. */
static bool prepare_folder(struct transaction *t)
{
        MEM_AUTO char *path = mem_strdup(t->path);
        const char *above, *name;
        struct stat now;
        bool made = false;

        if (lstat(t->path, &now) == 0 || errno != ENOENT)
                return false;
        split(path, &above, &name);
        if (!make_folders(above, &made))
                return false;
        t->above = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (t->above >= 0 && room_make_for(&t->room, t->above, name))
                return true;
        if (t->above >= 0)
                (void)close(t->above);
        t->above = -1;
        return false;
}

bool transaction_begin(struct transaction *t, const char *path, struct buf *why)
{
        *t = (struct transaction)TRANSACTION_INIT;
        t->path = path;
        return prepare_folder(t) || open_folder(t, why);
}

/* If somebody else has made the folder by now, the room moves there. */
static bool find_folder(struct transaction *t, struct buf *why)
{
        struct stat now;

        if (t->dir >= 0 || (lstat(t->path, &now) != 0 && errno == ENOENT))
                return true;
        if (!open_folder(t, why))
                return false;
        if (!room_move(&t->room, t->dir))
                return failed(t, "", why);
        (void)close(t->above);
        t->above = -1;
        return true;
}

/* What a killed run left beside the folder, which somebody else has made since. */
static void sweep_beside(const char *folder)
{
        MEM_AUTO char *path = mem_strdup(folder);
        const char *above, *name;

        split(path, &above, &name);
        int fd = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        if (fd < 0)
                return;
        room_sweep_for(fd, name);
        (void)close(fd);
}

static bool lock_folder(const struct transaction *t, struct buf *why)
{
        while (flock(t->dir, LOCK_EX) != 0)
                if (errno != EINTR)
                        return failed(t, "", why);
        if (!journal_apply(t->dir, t->path, why))
                return false;
        room_sweep(t->dir);
        sweep_beside(t->path);
        return true;
}

bool transaction_lock(struct transaction *t, struct buf *why)
{
        return find_folder(t, why) && (t->dir < 0 || (lock_folder(t, why) && check_kept(t, why)));
}

static bool have_room(struct transaction *t, struct buf *why)
{
        if (t->room.fd >= 0 || room_make(&t->room, t->dir))
                return true;
        if (errno == ENOENT) { /* who had made the folder has given up meanwhile */
                if (!open_folder(t, why))
                        return false;
        } else if (errno == EBUSY) {
                if (!lock_folder(t, why))
                        return false;
                (void)flock(t->dir, LOCK_UN);
        } else {
                return failed(t, "", why);
        }
        return room_make(&t->room, t->dir) || failed(t, "", why);
}

/* ---- putting and removing ----------------------------------------------------------------------
 */

static bool note(struct transaction *t, const char *what, const char *name, struct buf *why)
{
        BUF_AUTO struct buf line = BUF_INIT;

        buf_adds(&line, what);
        buf_adds(&line, name);
        buf_addc(&line, '\n');
        return spool_append(&t->journal, line.s, line.len) || failed(t, JOURNAL, why);
}

/* Is the file as it should be? Then it is noted down as such. */
static bool look_at_old(struct transaction *t, const char *name, mode_t mode,
                        const struct content *c, bool *same, struct buf *why)
{
        int fd = open_old(t, name);
        struct stat now;
        bool good = true;

        *same = false;
        if (fd < 0 && errno == ENOENT)
                return true;
        int got = fd < 0 ? fstatat(t->dir, name, &now, AT_SYMLINK_NOFOLLOW) : fstat(fd, &now);

        if (got == 0 && S_ISDIR(now.st_mode)) {
                errno = EISDIR;
                good = failed(t, name, why);
        } else if (fd >= 0 && got == 0 && S_ISREG(now.st_mode) && (now.st_mode & 07777) == mode &&
                   (size_t)now.st_size == c->len && has_content(fd, c)) {
                *same = true;
                good = keep(t, name, &now) || failed(t, name, why);
        }
        if (fd >= 0)
                (void)close(fd);
        return good;
}

/* The umask, and lists of access, may have taken some of the mode. */
static bool set_mode(int fd, mode_t mode)
{
        struct stat now;

        return fstat(fd, &now) == 0 && ((now.st_mode & 07777) == mode || fchmod(fd, mode) == 0);
}

static int create(const struct transaction *t, const char *name, mode_t mode)
{
        return openat(t->room.fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                      mode);
}

static bool finish_file(const struct transaction *t, int fd, const char *name, bool good,
                        struct buf *why)
{
        int saved = good ? 0 : errno;

        good = close(fd) == 0 && good;
        errno = saved ? saved : errno;
        return good || failed(t, name, why);
}

static bool put(struct transaction *t, const char *name, mode_t mode, const struct content *c,
                struct buf *why)
{
        bool same;

        if (!look_at_old(t, name, mode, c, &same, why))
                return false;
        if (same)
                return true;
        if (!have_room(t, why) || !note(t, JOURNAL_PUT, name, why))
                return false;
        int fd = create(t, name, mode);

        if (fd < 0)
                return failed(t, name, why);
        return finish_file(t, fd, name, write_content(fd, c) && set_mode(fd, mode), why);
}

bool transaction_put(struct transaction *t, const char *name, mode_t mode, const char *bytes,
                     size_t len, struct buf *why)
{
        const struct content c = { .bytes = bytes, .len = len };

        return put(t, name, mode, &c, why);
}

bool transaction_put_spool(struct transaction *t, const char *name, mode_t mode,
                           const struct spool *content, struct buf *why)
{
        const struct content c = { .len = spool_length(content), .spool = content };

        return put(t, name, mode, &c, why);
}

bool transaction_remove(struct transaction *t, const char *name, struct buf *why)
{
        return have_room(t, why) && note(t, JOURNAL_REMOVE, name, why);
}

/* ---- the end of one ----------------------------------------------------------------------------
 */

/* The room becomes the folder, when all that is in it is on the disk. */
static bool make_folder(struct transaction *t, bool *again, struct buf *why)
{
        if (syncfs(t->room.fd) != 0)
                return failed(t, "", why);
        if (room_become(&t->room)) {
                (void)fsync(t->above);
                return true;
        }
        *again = errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR;
        return *again || failed(t, "", why);
}

static bool write_journal(const struct transaction *t, struct buf *why)
{
        BUF_AUTO struct buf header = BUF_INIT;
        int fd = create(t, JOURNAL_IN, 0600);

        if (fd < 0)
                return failed(t, JOURNAL, why);
        buf_addf(&header, JOURNAL_HEADER, t->room.k);
        return finish_file(t, fd, JOURNAL,
                           vmq_write_all(fd, header.s, header.len) && spool_copy(&t->journal, fd) &&
                                   vmq_write_all(fd, JOURNAL_END, strlen(JOURNAL_END)),
                           why);
}

/* With the journal in the folder everything is decided; so it is to be there before what it says
 * happens. Should the disk not say so, journal_apply() will find out. */
static bool decide(struct transaction *t, struct buf *why)
{
        if (!write_journal(t, why))
                return false;
        if (syncfs(t->room.fd) != 0 || renameat(t->room.fd, JOURNAL_IN, t->dir, JOURNAL) != 0)
                return failed(t, JOURNAL, why);
        (void)fsync(t->dir);
        room_leave(&t->room);
        t->made = false;
        return true;
}

bool transaction_commit(struct transaction *t, bool *again, struct buf *why)
{
        *again = false;
        if (spool_length(&t->journal) == 0)
                return true;
        if (t->dir < 0)
                return make_folder(t, again, why);
        return decide(t, why) && journal_apply_apart(t->dir, t->path, why);
}

void transaction_end(struct transaction *t)
{
        if (t->room.fd >= 0)
                room_remove(&t->room);
        if (t->made)
                (void)rmdir(t->path);
        if (t->dir >= 0)
                (void)close(t->dir);
        if (t->above >= 0)
                (void)close(t->above);
        spool_release(&t->journal);
        spool_release(&t->kept);
        *t = (struct transaction)TRANSACTION_INIT;
}
