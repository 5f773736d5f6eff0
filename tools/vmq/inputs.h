/* SPDX-License-Identifier: Apache-2.0 */
/* inputs - the files that `vmq convert FILE|DIR...` is about. */
#ifndef VMQ_INPUTS_H
#define VMQ_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

/* File names, in the order given, those of a folder sorted by name. Owned. */
struct inputs {
        char **names;
        size_t n, cap;
};

/*
 * Add a file ("-" is standard input), or every *.yaml, *.yml and *.json file in a folder and the
 * folders below it (hidden ones and symbolic links to folders aside). False after a line on
 * standard error where it can't be read.
 */
bool inputs_add(struct inputs *in, const char *name);

/* The same for every line of a list ("-": standard input). */
bool inputs_add_list(struct inputs *in, const char *list);

void inputs_release(struct inputs *in);

#endif
