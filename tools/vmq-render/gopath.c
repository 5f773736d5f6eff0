/* SPDX-License-Identifier: Apache-2.0 */
#include "gopath.h"

#include <stdbool.h>
#include <string.h>

#include "buf.h"

/* Take the last step off, with the slash in front of it; keep the root's. */
static void pop(struct buf *out, bool rooted)
{
        while (out->len > 0 && out->s[out->len - 1] != '/')
                out->len--;
        if (out->len > (rooted ? 1 : 0))
                out->len--;
        out->s[out->len] = '\0';
}

static void push(struct buf *out, const char *step, size_t len)
{
        if (out->len > 0 && out->s[out->len - 1] != '/')
                buf_addc(out, '/');
        buf_add(out, step, len);
}

/* filepath.Clean of the first len bytes. */
static jv clean(const char *path, size_t len)
{
        BUF_AUTO struct buf out = BUF_INIT;
        bool rooted = len > 0 && path[0] == '/';
        size_t above = 0; /* bytes of leading ".." that nothing takes back */

        if (rooted)
                buf_addc(&out, '/');
        for (size_t i = 0; i < len;) {
                size_t n = 0;

                while (i + n < len && path[i + n] != '/')
                        n++;
                if (n == 2 && memcmp(path + i, "..", 2) == 0) {
                        if (out.len > (rooted ? 1 : above)) {
                                pop(&out, rooted);
                        } else if (!rooted) {
                                push(&out, "..", 2);
                                above = out.len;
                        }
                } else if (n > 0 && !(n == 1 && path[i] == '.')) {
                        push(&out, path + i, n);
                }
                i += n + 1;
        }
        if (out.len == 0)
                buf_addc(&out, '.');
        return jv_string_sized(out.s, (int)out.len);
}

jv gopath_join(const char *dir, const char *name)
{
        return gopath_join3(dir, name, "");
}

jv gopath_join3(const char *dir, const char *name, const char *rest)
{
        BUF_AUTO struct buf joined = BUF_INIT;

        buf_addf(&joined, "%s/%s/%s", dir, name, rest);
        return clean(joined.s, joined.len);
}

jv gopath_dir(const char *path)
{
        const char *slash = strrchr(path, '/');

        return clean(path, slash ? (size_t)(slash - path) + 1 : 0);
}
