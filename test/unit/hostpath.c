/* SPDX-License-Identifier: Apache-2.0 */
#include "hostpath.h"

#include "array.h"
#include "check.h"

static void test_clean(void)
{
        static const struct {
                const char *path, *clean; /* NULL: refused */
        } cases[] = {
                { "/a", "/a" },
                { "/a/b.img", "/a/b.img" },
                { "//a///b", "/a/b" },
                { "/./a/.", "/a" },
                { "/a/", "/a" },
                { "/a/...", "/a/..." },
                { "/a b/.c", "/a b/.c" },
                { "", NULL },
                { "a", NULL },
                { "./a", NULL },
                { "/", NULL },
                { "//", NULL },
                { "/.", NULL },
                { "/..", NULL },
                { "/a/../b", NULL },
                { "/a/..", NULL },
                { "../a", NULL },
        };

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
                BUF_AUTO struct buf b = BUF_INIT;
                bool good = hostpath_clean(cases[i].path, &b);

                CHECK(good == !!cases[i].clean);
                if (cases[i].clean)
                        CHECK_STR(b.s, cases[i].clean);
        }
}

static void test_in_system(void)
{
        static const char *const system[] = { "/disk.img",    "/etc/x",        "/etc/a/b",
                                              "/usr/lib/x/y", "/var/x",        "/var/lib/x",
                                              "/home/x",      "/run/user/1/x", "/dev/vda",
                                              "/proc/1/mem",  "/tmp/x" };
        static const char *const other[] = { "/srv/x",     "/srv/vms/x",  "/var/lib/vms/x",
                                             "/home/me/x", "/etcetera/x", "/data/x",
                                             "/root/vms/x" };

        for (size_t i = 0; i < ARRAY_LEN(system); i++)
                CHECK(hostpath_in_system(system[i]));
        for (size_t i = 0; i < ARRAY_LEN(other); i++)
                CHECK(!hostpath_in_system(other[i]));
}

int main(void)
{
        test_clean();
        test_in_system();
        return 0;
}
