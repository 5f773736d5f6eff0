/* SPDX-License-Identifier: Apache-2.0 */
#include "claims.h"

#include <errno.h>

#include "check.h"

enum { MANY = 20000 };

static void takes(void)
{
        struct claims c = CLAIMS_INIT;
        BUF_AUTO struct buf note = BUF_INIT;

        CHECK(claims_find(&c, 'A', "x", &note) == CLAIM_FREE);
        CHECK(claims_take(&c, 'A', "x", "first", 5, &note) == CLAIM_FREE);
        CHECK(claims_take(&c, 'A', "x", "second", 6, &note) == CLAIM_TAKEN);
        CHECK_STR(note.s, "first");
        /* Another kind, a longer key, the empty one. */
        CHECK(claims_take(&c, 'B', "x", "b", 1, &note) == CLAIM_FREE);
        CHECK(claims_take(&c, 'A', "xx", "", 0, NULL) == CLAIM_FREE);
        CHECK(claims_take(&c, 'A', "", "\0z", 2, NULL) == CLAIM_FREE);
        CHECK(claims_find(&c, 'B', "x", &note) == CLAIM_TAKEN);
        CHECK_STR(note.s, "b");
        CHECK(claims_find(&c, 'A', "xx", &note) == CLAIM_TAKEN && note.len == 0);
        CHECK(claims_find(&c, 'A', "", &note) == CLAIM_TAKEN && note.len == 2);
        CHECK(memcmp(note.s, "\0z", 2) == 0);
        CHECK(claims_find(&c, 'A', "x", NULL) == CLAIM_TAKEN);
        CHECK(claims_find(&c, 'C', "x", NULL) == CLAIM_FREE && c.n == 4);
        claims_release(&c);
        CHECK(claims_find(&c, 'A', "x", NULL) == CLAIM_FREE);
        claims_release(&c);
}

/* More than fit into memory; each keeps its note, and none is found that was not taken. */
static void takes_many(void)
{
        struct claims c = CLAIMS_INIT;
        BUF_AUTO struct buf note = BUF_INIT;
        char key[20], value[20];

        for (int i = 0; i < MANY; i++) {
                (void)snprintf(key, sizeof key, "key-%d", i);
                (void)snprintf(value, sizeof value, "%d", i * 3);
                CHECK(claims_take(&c, 'K', key, value, strlen(value), NULL) == CLAIM_FREE);
        }
        CHECK(c.n == MANY && c.records.fd >= 0 && c.table.fd >= 0);
        for (int i = 0; i < 2 * MANY; i++) {
                (void)snprintf(key, sizeof key, "key-%d", i);
                (void)snprintf(value, sizeof value, "%d", i * 3);
                CHECK(claims_find(&c, 'K', key, &note) == (i < MANY ? CLAIM_TAKEN : CLAIM_FREE));
                if (i < MANY)
                        CHECK_STR(note.s, value);
        }
        claims_release(&c);
}

static void has_no_room(void)
{
        struct claims c = CLAIMS_INIT;
        enum claim got = CLAIM_FREE;
        char key[20];

        CHECK(setenv("TMPDIR", "/nonexistent", 1) == 0);
        for (int i = 0; i < MANY && got == CLAIM_FREE; i++) {
                (void)snprintf(key, sizeof key, "key-%d", i);
                got = claims_take(&c, 'K', key, "note", 4, NULL);
        }
        CHECK(got == CLAIM_FAILED && errno == ENOENT);
        CHECK(claims_find(&c, 'K', "key-0", NULL) == CLAIM_TAKEN);
        claims_release(&c);
}

int main(void)
{
        takes();
        takes_many();
        has_no_room();
        return 0;
}
