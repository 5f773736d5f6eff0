/* SPDX-License-Identifier: Apache-2.0 */
#include "buf.h"

#include "check.h"
#include "mem.h"

int main(void)
{
        struct buf b = BUF_INIT;

        CHECK_STR(b.s, "");
        buf_clear(&b); /* of nothing: no memory is touched */
        buf_release(&b);
        buf_adds(&b, "");
        CHECK(b.cap > 0);
        buf_adds(&b, "ab");
        buf_addc(&b, 'c');
        buf_addf(&b, "%d-%s", 42, "x");
        CHECK_STR(b.s, "abc42-x");
        buf_add(&b, "\0y", 2);
        CHECK(b.len == 9 && b.s[7] == '\0' && b.s[8] == 'y' && b.s[9] == '\0');
        buf_clear(&b);
        CHECK(b.len == 0 && b.cap > 0);
        CHECK_STR(b.s, "");
        buf_addf(&b, "%s%s|%s %d%% %-3s|%.*s", "p", "", "q", 7, "r", 2, "stu");
        CHECK_STR(b.s, "p|q 7% r  |st");
        buf_clear(&b);
        for (int i = 0; i < 10000; i++)
                buf_addf(&b, "%s", "0123456789");
        CHECK(b.len == 100000 && strlen(b.s) == b.len);
        buf_addf(&b, "%s", "");
        CHECK(b.len == 100000);
        MEM_AUTO char *s = buf_detach(&b);

        CHECK(strlen(s) == 100000 && b.cap == 0);
        CHECK_STR(b.s, "");
        MEM_AUTO char *empty = buf_detach(&b); /* of nothing is an empty text that can be freed */

        CHECK_STR(empty, "");
        buf_reserve(&b, 10);
        memcpy(b.s + b.len, "abc", 4);
        b.len += 3;
        buf_addc(&b, 'd');
        CHECK_STR(b.s, "abcd");
        buf_release(&b);
        buf_release(&b);
        MEM_AUTO char *part = mem_strndup("abcdef", 3);

        CHECK_STR(part, "abc");
        return 0;
}
