/* SPDX-License-Identifier: Apache-2.0 */
#include "value.h"

#include "check.h"
#include "json.h"
#include "jvx.h"

struct sample {
        enum field_kind kind;
        unsigned flags;
        const char *in, *out; /* JSON; out NULL: refused */
        const char *says;
};

static const char *const words[] = { "on", "off", NULL };

static const struct sample samples[] = {
        { FIELD_TEXT, 0, "\"a\"", "\"a\"", "" },
        { FIELD_TEXT, 0, "1.5", "\"1.5\"",
          "the number 1.5 where a text belongs; write \"1.5\", in quotes" },
        { FIELD_TEXT, 0, "[]", NULL, "a list where a text belongs; write it in quotes" },
        { FIELD_BOOL, 0, "true", "true", "" },
        { FIELD_BOOL, 0, "0", NULL,
          "the number 0 where true or false belongs; write true or false, without quotes" },
        { FIELD_INT32, 0, "-2147483648", "-2147483648", "" },
        { FIELD_INT32, 0, "-2147483649", NULL,
          "-2147483649 is out of range; write a number from -2147483648 to 2147483647" },
        { FIELD_INT64, 0, "9223372036854775807", "9223372036854775807", "" },
        { FIELD_INT64, 0, "-9223372036854775808", "-9223372036854775808", "" },
        { FIELD_INT64, 0, "9223372036854775808", NULL,
          "9223372036854775808 is out of range; write a number from -9223372036854775808 to "
          "9223372036854775807" },
        { FIELD_UINT32, 0, "4294967295", "4294967295", "" },
        { FIELD_UINT32, 0, "4294967296", NULL,
          "4294967296 is out of range; write a number from 0 to 4294967295" },
        { FIELD_UINT64, 0, "18446744073709551615", "18446744073709551615", "" },
        { FIELD_UINT64, 0, "18446744073709551616", NULL,
          "18446744073709551616 is out of range; write a number from 0 to 18446744073709551615" },
        { FIELD_UINT64, 0, "-1", NULL,
          "-1 is out of range; write a number from 0 to 18446744073709551615" },
        { FIELD_UINT32, 0, "0.5", NULL, "0.5 is not a whole number; write one without a fraction" },
        { FIELD_UINT32, 0, "\"2\"", NULL,
          "the text \"2\" where a whole number belongs; write digits only, without quotes or "
          "unit" },
        { FIELD_QUANTITY, 0, "\"0.5\"", "\"500m\"", "" },
        { FIELD_QUANTITY, 0, "9007199254740993", "\"9007199254740993\"", "" },
        { FIELD_QUANTITY, 0, "\"1 Gi\"", NULL,
          "the text \"1 Gi\" is no quantity; write an amount like 500m, 2 or 4Gi" },
        { FIELD_QUANTITY, 0, "{}", NULL,
          "an object where a quantity belongs; write an amount like 500m, 2 or 4Gi" },
        { FIELD_INT_OR_STRING, 0, "\"ssh\"", "\"ssh\"", "" },
        { FIELD_INT_OR_STRING, 0, "22", "22", "" },
        { FIELD_INT_OR_STRING, 0, "false", NULL,
          "false where a number or a name belongs; write one of them" },
        { FIELD_TIME, 0, "\"2026-01-31T12:00:00Z\"", "\"2026-01-31T12:00:00Z\"", "" },
        { FIELD_TIME, 0, "\"2026-01-31T12:00:00.25+01:30\"", "\"2026-01-31T12:00:00.25+01:30\"",
          "" },
        { FIELD_TIME, 0, "\"2026-01-31\"", NULL,
          "\"2026-01-31\" is no time; write it like 2026-01-31T12:00:00Z" },
        { FIELD_TIME, 0, "\"2026-01-31T12:00:00.Z\"", NULL,
          "\"2026-01-31T12:00:00.Z\" is no time; write it like 2026-01-31T12:00:00Z" },
        { FIELD_TIME, 0, "\"2026-01-31T12:00:00+1:30\"", NULL,
          "\"2026-01-31T12:00:00+1:30\" is no time; write it like 2026-01-31T12:00:00Z" },
        { FIELD_TIME, 0, "7", NULL,
          "the number 7 where a time belongs; write it like 2026-01-31T12:00:00Z" },
        { FIELD_TEXT, F_IP, "\"010.1.2.3\"", "\"10.1.2.3\"", "" },
        { FIELD_TEXT, F_IP, "\"none\"", "\"none\"", "" },
        { FIELD_TEXT, F_CIDR, "\"010.0.2.0/24\"", "\"10.0.2.0/24\"", "" },
};

static const struct sample choices[] = {
        { FIELD_TEXT, 0, "\"on\"", "\"on\"", "" },
        { FIELD_TEXT, 0, "\"\"", "\"\"", "" },
        { FIELD_TEXT, 0, "\"On\"", "\"On\"", "\"On\" is not known here; use on or off" },
        { FIELD_TEXT, F_LAX, "\"On\"", "\"On\"", "\"On\" is not known here; use on or off" },
        { FIELD_TEXT, F_RULED, "\"On\"", "\"On\"", "" },
};

static void check_sample(const struct sample *s, const char *const *among)
{
        const struct field f = { "f", s->kind, s->flags, NULL, among };
        struct diag d = { .style = { .strict = SEVERITY_ERROR, .admission = SEVERITY_ERROR } };
        BUF_AUTO struct buf out = BUF_INIT;
        JVX_AUTO jv v = *s->in == '-' || (*s->in >= '0' && *s->in <= '9' && !strchr(s->in, '.'))
                                ? json_int_digits(s->in, strlen(s->in))
                                : jv_parse(s->in);

        diag_begin(&d, "t", 0, NULL, NULL);
        bool kept = value_decode(&v, &f, AT(NULL, "f"), &d);

        CHECK(kept == (s->out != NULL));
        json_print(&v, &out);
        if (kept)
                CHECK_STR(out.s, s->out);
        CHECK(d.n == (*s->says != '\0'));
        if (d.n) {
                CHECK_STR(d.messages[0].text, s->says);
                CHECK_STR(d.messages[0].path, "f");
                free(d.messages[0].text);
                free(d.messages[0].path);
        }
        diag_release(&d);
}

int main(void)
{
        for (size_t i = 0; i < ARRAY_LEN(samples); i++)
                check_sample(&samples[i], NULL);
        for (size_t i = 0; i < ARRAY_LEN(choices); i++)
                check_sample(&choices[i], words);
        CHECK_STR(value_wanted(FIELD_QUANTITY), "a quantity");
        return 0;
}
