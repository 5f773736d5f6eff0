/* SPDX-License-Identifier: Apache-2.0 */
/* What is expected was read off ParseQuantity and CanonicalizeBytes (apimachinery 0.34). */
#include "quantity.h"

#include <limits.h>

#include "array.h"
#include "check.h"
#include "json.h"
#include "jvx.h"

static void print(struct quantity q, char *text, size_t size)
{
        BUF_AUTO struct buf b = BUF_INIT;

        quantity_print(q, &b);
        (void)snprintf(text, size, "%s", b.s);
}

/* Text in, text out: as written, or in canonical form. */
static const char *const texts[][2] = {
        /* canonical already */
        { "0", "0" },
        { "1", "1" },
        { "500m", "500m" },
        { "1Gi", "1Gi" },
        { "12E", "12E" },
        { "100k", "100k" },
        { "1e3", "1e3" },
        { "1500m", "1500m" },
        { "5n", "5n" },
        { "4u", "4u" },
        { "3Ei", "3Ei" },
        { "100Ti", "100Ti" },
        { "-1Gi", "-1Gi" },
        { "1025Ki", "1025Ki" },
        { "9223372036854775807", "9223372036854775807" },
        /* brought there */
        { "0.5", "500m" },
        { "1.5", "1500m" },
        { "1024Mi", "1Gi" },
        { "1.5Gi", "1536Mi" },
        { "1000m", "1" },
        { "2000", "2k" },
        { "1000000k", "1G" },
        { "0.1Ki", "102400m" },
        { "100.035Ki", "102435840m" },
        { "0.5Mi", "512Ki" },
        { "512", "512" },
        { "1024", "1024" },
        { "0.05Gi", "53687091200m" },
        { "12e4", "120e3" },
        { "1.3E+6", "1300e3" },
        { "0.5e-9", "1e-9" },
        { "1024Ki", "1Mi" },
        { "00", "0" },
        { "0Gi", "0" },
        { "-0", "0" },
        { "0e5", "0" },
        { ".5", "500m" },
        { "1.0", "1" },
        { "2.000", "2" },
        { "1000Ki", "1000Ki" },
        { "0.001Ki", "1024m" },
        { "1.5Ki", "1536" },
        { "16Ki", "16Ki" },
        { "0.5Ki", "512" },
        { "-1.5Gi", "-1536Mi" },
        { "-0.5", "-500m" },
        { "-512Ki", "-512Ki" },
        { "1000e0", "1e3" },
        { "1000e-3", "1" },
        { "123456789012345678901n", "123456789012345678901n" },
        { "1.0000000000000000000", "1" },
        { "1000E", "1000E" },
        /* Go keeps the text of these, canonical or not */
        { "+1Gi", "+1Gi" },
        { "+1", "+1" },
        { "01", "01" },
        { "5.", "5." },
        { "1.250", "1.250" },
        { "1E3", "1E3" },
        { "1e+3", "1e+3" },
        { "1e0", "1e0" },
        { "1.234k", "1.234k" },
        { "1e30", "1e30" },
        { "007Mi", "007Mi" },
        /* ... and not of these, which look the same */
        { "+8Gi", "8Gi" },
        { "+1000", "1k" },
        { "0.250", "250m" },
        { "+100Ti", "100Ti" },
        { "+1.5Gi", "1536Mi" },
        { "+1Pi", "1Pi" },
        /* rounded up, away from zero */
        { "3.001n", "4n" },
        { "1.1E-9", "2e-9" },
        { "0.0000000001", "1n" },
        { "0.9n", "1n" },
        { "-0.9n", "-1n" },
        { "0.00000012345", "124n" },
        { "1e-400", "1e-9" },
        { "0.000000000001Ki", "2n" },
        { "0.00000000000000000000000000000000000001Ei", "1n" },
        /* capped */
        { "9Ei", "9223372036854775807" },
        { "-9Ei", "-9223372036854775807" },
        { "9223372036854775807Ki", "9223372036854775807" },
        { "8Ei", "9223372036854775807" },
        { "99999999999999999999999999999999999999999999Ei", "9223372036854775807" },
        /* written by trolls */
        { ".", "0" },
        { "-", "0" },
        { "+", "0" },
        { "Ki", "0" },
        { "k", "0" },
        { "e5", "0" },
        { "-.", "0" },
        { "1.G", "1.G" },
        { ".001", "1m" },
        { ".0001k", "100m" },
        { "1e4294967296", "1e4294967296" },
        { "0e999999999", "0" },
};

static void test_text(void)
{
        for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
                struct quantity q;
                char text[80];

                if (!quantity_parse(texts[i][0], &q)) {
                        fprintf(stderr, "%s is no quantity\n", texts[i][0]);
                        exit(1);
                }
                print(q, text, sizeof text);
                CHECK_STR(text, texts[i][1]);
        }
}

static void test_refused(void)
{
        static const char *const bad[] = {
                "",
                " 1",
                "1 ",
                "1.1.M",
                "1+1.0M",
                "0.1mi",
                "0.1am",
                "aoeu",
                ".5i",
                "1i",
                "-3.01i",
                "-3.01e-",
                "1e",
                "1e+",
                "1e1.5",
                "1K",
                "1KI",
                "1ki",
                "1gi",
                "1GB",
                "1GiB",
                "1Gi ",
                "--1",
                "+-1",
                "0x10",
                "1_000",
                "1,5",
                "Pi",
                "Ei",
                ".e-20",
                "1e99999999999999999999",
                "1\n",
                "1\nExecStart=/bin/sh",
                "inf",
                "nan",
                "1Ee5",
                "1 Gi",
                "1n1",
                "1m-3",
        };
        struct quantity q = { .nano = 7 };

        for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
                if (quantity_parse(bad[i], &q)) {
                        fprintf(stderr, "'%s' was taken for a quantity\n", bad[i]);
                        exit(1);
                }
        }
        CHECK(q.nano == 7);
}

static void test_format(void)
{
        static const struct {
                const char *text;
                enum quantity_format format;
        } cases[] = {
                { "0", QUANTITY_DECIMAL_SI },         { "0Ki", QUANTITY_BINARY_SI },
                { "1E", QUANTITY_DECIMAL_SI },        { "1E-3", QUANTITY_DECIMAL_EXPONENT },
                { "1e3", QUANTITY_DECIMAL_EXPONENT }, { "0.5Mi", QUANTITY_BINARY_SI },
                { "0.0001Ki", QUANTITY_DECIMAL_SI },  { "9Ei", QUANTITY_BINARY_SI },
                { "-0.0001Ki", QUANTITY_DECIMAL_SI },
        };

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
                struct quantity q;

                CHECK(quantity_parse(cases[i].text, &q));
                CHECK(q.format == cases[i].format);
        }
}

static struct quantity parse(const char *text)
{
        struct quantity q;

        CHECK(quantity_parse(text, &q));
        return q;
}

static void test_values(void)
{
        CHECK(quantity_value(parse("0.1")) == 1);
        CHECK(quantity_value(parse("-0.1")) == -1);
        CHECK(quantity_value(parse("1.5Gi")) == 1536LL << 20);
        CHECK(quantity_value(parse("9Ei")) == LLONG_MAX);
        CHECK(quantity_value(parse("9.223372036854775807E")) == LLONG_MAX);
        CHECK(quantity_value(parse("12E")) == 0);
        CHECK(quantity_value(parse("1e4294967296")) == 1);
        CHECK(quantity_milli_value(parse("1.5")) == 1500);
        CHECK(quantity_milli_value(parse("1u")) == 1);
        CHECK(quantity_milli_value(parse("-1001u")) == -2);
        CHECK(quantity_milli_value(parse("1E")) == 0);
        CHECK(quantity_is_zero(parse("0Gi")));
        CHECK(!quantity_is_zero(parse("1n")));
}

static void test_compare(void)
{
        CHECK(quantity_compare(parse("100m"), parse("50m")) == 1);
        CHECK(quantity_compare(parse("50m"), parse("100m")) == -1);
        CHECK(quantity_compare(parse("1Gi"), parse("1024Mi")) == 0);
        CHECK(quantity_compare(parse("10000T"), parse("100Gi")) == 1);
        CHECK(quantity_compare(parse("-1"), parse("0")) == -1);
        CHECK(quantity_compare(parse("+1"), parse("1")) == 0);
        CHECK(quantity_compare(parse("1e30"), parse("9Ei")) == 1);
}

static void test_arithmetic(void)
{
        char text[80];

        print(quantity_add(parse("1Gi"), parse("1M")), text, sizeof text);
        CHECK_STR(text, "1074741824");
        print(quantity_add(parse("0"), parse("1Gi")), text, sizeof text);
        CHECK_STR(text, "1Gi");
        print(quantity_add(parse("+1Gi"), parse("0")), text, sizeof text);
        CHECK_STR(text, "1Gi");
        print(quantity_add(parse("100m"), parse("0.9")), text, sizeof text);
        CHECK_STR(text, "1");
        print(quantity_subtract(parse("0"), parse("1Gi")), text, sizeof text);
        CHECK_STR(text, "-1Gi");
        print(quantity_subtract(parse("1Gi"), parse("1023Mi")), text, sizeof text);
        CHECK_STR(text, "1Mi");
        print(quantity_add(parse("9Ei"), parse("9Ei")), text, sizeof text);
        CHECK_STR(text, "18446744073709551614");
        struct quantity q = parse("1e40");

        for (int i = 0; i < 200; i++)
                q = quantity_add(q, q);
        CHECK(quantity_compare(q, parse("1e40")) == 0);
        print(quantity_units(3072, QUANTITY_BINARY_SI), text, sizeof text);
        CHECK_STR(text, "3Ki");
        print(quantity_units(LLONG_MIN, QUANTITY_DECIMAL_SI), text, sizeof text);
        CHECK_STR(text, "-9223372036854775808");
        print(quantity_milli(2500, QUANTITY_DECIMAL_SI), text, sizeof text);
        CHECK_STR(text, "2500m");
        print(quantity_milli(1500, QUANTITY_BINARY_SI), text, sizeof text);
        CHECK_STR(text, "1500m");
}

/* From JSON: texts, numbers, and what is neither. */
static void test_json(void)
{
        JVX_AUTO jv o = jvx_build("{text: ' 1024Mi ', whole: 2048, list: [], no: null}");
        struct quantity q;

        jvx_set(&o, "half", jv_number(0.5));
        jvx_set(&o, "big", json_int_digits("9007199254740993", 16));
        jvx_set(&o, "huge", jv_number(1e21));
        CHECK(quantity_of(ref_at(ref_of(&o), "text"), &q));
        JVX_AUTO jv text = quantity_text(q);
        CHECK_STR(jv_string_value(text), "1Gi");
        CHECK(quantity_of(ref_at(ref_of(&o), "whole"), &q) && quantity_value(q) == 2048);
        CHECK(quantity_of(ref_at(ref_of(&o), "half"), &q) && quantity_milli_value(q) == 500);
        CHECK(quantity_of(ref_at(ref_of(&o), "big"), &q) && quantity_value(q) == 9007199254740993);
        CHECK(quantity_of(ref_at(ref_of(&o), "huge"), &q));
        CHECK(q.format == QUANTITY_DECIMAL_EXPONENT);
        CHECK(!quantity_of(ref_at(ref_of(&o), "list"), &q));
        CHECK(!quantity_of(ref_at(ref_of(&o), "no"), &q));
        CHECK(!quantity_of(ref_at(ref_of(&o), "absent"), &q));
        CHECK(quantity_is_zero(quantity_or_zero(ref_at(ref_of(&o), "absent"))));
}

int main(void)
{
        test_text();
        test_refused();
        test_format();
        test_values();
        test_compare();
        test_arithmetic();
        test_json();
        return 0;
}
