/* SPDX-License-Identifier: Apache-2.0 */
#include "inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "buf.h"
#include "mem.h"

static void append(struct inputs *in, const char *name)
{
        MEM_GROW(in->names, in->n, in->cap);
        in->names[in->n++] = mem_strdup(name);
}

static bool complain(const char *name)
{
        fprintf(stderr, "vmq: %s: %s\n", name, strerror(errno));
        return false;
}

static bool has_suffix(const char *name)
{
        static const char *const suffixes[] = { ".yaml", ".yml", ".json" };
        const char *dot = strrchr(name, '.');

        for (size_t i = 0; dot && i < sizeof suffixes / sizeof suffixes[0]; i++)
                if (strcmp(dot, suffixes[i]) == 0)
                        return true;
        return false;
}

static int visible(const struct dirent *e)
{
        return e->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
        return strcmp((*a)->d_name, (*b)->d_name);
}

static bool add_folder(struct inputs *in, const char *folder)
{
        struct dirent **entries;
        int n = scandir(folder, &entries, visible, by_name);
        bool good = true;

        if (n < 0)
                return complain(folder);
        for (int i = 0; i < n; i++) {
                BUF_AUTO struct buf name = BUF_INIT;
                struct stat st;

                buf_addf(&name, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
                         entries[i]->d_name);
                if (lstat(name.s, &st) != 0)
                        good = complain(name.s);
                else if (S_ISDIR(st.st_mode))
                        good = add_folder(in, name.s) && good;
                else if (has_suffix(name.s))
                        append(in, name.s);
                free(entries[i]);
        }
        free(entries);
        return good;
}

bool inputs_add(struct inputs *in, const char *name)
{
        struct stat st;

        if (strcmp(name, "-") == 0) {
                append(in, name);
                return true;
        }
        if (stat(name, &st) != 0)
                return complain(name);
        if (!S_ISDIR(st.st_mode)) {
                append(in, name);
                return true;
        }
        size_t before = in->n;

        if (!add_folder(in, name))
                return false;
        if (in->n == before)
                fprintf(stderr, "vmq: %s: no .yaml, .yml or .json file in it\n", name);
        return true;
}

bool inputs_add_list(struct inputs *in, const char *list)
{
        bool is_stdin = strcmp(list, "-") == 0, good = true;
        FILE *f = is_stdin ? stdin : fopen(list, "re");
        char *line = NULL;
        size_t size = 0;
        ssize_t len;

        if (!f)
                return complain(list);
        while ((len = getline(&line, &size, f)) > 0) {
                if (line[len - 1] == '\n')
                        line[len - 1] = '\0';
                if (*line)
                        good = inputs_add(in, line) && good;
        }
        if (ferror(f))
                good = complain(list);
        free(line);
        if (!is_stdin)
                (void)fclose(f);
        return good;
}

void inputs_release(struct inputs *in)
{
        for (size_t i = 0; i < in->n; i++)
                free(in->names[i]);
        free(in->names);
        *in = (struct inputs){ 0 };
}
