/* SPDX-License-Identifier: Apache-2.0 */
#include "mem.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "exits.h"

_Noreturn void mem_die(void)
{
        static const char text[] = "vmq: out of memory\n";

        /* Nothing that could allocate: no stdio, no atexit handlers. */
        if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
                _exit(VMQ_EXIT_SYSTEM);
        _exit(VMQ_EXIT_SYSTEM);
}

void *mem_alloc(size_t size)
{
        return mem_resize(NULL, 1, size);
}

void *mem_resize(void *p, size_t n, size_t size)
{
        if (size && n > SIZE_MAX / size)
                mem_die();
        size_t bytes = n * size;
        void *q = realloc(p, bytes ? bytes : 1);

        if (!q)
                mem_die();
        return q;
}

char *mem_strndup(const char *s, size_t len)
{
        char *copy = mem_alloc(len + 1);

        memcpy(copy, s, len);
        copy[len] = '\0';
        return copy;
}

char *mem_strdup(const char *s)
{
        return mem_strndup(s, strlen(s));
}
