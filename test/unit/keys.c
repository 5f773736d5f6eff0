/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "jvx.h"

static jv get(struct keys *keys, const char *text)
{
        return keys_get(keys, text, strlen(text));
}

/* The same value twice, and each name's own, however many there are. */
static void test_names(void)
{
        struct keys keys = KEYS_INIT;
        JVX_AUTO jv first = get(&keys, "name");
        JVX_AUTO jv again = keys_get(&keys, "name.and.more", 4);

        CHECK_STR(jv_string_value(first), "name");
        CHECK(jv_identical(jv_copy(first), jv_copy(again)));
        for (int i = 0; i < 10 * KEYS_SLOTS; i++) {
                char text[32];

                (void)snprintf(text, sizeof text, "%s%d", i % 2 ? "a longer name " : "", i / 2);
                JVX_AUTO jv name = get(&keys, text);

                CHECK_STR(jv_string_value(name), text);
        }
        keys_release(&keys);
        CHECK_STR(jv_string_value(first), "name"); /* still the caller's */
}

/* What differs in the middle alone, in length alone, or is empty. */
static void test_alike(void)
{
        static const char *const names[] = { "",
                                             "a",
                                             "aa",
                                             "12345678",
                                             "123456781",
                                             "1234567x2345678",
                                             "12345678y2345678",
                                             "1234567y2345678" };
        struct keys keys = KEYS_INIT;

        for (int round = 0; round < 2; round++)
                for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
                        JVX_AUTO jv name = get(&keys, names[i]);

                        CHECK_STR(jv_string_value(name), names[i]);
                }
        keys_release(&keys);
}

/* A table that strangers fill stays small. */
static void test_long(void)
{
        char text[KEYS_LONGEST + 2] = "";

        memset(text, 'x', KEYS_LONGEST + 1);
        struct keys keys = KEYS_INIT;
        JVX_AUTO jv kept = keys_get(&keys, text, KEYS_LONGEST);
        JVX_AUTO jv again = keys_get(&keys, text, KEYS_LONGEST);
        JVX_AUTO jv long_one = get(&keys, text);
        JVX_AUTO jv other = get(&keys, text);

        CHECK(jv_identical(jv_copy(kept), jv_copy(again)));
        CHECK_STR(jv_string_value(long_one), text);
        CHECK(!jv_identical(jv_copy(long_one), jv_copy(other)));
        keys_release(&keys);
}

static void test_none(void)
{
        JVX_AUTO jv name = get(NULL, "name");

        CHECK_STR(jv_string_value(name), "name");
}

int main(void)
{
        test_names();
        test_alike();
        test_long();
        test_none();
        return 0;
}
