/* SPDX-License-Identifier: Apache-2.0 */
#include "sha1.h"

#include "check.h"

static void gives(const char *text, size_t len, const char *want)
{
        char hex[2 * SHA1_SIZE + 1];

        sha1_hex(text, len, hex);
        CHECK_STR(hex, want);
}

int main(void)
{
        char a[200];

        memset(a, 'a', sizeof a);
        gives("", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        gives("abc", 3, "a9993e364706816aba3e25717850c26c9cd0d89d");
        /* around the places where the length no longer fits behind the text */
        gives(a, 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a");
        gives(a, 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699");
        gives(a, 63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5");
        gives(a, 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d");
        gives(a, 65, "11655326c708d70319be2610e8a57d9a5b959d3b");
        gives(a, 200, "e61cfffe0d9195a525fc6cf06ca2d77119c24a40");
        return 0;
}
