/* SPDX-License-Identifier: Apache-2.0 */
#include "hostpath.h"

#include <string.h>

#include "array.h"

/* Folders whose content is the system's; `tree`: so is all that is below. */
static const struct {
        const char *folder;
        bool tree;
} system_folders[] = {
        { "", false },        { "/bin", true },      { "/boot", true },     { "/dev", true },
        { "/etc", true },     { "/lib", true },      { "/lib32", true },    { "/lib64", true },
        { "/proc", true },    { "/run", true },      { "/sbin", true },     { "/sys", true },
        { "/usr", true },     { "/var", false },     { "/var/lib", false }, { "/var/log", true },
        { "/var/run", true }, { "/home", false },    { "/root", false },    { "/opt", false },
        { "/tmp", false },    { "/var/tmp", false },
};

bool hostpath_clean(const char *path, struct buf *out)
{
        size_t start = out->len;

        if (*path != '/')
                return false;
        while (*path) {
                size_t len = strcspn(path, "/");

                if (len == 2 && strncmp(path, "..", len) == 0)
                        return false;
                if (len > 0 && !(len == 1 && *path == '.')) {
                        buf_addc(out, '/');
                        buf_add(out, path, len);
                }
                path += len;
                path += strspn(path, "/");
        }
        return out->len > start;
}

bool hostpath_in_system(const char *path)
{
        const char *name = strrchr(path, '/');
        size_t len = name ? (size_t)(name - path) : 0; /* the folder's */

        for (size_t i = 0; i < ARRAY_LEN(system_folders); i++) {
                size_t n = strlen(system_folders[i].folder);

                if (strncmp(path, system_folders[i].folder, n) == 0 &&
                    (len == n || (system_folders[i].tree && path[n] == '/')))
                        return true;
        }
        return false;
}
