/* SPDX-License-Identifier: Apache-2.0 */
/* O_TMPFILE; NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#define _GNU_SOURCE
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "mem.h"
#include "stage.h"

/* A file that nobody else can open; some file systems (NFS) can make none without a name. */
static int open_nameless(const char *folder)
{
        BUF_AUTO struct buf name = BUF_INIT;
        int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

        if (fd >= 0)
                return fd;
        buf_addf(&name, "%s/vmq-XXXXXX", folder);
        fd = mkostemp(name.s, O_CLOEXEC);
        if (fd >= 0)
                (void)unlink(name.s);
        return fd;
}

static bool open_file(struct spool *s)
{
        static const char *const folders[] = { "/var/tmp", "/tmp" };
        const char *given = getenv("TMPDIR");

        if (given && *given)
                s->fd = open_nameless(given);
        for (size_t i = 0; !(given && *given) && s->fd < 0 && i < ARRAY_LEN(folders); i++)
                s->fd = open_nameless(folders[i]);
        return s->fd >= 0;
}

static bool write_at(int fd, size_t at, const char *bytes, size_t len)
{
        while (len) {
                ssize_t n = pwrite(fd, bytes, len, (off_t)at);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return false;
                bytes += n;
                at += (size_t)n;
                len -= (size_t)n;
        }
        return true;
}

static bool read_at(int fd, size_t at, char *bytes, size_t len)
{
        while (len) {
                ssize_t n = pread(fd, bytes, len, (off_t)at);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n <= 0) {
                        errno = n ? errno : EIO;
                        return false;
                }
                bytes += n;
                at += (size_t)n;
                len -= (size_t)n;
        }
        return true;
}

/* Move the tail into the file. */
static bool flush(struct spool *s)
{
        if ((s->fd < 0 && !open_file(s)) || !write_at(s->fd, s->at, s->tail.s, s->tail.len))
                return false;
        s->at += s->tail.len;
        buf_clear(&s->tail);
        return true;
}

size_t spool_length(const struct spool *s)
{
        return s->at + s->tail.len;
}

bool spool_append(struct spool *s, const char *bytes, size_t len)
{
        if (s->tail.len + len > SPOOL_MEMORY && !flush(s))
                return false;
        if (len <= SPOOL_MEMORY) {
                buf_add(&s->tail, bytes, len);
                return true;
        }
        if (!write_at(s->fd, s->at, bytes, len))
                return false;
        s->at += len;
        return true;
}

bool spool_append_zeros(struct spool *s, size_t len)
{
        if (s->tail.len + len > SPOOL_MEMORY && !flush(s))
                return false;
        if (len <= SPOOL_MEMORY) {
                buf_reserve(&s->tail, len);
                memset(s->tail.s + s->tail.len, 0, len + 1);
                s->tail.len += len;
                return true;
        }
        if (ftruncate(s->fd, (off_t)(s->at + len)) != 0)
                return false;
        s->at += len;
        return true;
}

/* How many of len bytes from `at` on are in the file. */
static size_t in_file(const struct spool *s, size_t at, size_t len)
{
        size_t before = at < s->at ? s->at - at : 0;

        return before < len ? before : len;
}

bool spool_read(const struct spool *s, size_t at, void *bytes, size_t len)
{
        size_t first = in_file(s, at, len);

        if (first && !read_at(s->fd, at, bytes, first))
                return false;
        if (first < len)
                memcpy((char *)bytes + first, s->tail.s + (at + first - s->at), len - first);
        return true;
}

bool spool_write(struct spool *s, size_t at, const void *bytes, size_t len)
{
        size_t first = in_file(s, at, len);

        if (first && !write_at(s->fd, at, bytes, first))
                return false;
        if (first < len)
                memcpy(s->tail.s + (at + first - s->at), (const char *)bytes + first, len - first);
        return true;
}

/* Hand on the text, piece by piece. */
static bool each_piece(const struct spool *s, bool (*each)(const char *bytes, size_t len, void *to),
                       void *to)
{
        MEM_AUTO char *bytes = s->at ? mem_alloc(SPOOL_MEMORY) : NULL;

        for (size_t at = 0; at < s->at;) {
                size_t len = in_file(s, at, SPOOL_MEMORY);

                if (!read_at(s->fd, at, bytes, len) || !each(bytes, len, to))
                        return false;
                at += len;
        }
        return each(s->tail.s, s->tail.len, to);
}

static bool append_piece(const char *bytes, size_t len, void *to)
{
        return spool_append(to, bytes, len);
}

static bool write_piece(const char *bytes, size_t len, void *to)
{
        const int *fd = to;

        return vmq_write_all(*fd, bytes, len);
}

bool spool_append_spool(struct spool *s, const struct spool *from)
{
        return each_piece(from, append_piece, s);
}

bool spool_copy(const struct spool *s, int fd)
{
        return each_piece(s, write_piece, &fd);
}

void spool_release(struct spool *s)
{
        buf_release(&s->tail);
        if (s->fd >= 0)
                (void)close(s->fd);
        *s = (struct spool)SPOOL_INIT;
}
