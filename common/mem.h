/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mem - memory that is there or ends the program.
 *
 * Running out of memory is a failure of the system (VMQ_EXIT_SYSTEM) from
 * which no stage recovers: one line on standard error, then exit.
 */
#ifndef VMQ_MEM_H
#define VMQ_MEM_H

#include <stddef.h>
#include <stdlib.h>

/* A local that is handed to free() when it goes out of scope. */
#define MEM_AUTO __attribute__((cleanup(mem_release)))

static inline void mem_release(void *p)
{
        free(*(void **)p);
        *(void **)p = NULL;
}

/* Like malloc, realloc of n * size bytes (never of none) and strndup, but they never return NULL.
 * The caller owns the result and releases it with free(). */
void *mem_alloc(size_t size);
void *mem_resize(void *p, size_t n, size_t size);
char *mem_strndup(const char *s, size_t len);
char *mem_strdup(const char *s);

/* Make room for one more element in *array of *cap elements, n of which are in use. */
#define MEM_GROW(array, n, cap)                                                                    \
        do {                                                                                       \
                if ((n) == (cap)) {                                                                \
                        (cap) = (cap) ? (cap)*2 : 16;                                              \
                        (array) = mem_resize((array), (cap), sizeof *(array));                     \
                }                                                                                  \
        } while (0)

/* Say that memory ran out and exit with VMQ_EXIT_SYSTEM. */
_Noreturn void mem_die(void);

#endif
