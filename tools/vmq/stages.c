/* SPDX-License-Identifier: Apache-2.0 */
#include "stages.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array.h"
#include "buf.h"
#include "mem.h"

extern char **environ;

enum { PATH_SIZE = 4096 };

const struct stage_info stage_infos[N_STAGES] = {
        [STAGE_VALIDATE] = { "validate", "validated", &stage_validate },
        [STAGE_PREPARE] = { "prepare", "prepared", &stage_prepare },
        [STAGE_RENDER] = { "render", "rendered", &stage_render },
        [STAGE_ADAPT] = { "adapt", "adapted", &stage_adapt },
        [STAGE_QUADLET] = { "quadlet", "quadlet", &stage_quadlet },
        [STAGE_FIXUP] = { "fixup", "fixed", &stage_fixup },
};

int stage_of(const char *name)
{
        int i = 0;

        while (i < N_STAGES && strcmp(stage_infos[i].name, name) != 0)
                i++;
        return i;
}

/* The path if an executable is there, else NULL. */
static char *if_executable(struct buf *path)
{
        return access(path->s, X_OK) == 0 ? buf_detach(path) : NULL;
}

/* This program's own path; false if it is not known. */
static bool own_path(char self[static PATH_SIZE])
{
        ssize_t n = readlink("/proc/self/exe", self, PATH_SIZE - 1);

        self[n > 0 ? n : 0] = '\0';
        return n > 0;
}

static char *beside_us(const char *name)
{
        static const char *const where[] = { "", "../libexec/vmq/" };
        char self[PATH_SIZE];

        if (!own_path(self))
                return NULL;
        char *slash = strrchr(self, '/');

        if (!slash)
                return NULL;
        slash[1] = '\0';
        for (size_t i = 0; i < sizeof where / sizeof where[0]; i++) {
                BUF_AUTO struct buf path = BUF_INIT;

                buf_addf(&path, "%s%svmq-%s", self, where[i], name);
                char *found = if_executable(&path);

                if (found)
                        return found;
        }
        return NULL;
}

static char *on_path(const char *name)
{
        const char *p = getenv("PATH");

        while (p && *p) {
                size_t n = strcspn(p, ":");
                BUF_AUTO struct buf path = BUF_INIT;

                buf_addf(&path, "%.*s/vmq-%s", (int)n, p, name);
                char *found = n ? if_executable(&path) : NULL;

                if (found)
                        return found;
                p += n + (p[n] == ':');
        }
        return NULL;
}

char *stage_path(const char *name)
{
        char *found = beside_us(name);

        return found ? found : on_path(name);
}

bool stage_is_own(int stage)
{
        MEM_AUTO char *path = stage_path(stage_infos[stage].name);
        char self[PATH_SIZE];
        struct stat found, own;

        return path && own_path(self) && stat(path, &found) == 0 && stat(self, &own) == 0 &&
               found.st_dev == own.st_dev && found.st_ino == own.st_ino;
}

/* What `vmq-STAGE --list-options` prints. */
static bool list_options(int stage, struct buf *out)
{
        if (stage_is_own(stage)) {
                vmq_list_options(stage_infos[stage].stage, out);
                return true;
        }
        MEM_AUTO char *path = stage_path(stage_infos[stage].name);
        char name[32], option[] = "--list-options";
        char *argv[] = { name, option, NULL };
        int fds[2], status = 0;
        pid_t pid;

        (void)snprintf(name, sizeof name, "vmq-%s", stage_infos[stage].name);
        if (!path || pipe(fds) != 0)
                return false;
        posix_spawn_file_actions_t actions;

        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
        posix_spawn_file_actions_addclose(&actions, fds[0]);
        posix_spawn_file_actions_addclose(&actions, fds[1]);
        int failed = posix_spawn(&pid, path, &actions, NULL, argv, environ);

        posix_spawn_file_actions_destroy(&actions);
        close(fds[1]);
        for (ssize_t n = 1; !failed && n > 0;) {
                buf_reserve(out, 4096);
                n = read(fds[0], out->s + out->len, 4096);
                if (n > 0)
                        buf_add(out, out->s + out->len, (size_t)n);
        }
        close(fds[0]);
        return !failed && waitpid(pid, &status, 0) == pid && status == 0;
}

static enum option_owner owner_of(const char *word)
{
        static const char *const words[] = {
                [OWNER_STAGE] = "stage", [OWNER_SETTING] = "setting", [OWNER_ALONE] = "alone"
        };

        for (size_t i = 0; i < ARRAY_LEN(words); i++)
                if (words[i] && strncmp(word, words[i], strlen(words[i])) == 0)
                        return (enum option_owner)i;
        return OWNER_COMMON;
}

bool stage_find_option(int stage, const char *name, size_t len, struct option_found *ret)
{
        BUF_AUTO struct buf out = BUF_INIT;

        *ret = (struct option_found){ .owner = OWNER_NONE };
        if (!list_options(stage, &out)) {
                fprintf(stderr, "vmq: vmq-%s: can't be run\n", stage_infos[stage].name);
                return false;
        }
        for (const char *line = out.s; *line; line += strcspn(line, "\n") + 1) {
                const char *tab = strchr(line, '\t');

                if (!tab)
                        break;
                if (strncmp(tab + 1, name, len) == 0 && tab[1 + len] == '\t') {
                        *ret = (struct option_found){ owner_of(line), tab[len + 2] != '\n' };
                        return true;
                }
                if (!line[strcspn(line, "\n")])
                        break;
        }
        return true;
}
