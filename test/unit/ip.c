/* SPDX-License-Identifier: Apache-2.0 */
#include "ip.h"

#include <stddef.h>

#include "check.h"

struct pair {
        const char *text, *want; /* NULL: no address */
};

static void tidied(bool (*tidy)(const char *, struct buf *), const struct pair *pairs, size_t n)
{
        for (size_t i = 0; i < n; i++) {
                struct buf got = BUF_INIT;
                bool is = tidy(pairs[i].text, &got);

                if (is != (pairs[i].want != NULL))
                        fprintf(stderr, "\"%s\"\n", pairs[i].text);
                CHECK(is == (pairs[i].want != NULL));
                CHECK_STR(got.s, pairs[i].want ? pairs[i].want : "");
                buf_release(&got);
        }
}

static void addresses(void)
{
        static const struct pair pairs[] = {
                { "10.1.2.3", "10.1.2.3" },
                { "010.001.002.003", "10.1.2.3" },
                { "0000000000255.0.0.00", "255.0.0.0" },
                { "256.1.2.3", NULL },
                { "99999999999999999999.1.2.3", NULL },
                { "1.2.3", NULL },
                { "1.2.3.4.5", NULL },
                { "1..3.4", NULL },
                { "1.2.3.", NULL },
                { ".1.2.3", NULL },
                { "1.2.3.4 ", NULL },
                { "-1.2.3.4", NULL },
                { "0x1.2.3.4", NULL },
                { "", NULL },
                { "1234", NULL },
                { "localhost", NULL },
                { "ntp.example.com", NULL },
                { "::", "::" },
                { "::1", "::1" },
                { "1::", "1::" },
                { "2001:DB8:0:0:0:0:0:1", "2001:db8::1" },
                { "2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1" },
                { "2001:0:0:1:0:0:0:1", "2001:0:0:1::1" },
                { "2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1" },
                { "1:0:0:0:0:0:0:0", "1::" },
                { "0:0:0:0:0:0:0:1", "::1" },
                { "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8" },
                { "000001::2", "1::2" },
                { "::ffff:10.1.2.3", "10.1.2.3" },
                { "::FFFF:0a01:0203", "10.1.2.3" },
                { "::1.2.3.4", "::102:304" },
                { "64:ff9b::010.0.0.1", "64:ff9b::a00:1" },
                { "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304" },
                { "1:2:3:4:5:6:7:1.2.3.4", NULL },
                { "1.2.3.4::", NULL },
                { "1:1.2.3.4::", NULL },
                { "1:2:3:4:5:6:7:8:9", NULL },
                { "1:2:3:4::5:6:7:8", NULL },
                { "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0" },
                { "::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8" },
                { "1:2:3:4:5:6:7", NULL },
                { "1::2::3", NULL },
                { ":::", NULL },
                { ":", NULL },
                { "1:", NULL },
                { ":1", NULL },
                { "12345::", NULL },
                { "g::", NULL },
                { "fe80::1%eth0", NULL },
        };

        tidied(ip_tidy, pairs, sizeof pairs / sizeof *pairs);
}

static void prefixes(void)
{
        static const struct pair pairs[] = {
                { "10.11.0.0/24", "10.11.0.0/24" },
                { "010.011.000.001/024", "10.11.0.1/24" },
                { "10.11.0.0/33", NULL },
                { "10.11.0.0/", NULL },
                { "10.11.0.0", NULL },
                { "10.11.0.0/-1", NULL },
                { "10.11.0.0/0", "10.11.0.0/0" },
                { "10.11.0/24", NULL },
                { "10.11.0.0/2/4", NULL },
                { "FD10:0:2::0/120", "fd10:0:2::/120" },
                { "fd10::/129", NULL },
                { "/24", NULL },
                { "1234/5.6.7.8", NULL },
                { "", NULL },
        };

        tidied(ip_tidy_cidr, pairs, sizeof pairs / sizeof *pairs);
}

int main(void)
{
        addresses();
        prefixes();
        return 0;
}
