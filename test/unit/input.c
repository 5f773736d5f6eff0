/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include <errno.h>

#include "buf.h"
#include "check.h"
#include "feed.h"

static void check_line(const struct input *in, unsigned line, const char *want)
{
        size_t len;
        const char *s = input_line(in, line, &len);

        if (!want) {
                CHECK(!s);
                return;
        }
        CHECK(s && len == strlen(want) && memcmp(s, want, len) == 0);
}

static void skip(struct input *in, int n)
{
        while (n-- > 0) {
                CHECK(input_peek(in) >= 0);
                input_skip(in);
        }
}

static void test_lines(void)
{
        static const char text[] = "one\r\ntw\xC3\xB6\n\nfour four\nfive";
        struct input in;
        int fd = feed(text, strlen(text));

        input_open(&in, fd, 1 << 20);
        CHECK(input_peek(&in) == 'o' && input_peek_at(&in, 2) == 'e' &&
              input_peek_at(&in, 99) == -1);
        check_line(&in, 1, "one");
        check_line(&in, 2, "tw\xC3\xB6");
        check_line(&in, 3, "");
        check_line(&in, 5, "five");
        check_line(&in, 6, NULL);
        skip(&in, 9);
        CHECK(in.line == 2 && in.column == 4);
        skip(&in, 2);
        CHECK(in.line == 4 && in.column == 1);
        skip(&in, 5);
        input_mark(&in);
        check_line(&in, 3, NULL);
        check_line(&in, 4, "four four"); /* whole, though the mark is inside */
        check_line(&in, 5, "five");
        skip(&in, 6);
        CHECK(in.line == 5 && input_peek(&in) == 'i');
        input_rewind(&in);
        CHECK(in.line == 4 && in.column == 6 && input_peek(&in) == 'f');
        input_close(&in);
        CHECK(close(fd) == 0);
}

static void test_bom(void)
{
        struct input in;
        int fd = feed("\xEF\xBB\xBFx\xEF\xBB", 6);

        input_open(&in, fd, 1 << 20);
        input_skip_bom(&in);
        CHECK(input_peek(&in) == 'x' && in.column == 1);
        skip(&in, 1);
        input_skip_bom(&in);
        CHECK(input_peek(&in) == 0xEF);
        input_close(&in);
        CHECK(close(fd) == 0);
}

static void test_limit(void)
{
        struct input in;
        BUF_AUTO struct buf b = BUF_INIT;

        for (int i = 0; i < 100000; i++)
                buf_adds(&b, "0123456789");
        int fd = feed(b.s, b.len), n = 0;

        input_open(&in, fd, 100000);
        while (input_peek(&in) >= 0) {
                input_skip(&in);
                n++;
        }
        CHECK(in.too_large && n >= 100000 && n < 200000);
        input_close(&in);

        /* With marks on the way there is no limit, and the memory stays small. */
        CHECK(lseek(fd, 0, SEEK_SET) == 0);
        input_open(&in, fd, 100000);
        for (n = 0; input_peek(&in) >= 0; n++) {
                CHECK(input_peek(&in) == '0' + n % 10);
                input_skip(&in);
                if (n % 5000 == 0)
                        input_mark(&in);
        }
        CHECK(!in.too_large && in.end && n == 1000000 && in.cap <= 300000);
        check_line(&in, 1, NULL); /* too far back */
        input_close(&in);
        CHECK(close(fd) == 0);
}

static void test_failure(void)
{
        struct input in;
        int fd = open(".", O_RDONLY);

        CHECK(fd >= 0);
        input_open(&in, fd, 1000);
        CHECK(input_peek(&in) == -1 && in.error == EISDIR && input_peek(&in) == -1);
        input_close(&in);
        CHECK(close(fd) == 0);
}

static void test_text(void)
{
        struct input in;

        input_open_text(&in, "ab", 2, 1000);
        CHECK(input_peek(&in) == 'a' && input_peek_at(&in, 1) == 'b');
        input_skip(&in);
        input_skip(&in);
        CHECK(input_peek(&in) == -1 && in.end && !in.error && !in.too_large);
        input_close(&in);

        input_open_text(&in, "abc", 3, 2);
        input_skip(&in);
        CHECK(input_peek(&in) == 'b' && !in.too_large);
        input_skip(&in);
        CHECK(input_peek(&in) == -1 && in.too_large);
        input_close(&in);

        input_open_text(&in, "", 0, 2);
        CHECK(input_peek(&in) == -1 && in.end);
        input_close(&in);
}

int main(void)
{
        test_text();
        test_lines();
        test_bom();
        test_limit();
        test_failure();
        return 0;
}
