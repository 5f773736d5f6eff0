/* SPDX-License-Identifier: Apache-2.0 */
/* progress - the line that tells a person how far a long conversion is. */
#ifndef VMQ_PROGRESS_H
#define VMQ_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
        bool shown;   /* a line is on the terminal now */
        size_t total; /* files */
        size_t done, refused;
        double started; /* seconds of the monotonic clock */
        double shown_at;
};

void progress_start(struct progress *p, size_t total);

/* Count what a stage wrote to its --progress-fd. last: it was the last stage. */
void progress_count(struct progress *p, const char *signs, size_t n, bool last);

/* Print the line anew, from the second second on, four times a second. */
void progress_show(struct progress *p);

/* Take the line away. */
void progress_hide(struct progress *p);

#endif
