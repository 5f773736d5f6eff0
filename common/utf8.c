/* SPDX-License-Identifier: Apache-2.0 */
/* le64toh; NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#define _DEFAULT_SOURCE
#include "utf8.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>

static bool is_continuation(char c)
{
        return ((unsigned char)c & 0xC0) == 0x80;
}

size_t utf8_length(const char *s, size_t len)
{
        if (len == 0)
                return 0;
        unsigned char a = (unsigned char)s[0];

        if (a < 0x80)
                return 1;
        size_t n = a >= 0xF0 ? 4 : a >= 0xE0 ? 3 : 2;

        if (a < 0xC2 || a > 0xF4 || len < n)
                return 0;
        for (size_t i = 1; i < n; i++)
                if (!is_continuation(s[i]))
                        return 0;
        unsigned char b = (unsigned char)s[1];
        bool overlong = (a == 0xE0 && b < 0xA0) || (a == 0xF0 && b < 0x90);
        bool outside = (a == 0xED && b > 0x9F) || (a == 0xF4 && b > 0x8F);

        return overlong || outside ? 0 : n;
}

static bool is_plain(char c)
{
        return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

#define EACH(byte) (UINT64_MAX / 0xFF * (byte)) /* in each of the eight */

/* The highest bit of each byte that is 0. Of those behind the first it may be wrong. */
static uint64_t zeros(uint64_t word)
{
        return (word - EACH(0x01)) & ~word & EACH(0x80);
}

/* How many of eight. */
static size_t count_plain(const char s[8])
{
        uint64_t word, other;

        memcpy(&word, s, sizeof word);
        word = le64toh(word);
        other = zeros(word ^ EACH('"')) | zeros(word ^ EACH('\\')) | zeros(word ^ EACH(0x7F));
        other |= (word | ((word - EACH(0x20)) & ~word)) & EACH(0x80);
        return other ? (size_t)__builtin_ctzll(other) / 8 : 8;
}

/* Are eight bytes printable ASCII? */
static bool all_printable(const char s[8])
{
        uint64_t word;

        memcpy(&word, s, sizeof word);
        return !((word | (word - EACH(0x20)) | (word + EACH(0x01))) & EACH(0x80));
}

size_t utf8_printable(const char *s, size_t len)
{
        size_t n = 0;

        while (len - n >= 8 && all_printable(s + n))
                n += 8;
        while (n < len && s[n] >= ' ' && s[n] < 0x7F)
                n++;
        return n;
}

size_t utf8_plain(const char *s, size_t len)
{
        size_t n = 0;

        for (; len - n >= 8; n += 8) {
                size_t more = count_plain(s + n);

                if (more < 8)
                        return n + more;
        }
        if (n && n < len && count_plain(s + len - 8) == 8) /* with some for the second time */
                return len;
        while (n < len && is_plain(s[n]))
                n++;
        return n;
}

bool utf8_valid(const char *s, size_t len)
{
        while (len) {
                size_t n = utf8_plain(s, len);

                if (n == 0)
                        n = (unsigned char)*s < 0x80 ? 1 : utf8_length(s, len);
                if (n == 0)
                        return false;
                s += n;
                len -= n;
        }
        return true;
}

void utf8_add(struct buf *b, unsigned c)
{
        if (c < 0x80) {
                buf_addc(b, (char)c);
                return;
        }
        if (c < 0x800) {
                buf_addc(b, (char)(0xC0 | c >> 6));
        } else {
                if (c < 0x10000) {
                        buf_addc(b, (char)(0xE0 | c >> 12));
                } else {
                        buf_addc(b, (char)(0xF0 | c >> 18));
                        buf_addc(b, (char)(0x80 | (c >> 12 & 0x3F)));
                }
                buf_addc(b, (char)(0x80 | (c >> 6 & 0x3F)));
        }
        buf_addc(b, (char)(0x80 | (c & 0x3F)));
}

static unsigned decode(const char *s, size_t n)
{
        static const unsigned char first[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
        unsigned c = (unsigned char)s[0] & first[n];

        for (size_t i = 1; i < n; i++)
                c = c << 6 | ((unsigned char)s[i] & 0x3F);
        return c;
}

/* Characters that a terminal would act on, or that hide what a text really says. */
static bool is_invisible(unsigned c)
{
        static const struct {
                unsigned from, to;
        } ranges[] = { { 0x00, 0x1F },     { 0x7F, 0x9F },     { 0xAD, 0xAD },
                       { 0x200B, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F },
                       { 0xFEFF, 0xFEFF } };

        for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
                if (c >= ranges[i].from && c <= ranges[i].to)
                        return true;
        return false;
}

static void add_escaped(struct buf *b, unsigned c)
{
        switch (c) {
        case '\n':
                buf_adds(b, "\\n");
                break;
        case '\r':
                buf_adds(b, "\\r");
                break;
        case '\t':
                buf_adds(b, "\\t");
                break;
        default:
                buf_addf(b, c < 0x80 ? "\\x%02x" : "\\u%04x", c);
        }
}

void utf8_add_visible(struct buf *b, const char *s, size_t len)
{
        while (len) {
                size_t n = utf8_length(s, len);

                if (n == 0) {
                        buf_addf(b, "\\x%02x", (unsigned char)*s);
                        n = 1;
                } else {
                        unsigned c = decode(s, n);

                        if (is_invisible(c))
                                add_escaped(b, c);
                        else
                                buf_add(b, s, n);
                }
                s += n;
                len -= n;
        }
}
