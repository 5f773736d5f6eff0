/* SPDX-License-Identifier: Apache-2.0 */
#include "path.h"

#include <string.h>

/* A key that is safe to read behind a dot. */
static bool is_plain(const char *key)
{
        return *key && strcspn(key, ".[]/ ") == strlen(key);
}

void path_print(const struct path *p, struct buf *out)
{
        if (!p)
                return;
        path_print(p->up, out);
        if (!p->key)
                buf_addf(out, "[%d]", p->index);
        else if (p->opaque && !is_plain(p->key))
                buf_addf(out, "[%s]", p->key);
        else
                buf_addf(out, "%s%s", out->len && *p->key ? "." : "", p->key);
}
