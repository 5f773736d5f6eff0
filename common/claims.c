/* SPDX-License-Identifier: Apache-2.0 */
/* getrandom; NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#define _GNU_SOURCE
#include "claims.h"

#include <string.h>
#include <sys/random.h>

struct slot {
        uint64_t hash;
        uint64_t record; /* where it is, counted from 1; 0: the slot is free */
};

struct record {
        uint32_t key, note; /* bytes */
};

/* A key as it is stored: its kind in front. */
struct key {
        const char *s;
        size_t len;
        uint64_t hash;
};

#define BUCKET 8   /* slots that are looked at together */
#define FIRST  512 /* slots of the first table */
#define GROWTH 4   /* times as many in the next, once every other one is used */

/* ---- SipHash-2-4 (Aumasson, Bernstein 2012) ----------------------------------------------------
 */

static uint64_t turn(uint64_t x, int by)
{
        return x << by | x >> (64 - by);
}

static void sip_rounds(uint64_t v[4], int n)
{
        while (n-- > 0) {
                v[0] += v[1];
                v[2] += v[3];
                v[1] = turn(v[1], 13) ^ v[0];
                v[3] = turn(v[3], 16) ^ v[2];
                v[0] = turn(v[0], 32) + v[3];
                v[2] += v[1];
                v[3] = turn(v[3], 21) ^ v[0];
                v[1] = turn(v[1], 17) ^ v[2];
                v[2] = turn(v[2], 32);
        }
}

static uint64_t sip(const uint64_t secret[2], const char *s, size_t len)
{
        uint64_t v[4] = { secret[0] ^ 0x736f6d6570736575, secret[1] ^ 0x646f72616e646f6d,
                          secret[0] ^ 0x6c7967656e657261, secret[1] ^ 0x7465646279746573 };

        for (size_t at = 0; at <= len; at += 8) {
                uint64_t word = 0;
                size_t n = len - at < 8 ? len - at : 8;

                memcpy(&word, s + at, n);
                if (n < 8)
                        word |= (uint64_t)len << 56;
                v[3] ^= word;
                sip_rounds(v, 2);
                v[0] ^= word;
        }
        v[2] ^= 0xFF;
        sip_rounds(v, 4);
        return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* ---- the table ---------------------------------------------------------------------------------
 */

/* Is it the key's record? Its note is handed out then. */
static enum claim compare(const struct claims *c, uint64_t at, const struct key *key,
                          struct buf *note)
{
        BUF_AUTO struct buf stored = BUF_INIT;
        struct record r;

        if (!spool_read(&c->records, at, &r, sizeof r))
                return CLAIM_FAILED;
        if (r.key != key->len)
                return CLAIM_FREE;
        buf_reserve(&stored, r.key);
        if (!spool_read(&c->records, at + sizeof r, stored.s, r.key))
                return CLAIM_FAILED;
        if (memcmp(stored.s, key->s, key->len) != 0)
                return CLAIM_FREE;
        if (!note)
                return CLAIM_TAKEN;
        buf_clear(note);
        buf_reserve(note, r.note);
        if (!spool_read(&c->records, at + sizeof r + r.key, note->s, r.note))
                return CLAIM_FAILED;
        note->len = r.note;
        note->s[note->len] = '\0';
        return CLAIM_TAKEN;
}

/* The key's slot, or (CLAIM_FREE) the one that it would have. There always is a free one. */
static enum claim look_up(const struct claims *c, const struct key *key, size_t *slot,
                          struct buf *note)
{
        size_t first = (size_t)key->hash & (c->slots - 1) & ~(size_t)(BUCKET - 1);

        for (;; first = (first + BUCKET) & (c->slots - 1)) {
                struct slot bucket[BUCKET];

                if (!spool_read(&c->table, first * sizeof *bucket, bucket, sizeof bucket))
                        return CLAIM_FAILED;
                for (size_t i = 0; i < BUCKET; i++) {
                        enum claim got = CLAIM_FREE;

                        *slot = first + i;
                        if (!bucket[i].record)
                                return CLAIM_FREE;
                        if (bucket[i].hash == key->hash)
                                got = compare(c, bucket[i].record - 1, key, note);
                        if (got != CLAIM_FREE)
                                return got;
                }
        }
}

/* Put a slot's content where it belongs in this table, which has it not. */
static bool place(struct claims *c, const struct slot *slot)
{
        const struct key nobody = { .s = "", .len = 0, .hash = slot->hash };
        size_t at;

        return look_up(c, &nobody, &at, NULL) == CLAIM_FREE &&
               spool_write(&c->table, at * sizeof *slot, slot, sizeof *slot);
}

static bool grow(struct claims *c)
{
        struct claims next = *c;
        bool good = true;

        next.slots = c->slots ? c->slots * GROWTH : FIRST;
        next.table = (struct spool)SPOOL_INIT;
        if (!c->slots && getrandom(next.secret, sizeof next.secret, GRND_NONBLOCK) < 0)
                next.secret[0] = 0; /* early at boot; then it is a hash like any other */
        good = spool_append_zeros(&next.table, next.slots * sizeof(struct slot));
        for (size_t i = 0; good && i < c->slots; i += BUCKET) {
                struct slot bucket[BUCKET];

                good = spool_read(&c->table, i * sizeof *bucket, bucket, sizeof bucket);
                for (size_t k = 0; good && k < BUCKET; k++)
                        good = !bucket[k].record || place(&next, &bucket[k]);
        }
        spool_release(good ? &c->table : &next.table);
        if (good)
                *c = next;
        return good;
}

static struct key make_key(const struct claims *c, char kind, const char *text, struct buf *room)
{
        buf_addc(room, kind);
        buf_adds(room, text);
        return (struct key){ .s = room->s,
                             .len = room->len,
                             .hash = sip(c->secret, room->s, room->len) };
}

enum claim claims_find(const struct claims *c, char kind, const char *key, struct buf *note)
{
        BUF_AUTO struct buf room = BUF_INIT;
        struct key k = make_key(c, kind, key, &room);
        size_t slot;

        return c->slots ? look_up(c, &k, &slot, note) : CLAIM_FREE;
}

static bool store(struct claims *c, const struct key *key, size_t slot, const void *note,
                  size_t len)
{
        struct slot entry = { .hash = key->hash, .record = spool_length(&c->records) + 1 };
        struct record r = { .key = (uint32_t)key->len, .note = (uint32_t)len };

        if (!spool_append(&c->records, (const char *)&r, sizeof r) ||
            !spool_append(&c->records, key->s, key->len) || !spool_append(&c->records, note, len) ||
            !spool_write(&c->table, slot * sizeof entry, &entry, sizeof entry))
                return false;
        c->n++;
        return true;
}

enum claim claims_take(struct claims *c, char kind, const char *key, const void *note, size_t len,
                       struct buf *had)
{
        BUF_AUTO struct buf room = BUF_INIT;
        size_t slot;

        if (2 * (c->n + 1) > c->slots && !grow(c))
                return CLAIM_FAILED;
        struct key k = make_key(c, kind, key, &room);
        enum claim got = look_up(c, &k, &slot, had);

        return got == CLAIM_FREE && !store(c, &k, slot, note, len) ? CLAIM_FAILED : got;
}

void claims_release(struct claims *c)
{
        spool_release(&c->records);
        spool_release(&c->table);
        *c = (struct claims)CLAIMS_INIT;
}
