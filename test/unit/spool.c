/* SPDX-License-Identifier: Apache-2.0 */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "check.h"

/* The byte that is to be at a place. */
static char byte_at(size_t at)
{
        return (char)('a' + at * 7 % 26);
}

static void append(struct spool *s, size_t len)
{
        char *bytes = malloc(len ? len : 1);

        for (size_t i = 0; i < len; i++)
                bytes[i] = byte_at(spool_length(s) + i);
        CHECK(spool_append(s, bytes, len));
        free(bytes);
}

static bool holds(const struct spool *s, size_t at, size_t len)
{
        char *bytes = malloc(len ? len : 1);
        bool good = spool_read(s, at, bytes, len);

        for (size_t i = 0; good && i < len; i++)
                good = bytes[i] == byte_at(at + i);
        free(bytes);
        return good;
}

/* From nothing to well beyond what is kept in memory, in pieces of all sizes. */
static void grows(void)
{
        static const size_t pieces[] = {
                0, 1, 4096, SPOOL_MEMORY - 4097, 1, SPOOL_MEMORY, SPOOL_MEMORY + 1, 3, 300000
        };
        struct spool s = SPOOL_INIT;
        size_t len = 0;

        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
                append(&s, pieces[i]);
                len += pieces[i];
                CHECK(spool_length(&s) == len && holds(&s, 0, len));
                CHECK(s.tail.len <= SPOOL_MEMORY);
                CHECK((s.fd >= 0) == (len > SPOOL_MEMORY));
        }
        CHECK(holds(&s, SPOOL_MEMORY - 10, 20) && holds(&s, len - 1, 1) && holds(&s, len, 0));
        spool_release(&s);
        CHECK(spool_length(&s) == 0 && s.fd == -1);
}

/* Overwriting, on both sides of where the file ends and the memory begins. */
static void is_changed(void)
{
        struct spool s = SPOOL_INIT;
        char got[12];

        CHECK(spool_append_zeros(&s, 2 * SPOOL_MEMORY) && spool_append_zeros(&s, 5));
        CHECK(spool_append(&s, "end", 3));
        CHECK(spool_read(&s, 2 * SPOOL_MEMORY - 2, got, 10) &&
              memcmp(got, "\0\0\0\0\0\0\0end", 10) == 0);
        CHECK(spool_write(&s, 2 * SPOOL_MEMORY - 2, "0123456789", 10));
        CHECK(spool_read(&s, 2 * SPOOL_MEMORY - 3, got, 11) && memcmp(got,
                                                                      "\0"
                                                                      "0123456789",
                                                                      11) == 0);
        CHECK(spool_length(&s) == 2 * SPOOL_MEMORY + 8);
        spool_release(&s);
}

static void is_copied(void)
{
        char name[] = "/tmp/vmq-unit-XXXXXX";
        int fd = mkstemp(name);
        struct spool s = SPOOL_INIT, twice = SPOOL_INIT;

        CHECK(fd >= 0 && unlink(name) == 0);
        append(&s, 200000);
        CHECK(spool_append_spool(&twice, &s) && spool_append_spool(&twice, &s));
        CHECK(spool_length(&twice) == 400000);
        CHECK(spool_copy(&s, fd) && lseek(fd, 0, SEEK_CUR) == 200000);
        for (size_t at = 0; at < 200000; at += 50000) {
                char a[50000], b[sizeof a], c[sizeof a];

                CHECK(spool_read(&s, at, a, sizeof a) &&
                      pread(fd, b, sizeof b, (off_t)at) == 50000 &&
                      spool_read(&twice, 200000 + at, c, sizeof c));
                CHECK(memcmp(a, b, sizeof a) == 0 && memcmp(a, c, sizeof a) == 0);
        }
        CHECK(!spool_copy(&s, -1) && errno == EBADF);
        spool_release(&s);
        spool_release(&twice);
        (void)close(fd);
}

/* Without a place for the file it fails, and keeps what it has. */
static void has_no_room(void)
{
        struct spool s = SPOOL_INIT;

        CHECK(setenv("TMPDIR", "/nonexistent", 1) == 0);
        append(&s, SPOOL_MEMORY);
        errno = 0;
        CHECK(!spool_append(&s, "x", 1) && errno == ENOENT);
        CHECK(!spool_append_zeros(&s, 1) && spool_length(&s) == SPOOL_MEMORY);
        CHECK(holds(&s, 0, SPOOL_MEMORY));
        spool_release(&s);
}

int main(void)
{
        grows();
        is_changed();
        is_copied();
        has_no_room();
        return 0;
}
