/* SPDX-License-Identifier: Apache-2.0 */
/* check - what a unit test is made of. Each test is a program that exits 0 or says what failed. */
#ifndef VMQ_TEST_CHECK_H
#define VMQ_TEST_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(e)             check_that(__FILE__, __LINE__, #e, (e))

#define CHECK_STR(got, want) check_str(__FILE__, __LINE__, #got, (got), (want))

static inline void check_that(const char *file, int line, const char *expr, bool holds)
{
        if (holds)
                return;
        fprintf(stderr, "%s:%d: %s\n", file, line, expr);
        exit(1);
}

static inline void check_str(const char *file, int line, const char *expr, const char *got,
                             const char *want)
{
        if (got && want && strcmp(got, want) == 0)
                return;
        if (!got && !want)
                return;
        fprintf(stderr, "%s:%d: %s\n  got:  %s\n  want: %s\n", file, line, expr,
                got ? got : "(null)", want ? want : "(null)");
        exit(1);
}

#endif
