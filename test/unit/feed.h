/* SPDX-License-Identifier: Apache-2.0 */
/* feed - a descriptor from which a test reads what it has as text. */
#ifndef VMQ_TEST_FEED_H
#define VMQ_TEST_FEED_H

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"

/* The caller closes it. */
static inline int feed(const char *text, size_t len)
{
        FILE *f = tmpfile();

        CHECK(f);
        CHECK(fwrite(text, 1, len, f) == len);
        CHECK(fflush(f) == 0);
        int fd = dup(fileno(f));

        CHECK(fd >= 0);
        CHECK(fclose(f) == 0);
        CHECK(lseek(fd, 0, SEEK_SET) == 0);
        return fd;
}

#endif
