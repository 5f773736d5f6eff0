/* SPDX-License-Identifier: Apache-2.0 */
#include "scalar.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "json.h"

/* Go: resolveMapList. The third column is the number of SCALAR_NO_NUMBER. */
static const struct word {
        const char *text;
        enum scalar_kind kind;
        bool truth;
        double number;
} words[] = {
        { "", SCALAR_NULL, false, 0 },
        { "~", SCALAR_NULL, false, 0 },
        { "null", SCALAR_NULL, false, 0 },
        { "Null", SCALAR_NULL, false, 0 },
        { "NULL", SCALAR_NULL, false, 0 },
        { "true", SCALAR_BOOL, true, 0 },
        { "True", SCALAR_BOOL, true, 0 },
        { "TRUE", SCALAR_BOOL, true, 0 },
        { "false", SCALAR_BOOL, false, 0 },
        { "False", SCALAR_BOOL, false, 0 },
        { "FALSE", SCALAR_BOOL, false, 0 },
        { "y", SCALAR_BOOL, true, 0 },
        { "Y", SCALAR_BOOL, true, 0 },
        { "yes", SCALAR_BOOL, true, 0 },
        { "Yes", SCALAR_BOOL, true, 0 },
        { "YES", SCALAR_BOOL, true, 0 },
        { "on", SCALAR_BOOL, true, 0 },
        { "On", SCALAR_BOOL, true, 0 },
        { "ON", SCALAR_BOOL, true, 0 },
        { "n", SCALAR_BOOL, false, 0 },
        { "N", SCALAR_BOOL, false, 0 },
        { "no", SCALAR_BOOL, false, 0 },
        { "No", SCALAR_BOOL, false, 0 },
        { "NO", SCALAR_BOOL, false, 0 },
        { "off", SCALAR_BOOL, false, 0 },
        { "Off", SCALAR_BOOL, false, 0 },
        { "OFF", SCALAR_BOOL, false, 0 },
        { ".nan", SCALAR_NO_NUMBER, false, NAN },
        { ".NaN", SCALAR_NO_NUMBER, false, NAN },
        { ".NAN", SCALAR_NO_NUMBER, false, NAN },
        { ".inf", SCALAR_NO_NUMBER, false, INFINITY },
        { ".Inf", SCALAR_NO_NUMBER, false, INFINITY },
        { ".INF", SCALAR_NO_NUMBER, false, INFINITY },
        { "+.inf", SCALAR_NO_NUMBER, false, INFINITY },
        { "+.Inf", SCALAR_NO_NUMBER, false, INFINITY },
        { "+.INF", SCALAR_NO_NUMBER, false, INFINITY },
        { "-.inf", SCALAR_NO_NUMBER, false, -INFINITY },
        { "-.Inf", SCALAR_NO_NUMBER, false, -INFINITY },
        { "-.INF", SCALAR_NO_NUMBER, false, -INFINITY },
};

enum { WORD_MOST = 5 }; /* bytes of the longest */

static bool is_digit(char c)
{
        return c >= '0' && c <= '9';
}

static int digit_of(char c)
{
        return is_digit(c)            ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : 99;
}

/* Go's prefixes (strconv.ParseInt with base 0); *s moves behind it. */
static int read_base(const char **s)
{
        static const struct {
                char letter;
                int base;
        } prefixes[] = { { 'x', 16 }, { 'o', 8 }, { 'b', 2 } };
        const char *p = *s;

        if (p[0] != '0' || !p[1])
                return 10;
        for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
                if ((p[1] | 0x20) != prefixes[i].letter || !p[2])
                        continue;
                *s += 2;
                return prefixes[i].base;
        }
        ++*s;
        return 8;
}

static bool read_whole(const char *s, struct scalar *ret)
{
        bool sign = *s == '-' || *s == '+';
        bool negative = *s == '-';
        unsigned long long n = 0;

        s += sign;
        int base = read_base(&s);

        if (!*s)
                return false;
        for (; *s; s++) {
                int digit = digit_of(*s);

                if (digit >= base || __builtin_mul_overflow(n, (unsigned)base, &n) ||
                    __builtin_add_overflow(n, (unsigned)digit, &n))
                        return false;
        }
        if (sign && n > (unsigned long long)INT64_MAX + negative)
                return false;
        *ret = (struct scalar){ .kind = SCALAR_WHOLE, .negative = negative && n, .whole = n };
        return true;
}

static const char *skip_digits(const char *s)
{
        while (is_digit(*s))
                s++;
        return s;
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? and not too large for a double. */
static bool read_float(const char *text, struct scalar *ret)
{
        const char *s = text + (*text == '-' || *text == '+');
        const char *end = skip_digits(s);

        if (*end == '.') {
                bool bare = end == s;

                s = end + 1;
                end = skip_digits(s);
                if (bare && end == s)
                        return false;
        } else if (end == s) {
                return false;
        }
        if (*end == 'e' || *end == 'E') {
                s = end + 1;
                s += *s == '-' || *s == '+';
                end = skip_digits(s);
                if (end == s)
                        return false;
        }
        if (*end)
                return false;
        *ret = (struct scalar){ .kind = SCALAR_FLOAT, .number = strtod(text, NULL) };
        return isfinite(ret->number);
}

struct scalar scalar_resolve(const char *text)
{
        struct scalar s = { .kind = SCALAR_TEXT };

        for (size_t i = 0; i < ARRAY_LEN(words) && strlen(text) <= WORD_MOST; i++)
                if (strcmp(text, words[i].text) == 0)
                        return (struct scalar){ .kind = words[i].kind,
                                                .truth = words[i].truth,
                                                .number = words[i].number };
        if (!is_digit(*text) && !strchr("+-.", *text))
                return s;
        BUF_AUTO struct buf plain = BUF_INIT;

        for (const char *p = text; *p; p++)
                if (*p != '_')
                        buf_addc(&plain, *p);
        if (*text != '.' && read_whole(plain.s, &s))
                return s;
        if ((*text != '.' || plain.len == strlen(text)) && read_float(plain.s, &s))
                return s;
        return (struct scalar){ .kind = SCALAR_TEXT };
}

static jv whole_value(const struct scalar *s)
{
        char digits[24];
        int len = snprintf(digits, sizeof digits, "%s%llu", s->negative ? "-" : "", s->whole);

        return json_int_digits(digits, (size_t)len);
}

jv scalar_value(const struct scalar *s, const char *text)
{
        switch (s->kind) {
        case SCALAR_TEXT:
                return jv_string(text);
        case SCALAR_NULL:
                return jv_null();
        case SCALAR_BOOL:
                return jv_bool(s->truth);
        case SCALAR_WHOLE:
                return whole_value(s);
        case SCALAR_FLOAT:
                return jv_number(s->number);
        case SCALAR_NO_NUMBER:
                break;
        }
        return jv_invalid();
}

/* strconv.FormatFloat(f, 'g', -1, 32): the shortest text of the float, with an exponent from 10^6
 * on and below 10^-4. */
static void print_float_key(double d, struct buf *out)
{
        char text[40];
        int precision = 0;

        if (!(fabs(d) <= FLT_MAX)) {
                buf_adds(out, isnan(d) ? ".nan" : d < 0 ? "-.inf" : ".inf");
                return;
        }
        for (; precision < 9; precision++) {
                (void)snprintf(text, sizeof text, "%.*e", precision, (double)(float)d);
                if (strtof(text, NULL) == (float)d)
                        break;
        }
        int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);

        if (exponent < -4 || exponent >= 6)
                buf_adds(out, text);
        else
                buf_addf(out, "%.*f", precision > exponent ? precision - exponent : 0,
                         (double)(float)d);
}

bool scalar_key(const struct scalar *s, const char *text, struct buf *out)
{
        switch (s->kind) {
        case SCALAR_TEXT:
                buf_adds(out, text);
                return true;
        case SCALAR_NULL:
                return false;
        case SCALAR_BOOL:
                buf_adds(out, s->truth ? "true" : "false");
                return true;
        case SCALAR_WHOLE:
                buf_addf(out, "%s%llu", s->negative ? "-" : "", s->whole);
                return s->negative || s->whole <= INT64_MAX;
        case SCALAR_FLOAT:
        case SCALAR_NO_NUMBER:
                print_float_key(s->number, out);
                return true;
        }
        return false;
}
