/* SPDX-License-Identifier: Apache-2.0 */
#include "room.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem.h"

#define BESIDE ".vmq-new.d" /* .NAME.vmq-new.d */
#define ROOMS  64           /* runs that may be at work on one folder at once */

void room_name(int k, char name[NAME_LENGTH + 1])
{
        (void)snprintf(name, NAME_LENGTH + 1, ".vmq-new-%d.d", k);
}

void room_leave(struct room *r)
{
        if (r->fd >= 0)
                (void)close(r->fd);
        *r = (struct room)ROOM_INIT;
}

/* Open and lock it. ENOENT: somebody has swept it away meanwhile. */
static bool take(struct room *r)
{
        struct stat now;

        r->fd = openat(r->above, r->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (r->fd < 0)
                return false;
        if (flock(r->fd, LOCK_EX | LOCK_NB) == 0 && fstat(r->fd, &now) == 0) {
                if (now.st_nlink > 0)
                        return true;
                errno = ENOENT;
        } else if (errno == EWOULDBLOCK) {
                errno = EBUSY;
        }
        int saved = errno;

        room_leave(r);
        errno = saved;
        return false;
}

bool room_make(struct room *r, int folder)
{
        struct room new = { .fd = -1, .above = folder };

        for (new.k = 0; new.k < ROOMS; new.k++) {
                *r = new;
                room_name(r->k, r->name);
                if (mkdirat(folder, r->name, 0755) != 0) {
                        if (errno != EEXIST)
                                return false;
                } else if (take(r)) {
                        return true;
                }
        }
        errno = EBUSY;
        return false;
}

/* What is to be the folder NAME, not open yet. */
static bool name_beside(struct room *r, int above, const char *name)
{
        *r = (struct room){ .fd = -1, .above = above, .k = -1 };
        int len = snprintf(r->name, sizeof r->name, ".%s" BESIDE, name);

        if (len >= 0 && (size_t)len < sizeof r->name)
                return true;
        errno = ENAMETOOLONG;
        return false;
}

bool room_make_for(struct room *r, int above, const char *name)
{
        for (int tries = 0; tries < 2; tries++) {
                if (!name_beside(r, above, name))
                        return false;
                /* As the folder itself would be made. */
                if (mkdirat(above, r->name, 0777) == 0)
                        return take(r);
                if (errno != EEXIST || !take(r))
                        return false;
                room_remove(r);
        }
        errno = EBUSY;
        return false;
}

/* A folder takes the place of an empty one, and its lock goes with it. */
bool room_move(struct room *r, int folder)
{
        struct room empty;

        if (!room_make(&empty, folder))
                return false;
        if (renameat(r->above, r->name, folder, empty.name) != 0) {
                int saved = errno;

                room_remove(&empty);
                errno = saved;
                return false;
        }
        (void)close(empty.fd);
        empty.fd = r->fd;
        *r = empty;
        return true;
}

bool room_become(struct room *r)
{
        MEM_AUTO char *name = mem_strndup(r->name + 1, strlen(r->name) - strlen("." BESIDE));

        if (renameat(r->above, r->name, r->above, name) != 0)
                return false;
        room_leave(r);
        return true;
}

void room_remove(struct room *r)
{
        int fd = openat(r->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *all = fd < 0 ? NULL : fdopendir(fd);
        const struct dirent *entry;

        while (all && (entry = readdir(all)))
                if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                        (void)unlinkat(r->fd, entry->d_name, 0);
        if (all)
                (void)closedir(all);
        (void)unlinkat(r->above, r->name, AT_REMOVEDIR);
        room_leave(r);
}

void room_sweep(int folder)
{
        struct stat now;

        /* Where folders count those in them, this one has at most one, which is the caller's. */
        if (fstat(folder, &now) == 0 && (now.st_nlink == 2 || now.st_nlink == 3))
                return;
        for (int k = 0; k < ROOMS; k++) {
                struct room r = { .fd = -1, .above = folder, .k = k };

                room_name(k, r.name);
                if (take(&r))
                        room_remove(&r);
        }
}

void room_sweep_for(int above, const char *name)
{
        struct room r;

        if (name_beside(&r, above, name) && take(&r))
                room_remove(&r);
}
