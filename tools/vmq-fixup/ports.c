/* SPDX-License-Identifier: Apache-2.0 */
#include "ports.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mem.h"

struct port {
        char *address; /* without brackets; "": all of them */
        int from, to;  /* on the host, both included */
        bool udp;
};

bool port_address(const char *text, struct buf *out)
{
        unsigned char bytes[sizeof(struct in6_addr)];
        size_t len = strlen(text);
        bool bracketed = len > 1 && text[0] == '[' && text[len - 1] == ']';
        MEM_AUTO char *bare = bracketed ? mem_strndup(text + 1, len - 2) : mem_strdup(text);

        if (!bracketed && inet_pton(AF_INET, bare, bytes) == 1) {
                buf_adds(out, bare);
                return true;
        }
        if (inet_pton(AF_INET6, bare, bytes) != 1)
                return false;
        buf_addf(out, "[%s]", bare);
        return true;
}

/* "80" or "80-90" from text, up to `end`. */
static bool parse_range(const char *text, const char *end, struct port *port)
{
        char *stop;

        port->from = port->to = (int)strtol(text, &stop, 10);
        if (stop != text && *stop == '-')
                port->to = (int)strtol(stop + 1, &stop, 10);
        return stop == end && port->from > 0 && port->to >= port->from && port->to <= 65535;
}

/* The start of the last field before `end`: behind a ':' that is in no brackets. */
static const char *field_start(const char *text, const char *end)
{
        while (end > text && end[-1] != ':')
                end--;
        return end;
}

/* The address as one text, however it is written. */
static char *canonical(const char *text, size_t len)
{
        static const int families[] = { AF_INET, AF_INET6 };
        char *address = mem_strndup(text, len), known[INET6_ADDRSTRLEN];
        unsigned char bytes[sizeof(struct in6_addr)];

        for (size_t i = 0; i < ARRAY_LEN(families); i++) {
                if (inet_pton(families[i], address, bytes) != 1 ||
                    !inet_ntop(families[i], bytes, known, sizeof known))
                        continue;
                free(address);
                return mem_strdup(known);
        }
        return address;
}

/* port->address is the caller's to free. */
static bool parse_port(const char *value, struct port *port)
{
        const char *slash = strrchr(value, '/');
        const char *end = slash ? slash : value + strlen(value);
        const char *guest = field_start(value, end);

        port->udp = slash && strcmp(slash, "/udp") == 0;
        if (guest == value)
                return false;
        const char *host = field_start(value, guest - 1);

        if (!parse_range(host, guest - 1, port))
                return false;
        size_t len = host == value ? 0 : (size_t)(host - 1 - value);

        if (len > 1 && value[0] == '[' && value[len - 1] == ']') {
                value++;
                len -= 2;
        }
        port->address = canonical(value, len);
        return true;
}

static bool is_any(const char *address)
{
        return *address == '\0' || strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

/* ---- claims ------------------------------------------------------------------------------------
 *
 * A range is cut into blocks of 1, 16, 256, 4096 or 65536 ports that begin at a multiple of their
 * size. A block that is published is "taken"; it, and every block around it, is "touched". So two
 * ranges meet exactly if one has a block that the other has touched, or that lies in a block which
 * the other has taken. Both are kept for each address, and once more for what is published at all.
 */

#define ALL      "*" /* all addresses */
#define WHATEVER "?" /* any address at all */

enum { LEVELS = 5, BITS = 4 };

/* The kinds of the claims' keys. */
enum { TAKEN = '=', TOUCHED = '<' };

struct block {
        bool udp;
        int level;  /* 16^level ports ... */
        int number; /* ... from number * 16^level on */
};

static struct block outer(struct block b, int level)
{
        b.number >>= BITS * (level - b.level);
        b.level = level;
        return b;
}

/* The largest block that begins at `from` and does not go beyond `to`. */
static struct block block_at(int from, int to, bool udp)
{
        struct block b = { .udp = udp, .number = from };

        for (int level = 1; level < LEVELS; level++) {
                int size = 1 << BITS * level;

                if (from % size == 0 && from + size - 1 <= to)
                        b = (struct block){ udp, level, from / size };
        }
        return b;
}

static void name_block(struct buf *key, const char *address, struct block b)
{
        buf_clear(key);
        buf_addf(key, "%s %s %d %d", address, b.udp ? "udp" : "tcp", b.level, b.number);
}

/* Who has published a port of the block on this address? */
static enum claim find(const struct claims *c, const char *address, struct block b,
                       struct buf *other)
{
        BUF_AUTO struct buf key = BUF_INIT;

        name_block(&key, address, b);
        enum claim got = claims_find(c, TOUCHED, key.s, other);

        for (int level = b.level + 1; level < LEVELS && got == CLAIM_FREE; level++) {
                name_block(&key, address, outer(b, level));
                got = claims_find(c, TAKEN, key.s, other);
        }
        return got;
}

static enum claim mark(struct claims *c, const char *address, struct block b, const char *by)
{
        BUF_AUTO struct buf key = BUF_INIT;

        name_block(&key, address, b);
        enum claim got = claims_take(c, TAKEN, key.s, by, strlen(by), NULL);

        for (int level = b.level; level < LEVELS && got != CLAIM_FAILED; level++) {
                name_block(&key, address, outer(b, level));
                got = claims_take(c, TOUCHED, key.s, by, strlen(by), NULL);
        }
        return got == CLAIM_FAILED ? got : CLAIM_FREE;
}

/* Who has published a port of the block on this address, or on all? */
static enum claim look(const struct claims *c, const char *address, struct block b,
                       struct buf *other)
{
        bool any = is_any(address);
        enum claim got = find(c, any ? WHATEVER : ALL, b, other);

        return got == CLAIM_FREE && !any ? find(c, address, b, other) : got;
}

static enum claim note_down(struct claims *c, const char *address, struct block b, const char *by)
{
        enum claim got = mark(c, WHATEVER, b, by);

        return got == CLAIM_FREE ? mark(c, is_any(address) ? ALL : address, b, by) : got;
}

static int end_of(struct block b)
{
        return (b.number + 1) << BITS * b.level;
}

enum claim ports_take(struct claims *c, const char *value, const char *by, struct buf *other)
{
        struct port port = { 0 };
        enum claim got = CLAIM_FREE;
        struct block b;

        if (!parse_port(value, &port))
                return CLAIM_FREE;
        for (int at = port.from; at <= port.to && got == CLAIM_FREE; at = end_of(b)) {
                b = block_at(at, port.to, port.udp);
                got = look(c, port.address, b, other);
        }
        for (int at = port.from; at <= port.to && got == CLAIM_FREE; at = end_of(b)) {
                b = block_at(at, port.to, port.udp);
                got = note_down(c, port.address, b, by);
        }
        free(port.address);
        return got;
}
