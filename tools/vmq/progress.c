/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <stdio.h>
#include <time.h>

static double now(void)
{
        struct timespec t;

        (void)clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_start(struct progress *p, size_t total)
{
        *p = (struct progress){ .total = total, .started = now() };
}

void progress_count(struct progress *p, const char *signs, size_t n, bool last)
{
        for (size_t i = 0; i < n; i++) {
                if (signs[i] == '!')
                        p->refused++;
                else if (last)
                        p->done++;
        }
}

void progress_show(struct progress *p)
{
        double at = now(), spent = at - p->started;
        size_t ended = p->done + p->refused;

        if (spent < 1 || at - p->shown_at < 0.25)
                return;
        p->shown_at = at;
        double rate = (double)ended / spent;

        fprintf(stderr, "\r\033[K%zu done, %zu refused, %.0f per second", p->done, p->refused,
                rate);
        /* A file may hold many VMs; then there is no telling how many are to come. */
        if (ended && ended <= p->total)
                fprintf(stderr, ", %.0f s left", (double)(p->total - ended) / rate);
        (void)fflush(stderr);
        p->shown = true;
}

void progress_hide(struct progress *p)
{
        if (p->shown)
                fputs("\r\033[K", stderr);
        p->shown = false;
}
