/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "ip.h"

/* The locale has no say in what is a letter. */
static bool is_lower(char c)
{
        return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
        return c >= '0' && c <= '9';
}

static bool is_lower_digit(char c)
{
        return is_lower(c) || is_digit(c);
}

static bool is_alnum(char c)
{
        return is_lower_digit(c) || (c >= 'A' && c <= 'Z');
}

static int hex_value(char c)
{
        if (is_digit(c))
                return c - '0';
        if (c >= 'a' && c <= 'f')
                return c - 'a' + 10;
        if (c >= 'A' && c <= 'F')
                return c - 'A' + 10;
        return -1;
}

/* One DNS label of len bytes, whatever its length. */
static bool label(const char *s, size_t len)
{
        if (!len || !is_lower_digit(s[0]) || !is_lower_digit(s[len - 1]))
                return false;
        for (size_t i = 0; i < len; i++)
                if (!is_lower_digit(s[i]) && s[i] != '-')
                        return false;
        return true;
}

static bool subdomain(const char *s, size_t len)
{
        if (len > 253)
                return false;
        for (;;) {
                const char *dot = memchr(s, '.', len);
                size_t n = dot ? (size_t)(dot - s) : len;

                if (!label(s, n))
                        return false;
                if (!dot)
                        return true;
                s += n + 1;
                len -= n + 1;
        }
}

/* The part of a label key behind the slash. */
static bool plain_name(const char *s)
{
        size_t len = strlen(s);

        if (!len || len > 63 || !is_alnum(s[0]) || !is_alnum(s[len - 1]))
                return false;
        for (size_t i = 0; i < len; i++)
                if (!is_alnum(s[i]) && !strchr("-_.", s[i]))
                        return false;
        return true;
}

bool name_is_label(const char *s)
{
        size_t len = strlen(s);

        return len <= 63 && label(s, len);
}

bool name_is_subdomain(const char *s)
{
        return subdomain(s, strlen(s));
}

bool name_is_label_key(const char *s)
{
        const char *slash = strchr(s, '/');

        if (!slash)
                return plain_name(s);
        return subdomain(s, (size_t)(slash - s)) && plain_name(slash + 1);
}

bool name_is_label_value(const char *s)
{
        return !*s || plain_name(s);
}

bool name_is_port(const char *s)
{
        size_t len = strlen(s);
        bool letter = false;

        if (!len || len > 15 || s[0] == '-' || s[len - 1] == '-' || strstr(s, "--"))
                return false;
        for (size_t i = 0; i < len; i++) {
                if (!is_lower_digit(s[i]) && s[i] != '-')
                        return false;
                letter = letter || is_lower(s[i]);
        }
        return letter;
}

/* The address as Go prints it: without a colon it is one of IPv4. */
bool name_is_ipv4(const char *s)
{
        BUF_AUTO struct buf tidy = BUF_INIT;

        return ip_tidy(s, &tidy) && !strchr(tidy.s, ':');
}

bool name_is_ip(const char *s)
{
        BUF_AUTO struct buf tidy = BUF_INIT;

        return ip_tidy(s, &tidy);
}

/* Groups of `digits` hexadecimal digits with `sep` between: how many, 0 if the text is not so. */
static int hex_groups(const char *s, char sep, int digits)
{
        for (int groups = 1;; groups++) {
                for (int i = 0; i < digits; i++)
                        if (hex_value(*s++) < 0)
                                return 0;
                if (!*s)
                        return groups;
                if (*s++ != sep)
                        return 0;
        }
}

int name_mac_bytes(const char *s)
{
        size_t len = strlen(s);
        int bytes = 0;

        if (len >= 14 && (s[2] == ':' || s[2] == '-'))
                bytes = hex_groups(s, s[2], 2);
        else if (len >= 14 && s[4] == '.')
                bytes = hex_groups(s, '.', 4) * 2;
        return bytes == 6 || bytes == 8 || bytes == 20 ? bytes : 0;
}

/* The text follows the pattern: 'x' a hexadecimal digit, 'o' an octal one, the rest itself. */
static bool follows(const char *s, const char *pattern)
{
        for (; *pattern; pattern++, s++) {
                if (*pattern == 'x'   ? hex_value(*s) < 0
                    : *pattern == 'o' ? *s < '0' || *s > '7'
                                      : *s != *pattern)
                        return false;
        }
        return !*s;
}

bool name_is_image(const char *s)
{
        return *s && !strchr("-./", *s) &&
               !s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                            "-._:/@+%[]")];
}

bool name_is_pci(const char *s)
{
        return follows(s, "xxxx:xx:xx.o");
}

bool name_is_uuid(const char *s)
{
        return follows(s, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") ||
               follows(s, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

bool name_is_number(const char *s, long long *ret)
{
        char *end;

        if (!is_digit(s[*s == '-' || *s == '+']))
                return false;
        errno = 0;
        long long n = strtoll(s, &end, 10);

        if (errno != 0 || *end)
                return false;
        *ret = n;
        return true;
}

static bool is_base64(char c)
{
        return is_alnum(c) || c == '+' || c == '/';
}

long name_base64_length(const char *s)
{
        long digits = 0, pads = 0;

        for (; *s; s++) {
                if (*s == '\n' || *s == '\r')
                        continue;
                if (*s == '=')
                        pads++;
                else if (pads || !is_base64(*s))
                        return -1;
                else
                        digits++;
        }
        if ((digits + pads) % 4 || pads > 2)
                return -1;
        return (digits + pads) / 4 * 3 - pads;
}
