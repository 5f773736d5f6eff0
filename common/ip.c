/* SPDX-License-Identifier: Apache-2.0 */
#include "ip.h"

#include <string.h>

#define GROUPS 8

/* An IPv4 address is ::ffff:a.b.c.d, as in Go. */
struct ip {
        unsigned group[GROUPS];
};

/* The number in [p, end) to the base, at most `most`; leading zeros don't count. -1 if it is none.
 */
static long read_number(const char *p, const char *end, int base, long most)
{
        long n = 0;

        if (p == end)
                return -1;
        for (; p < end; p++) {
                int digit = *p >= '0' && *p <= '9'   ? *p - '0'
                            : *p >= 'a' && *p <= 'f' ? *p - 'a' + 10
                            : *p >= 'A' && *p <= 'F' ? *p - 'A' + 10
                                                     : base;

                if (digit >= base)
                        return -1;
                n = n * base + digit;
                if (n > most)
                        return -1;
        }
        return n;
}

/* Four numbers to 255 with dots between, into two groups. */
static bool read_ipv4(const char *p, const char *end, unsigned group[2])
{
        unsigned octets[4];

        for (int i = 0; i < 4; i++) {
                const char *dot = memchr(p, '.', (size_t)(end - p));
                const char *stop = i < 3 ? dot : end;
                long n = stop ? read_number(p, stop, 10, 255) : -1;

                if (n < 0)
                        return false;
                octets[i] = (unsigned)n;
                p = stop + 1;
        }
        group[0] = octets[0] << 8 | octets[1];
        group[1] = octets[2] << 8 | octets[3];
        return true;
}

/* Groups with colons between, the last two perhaps as IPv4, into group[0..most). How many, -1 if
 * the text is something else. No text at all is no group. */
static int read_groups(const char *p, const char *end, int most, unsigned *group)
{
        int n = 0;

        if (p == end)
                return 0;
        for (;;) {
                const char *colon = memchr(p, ':', (size_t)(end - p));
                const char *stop = colon ? colon : end;
                long g = n < most ? read_number(p, stop, 16, 0xffff) : -1;

                if (!colon && n + 2 <= most && memchr(p, '.', (size_t)(stop - p)))
                        return read_ipv4(p, stop, group + n) ? n + 2 : -1;
                if (g < 0)
                        return -1;
                group[n++] = (unsigned)g;
                if (!colon)
                        return n;
                p = colon + 1;
        }
}

static bool read_ipv6(const char *p, const char *end, struct ip *ip)
{
        unsigned tail[GROUPS];
        const char *gap = NULL;

        for (const char *c = p; c + 1 < end && !gap; c++)
                if (c[0] == ':' && c[1] == ':')
                        gap = c;
        if (!gap)
                return read_groups(p, end, GROUPS, ip->group) == GROUPS;
        int head = read_groups(p, gap, GROUPS - 1, ip->group);
        int rest = head < 0 ? -1 : read_groups(gap + 2, end, GROUPS - 1 - head, tail);

        if (rest < 0)
                return false;
        /* An IPv4 tail belongs behind the gap, never in front of it. */
        if (memchr(p, '.', (size_t)(gap - p)))
                return false;
        for (int i = head; i < GROUPS; i++)
                ip->group[i] = i < GROUPS - rest ? 0 : tail[i - (GROUPS - rest)];
        return true;
}

static bool is_ipv4(const struct ip *ip)
{
        for (int i = 0; i < 5; i++)
                if (ip->group[i])
                        return false;
        return ip->group[5] == 0xffff;
}

/* Whichever of '.' and ':' comes first says which kind it is. */
static bool read_ip(const char *text, size_t len, struct ip *ip, int *bits)
{
        size_t first = strcspn(text, ".:");

        *ip = (struct ip){ .group = { [5] = 0xffff } };
        *bits = 128;
        if (first >= len)
                return false;
        if (text[first] == ':')
                return read_ipv6(text, text + len, ip);
        *bits = 32;
        return read_ipv4(text, text + len, ip->group + 6);
}

static void print_ip(const struct ip *ip, struct buf *out)
{
        int gap = -1, gap_len = 1; /* the first longest run of zeros, if it is two or more */

        if (is_ipv4(ip)) {
                buf_addf(out, "%u.%u.%u.%u", ip->group[6] >> 8, ip->group[6] & 0xff,
                         ip->group[7] >> 8, ip->group[7] & 0xff);
                return;
        }
        for (int i = 0, run = 0; i < GROUPS; i++) {
                run = ip->group[i] ? 0 : run + 1;
                if (run > gap_len) {
                        gap_len = run;
                        gap = i - run + 1;
                }
        }
        for (int i = 0; i < GROUPS; i++) {
                if (i == gap) {
                        buf_adds(out, "::");
                        i += gap_len - 1;
                        continue;
                }
                if (i && i != gap + (gap < 0 ? 0 : gap_len))
                        buf_addc(out, ':');
                buf_addf(out, "%x", ip->group[i]);
        }
}

bool ip_tidy(const char *text, struct buf *out)
{
        struct ip ip;
        int bits;

        if (!read_ip(text, strlen(text), &ip, &bits))
                return false;
        print_ip(&ip, out);
        return true;
}

bool ip_tidy_cidr(const char *text, struct buf *out)
{
        const char *slash = strchr(text, '/');
        struct ip ip;
        int bits;

        if (!slash || !read_ip(text, (size_t)(slash - text), &ip, &bits))
                return false;
        long length = read_number(slash + 1, slash + strlen(slash), 10, bits);

        if (length < 0)
                return false;
        print_ip(&ip, out);
        buf_addf(out, "/%ld", length);
        return true;
}
