/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <limits.h>
#include <stddef.h>

#include "array.h"
#include "check.h"

struct row {
        const char *text;
        int want;
};

/* Every text against the function. */
#define TRY(function, rows)                                                                        \
        do {                                                                                       \
                for (size_t i = 0; i < ARRAY_LEN(rows); i++)                                       \
                        if ((int)function((rows)[i].text) != (rows)[i].want) {                     \
                                fprintf(stderr, "%s(%s) is not %d\n", #function, (rows)[i].text,   \
                                        (rows)[i].want);                                           \
                                exit(1);                                                           \
                        }                                                                          \
        } while (0)

#define TEN   "0123456789"
#define SIXTY TEN TEN TEN TEN TEN TEN

/* NOLINTNEXTLINE(readability-function-cognitive-complexity): CHECK is an if */
static void labels(void)
{
        static const struct row label[] = {
                { "a", 1 },          { "0", 1 },        { "a-b", 1 }, { "", 0 },
                { "-a", 0 },         { "a-", 0 },       { "A", 0 },   { "a.b", 0 },
                { "a_b", 0 },        { "a b", 0 },      { "a\n", 0 }, { SIXTY "abc", 1 },
                { SIXTY "abcd", 0 }, { "\xc3\xa9", 0 },
        };
        static const struct row subdomain[] = {
                { "a.b.c", 1 },
                { "a", 1 },
                { "", 0 },
                { ".", 0 },
                { "a.", 0 },
                { ".a", 0 },
                { "a..b", 0 },
                { "a.-b", 0 },
                { "A.b", 0 },
                /* a part may be longer than a label */
                { SIXTY SIXTY, 1 },
                { SIXTY SIXTY SIXTY SIXTY "0123456789abc", 1 },
                { SIXTY SIXTY SIXTY SIXTY "0123456789abcd", 0 },
        };
        static const struct row key[] = {
                { "app", 1 },
                { "App_1.x-y", 1 },
                { "example.com/app", 1 },
                { "/app", 0 },
                { "a/", 0 },
                { "a/b/c", 0 },
                { "Example.com/a", 0 },
                { "_a", 0 },
                { "a_", 0 },
                { "", 0 },
                { "a b", 0 },
                { SIXTY "abc", 1 },
                { SIXTY "abcd", 0 },
        };
        static const struct row value[] = { { "", 1 },   { "a", 1 },   { "A.b-c_d", 1 },
                                            { "-a", 0 }, { "a/b", 0 }, { SIXTY "abcd", 0 } };
        static const struct row port[] = { { "http", 1 },
                                           { "a-1", 1 },
                                           { "", 0 },
                                           { "80", 0 },
                                           { "-a", 0 },
                                           { "a-", 0 },
                                           { "a--b", 0 },
                                           { "Http", 0 },
                                           { "abcdefghijklm-9", 1 },
                                           { "abcdefghijklmn-9", 0 } };

        TRY(name_is_label, label);
        TRY(name_is_subdomain, subdomain);
        TRY(name_is_label_key, key);
        TRY(name_is_label_value, value);
        TRY(name_is_port, port);
}

/* NOLINTNEXTLINE(readability-function-cognitive-complexity): CHECK is an if */
static void addresses(void)
{
        static const struct row ipv4[] = {
                { "192.0.2.1", 1 },       { "192.000.002.001", 1 },
                { "255.255.255.255", 1 }, { "256.0.0.1", 0 },
                { "1.2.3", 0 },           { "1.2.3.4.5", 0 },
                { "1.2.3.4 ", 0 },        { "", 0 },
                { "1..2.3", 0 },          { "99999999999.1.1.1", 0 },
        };
        static const struct row ip[] = { { "192.0.2.1", 1 },    { "2001:db8::53", 1 }, { "::", 1 },
                                         { "fe80::1%eth0", 0 }, { "ns.example", 0 },   { "", 0 } };
        static const struct row mac[] = {
                { "52:54:00:12:34:56", 6 },
                { "52-54-00-AB-cd-ef", 6 },
                { "5254.00ab.cdf0", 6 },
                { "52:54:00:12:34", 0 },
                { "52:54-00:12:34:56", 0 },
                { "52:54:00:12:34:5g", 0 },
                { "525400123456", 0 },
                { "", 0 },
                { "52:54:00:12:34:56:", 0 },
                { "52-54-00-ff-fe-12-34-56", 8 },
                { "0102.0304.0506.0708", 8 },
                { "00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01", 20 },
        };
        static const struct row pci[] = { { "0000:81:00.1", 1 },  { "0000:0A:1f.7", 1 },
                                          { "0000:81:00.8", 0 },  { "81:00.1", 0 },
                                          { "0000:81:00.1 ", 0 }, { "", 0 } };
        static const struct row uuid[] = { { "5d307ca9-b3ef-428c-8861-06e72d69f223", 1 },
                                           { "5d307ca9b3ef428c886106e72d69f223", 1 },
                                           { "5d307ca9-b3ef-428c-8861-06e72d69f22", 0 },
                                           { "not-a-uuid", 0 },
                                           { "", 0 } };

        TRY(name_is_ipv4, ipv4);
        TRY(name_is_ip, ip);
        TRY(name_mac_bytes, mac);
        TRY(name_is_pci, pci);
        TRY(name_is_uuid, uuid);
}

static void images(void)
{
        static const struct row rows[] = {
                { "a", 1 },
                { "example.com/a/b:1.0", 1 },
                { "[::1]:5000/a@sha256:0f", 1 },
                { "A_b-c.d+e%f", 1 },
                { "", 0 },
                { "-a", 0 },
                { ".a", 0 },
                { "/a", 0 },
                { "a b", 0 },
                { "a\nb", 0 },
                { "a,b", 0 },
                { "$a", 0 },
                { "caf\xC3\xA9", 0 },
        };

        TRY(name_is_image, rows);
}

static void base64(void)
{
        static const struct row rows[] = { { "", 0 },      { "YQ==", 1 },       { "YWI=", 2 },
                                           { "YWJj", 3 },  { "YW\nJj\r\n", 3 }, { "YQ", -1 },
                                           { "YQ=", -1 },  { "Y===", -1 },      { "YQ==YQ==", -1 },
                                           { "Y Q=", -1 }, { "Y_Q=", -1 },      { "=", -1 } };

        TRY(name_base64_length, rows);
}

/* The number (the largest as 63), or -1; -2 where the function leaves something behind with false.
 */
static int number_of(const char *s)
{
        long long n = -7;

        if (name_is_number(s, &n))
                return n == LLONG_MAX ? 63 : (int)n;
        return n == -7 ? -1 : -2;
}

static void numbers(void)
{
        static const struct row rows[] = { { "2", 2 },
                                           { "+07", 7 },
                                           { "-5", -5 },
                                           { "0000000000000000000000002", 2 },
                                           { "9223372036854775807", 63 },
                                           { "9223372036854775808", -1 },
                                           { "", -1 },
                                           { "+", -1 },
                                           { "--1", -1 },
                                           { " 1", -1 },
                                           { "1 ", -1 },
                                           { "0x10", -1 } };

        TRY(number_of, rows);
}

int main(void)
{
        labels();
        addresses();
        images();
        base64();
        numbers();
        return 0;
}
