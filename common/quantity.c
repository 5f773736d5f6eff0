/* SPDX-License-Identifier: Apache-2.0 */
#include "quantity.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "json.h"

#define NANO 1000000000
#define CAP  ((quantity_nano)INT64_MAX * NANO)
/* Two of them still add up without overflow, and one times ten does. */
#define MOST ((quantity_nano)1000000000000000000 * 1000000000000000000 * 10)

/* The exponents that have a suffix; Go: newSuffixer() in suffix.go. */
static const struct suffix {
        const char *text;
        enum quantity_format format;
        int exponent;
} suffixes[] = {
        { "n", QUANTITY_DECIMAL_SI, -9 }, { "u", QUANTITY_DECIMAL_SI, -6 },
        { "m", QUANTITY_DECIMAL_SI, -3 }, { "", QUANTITY_DECIMAL_SI, 0 },
        { "k", QUANTITY_DECIMAL_SI, 3 },  { "M", QUANTITY_DECIMAL_SI, 6 },
        { "G", QUANTITY_DECIMAL_SI, 9 },  { "T", QUANTITY_DECIMAL_SI, 12 },
        { "P", QUANTITY_DECIMAL_SI, 15 }, { "E", QUANTITY_DECIMAL_SI, 18 },
        { "Ki", QUANTITY_BINARY_SI, 10 }, { "Mi", QUANTITY_BINARY_SI, 20 },
        { "Gi", QUANTITY_BINARY_SI, 30 }, { "Ti", QUANTITY_BINARY_SI, 40 },
        { "Pi", QUANTITY_BINARY_SI, 50 }, { "Ei", QUANTITY_BINARY_SI, 60 },
};

/* A text taken apart. Digits are counted without leading zeros before the point. */
struct parts {
        bool negative;
        const char *whole, *fraction;
        size_t n_whole, n_fraction;
        bool no_digit;
        enum quantity_format format;
        long exponent; /* of 10, or of 2 for a binary suffix */
};

static quantity_nano times(quantity_nano a, quantity_nano b)
{
        quantity_nano product;

        return __builtin_mul_overflow(a, b, &product) || product > MOST ? MOST : product;
}

static const char *skip_digits(const char *s)
{
        while (*s >= '0' && *s <= '9')
                s++;
        return s;
}

/* Behind "e" or "E"; Go keeps the low 32 bits of a 64-bit exponent. */
static bool read_exponent(const char *s, long *ret)
{
        char *end;
        const char *digits = s + (*s == '+' || *s == '-');

        if (skip_digits(digits) == digits)
                return false;
        errno = 0;
        long long n = strtoll(s, &end, 10);

        *ret = (int32_t)(uint32_t)(unsigned long long)n;
        return *end == '\0' && errno == 0;
}

static bool read_suffix(const char *s, struct parts *p)
{
        for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
                if (strcmp(s, suffixes[i].text) != 0)
                        continue;
                p->format = suffixes[i].format;
                p->exponent = suffixes[i].exponent;
                return true;
        }
        p->format = QUANTITY_DECIMAL_EXPONENT;
        return (*s == 'e' || *s == 'E') && read_exponent(s + 1, &p->exponent);
}

static bool take_apart(const char *s, struct parts *p)
{
        if (!*s)
                return false;
        p->negative = *s == '-';
        s += *s == '-' || *s == '+';
        const char *first = s;

        while (*s == '0')
                s++;
        p->whole = s;
        s = skip_digits(s);
        p->n_whole = (size_t)(s - p->whole);
        p->fraction = s;
        p->no_digit = s == first;
        if (*s == '.') {
                p->fraction = ++s;
                s = skip_digits(s);
        }
        p->n_fraction = (size_t)(s - p->fraction);
        p->no_digit = p->no_digit && p->n_fraction == 0;
        return read_suffix(s, p);
}

static int digit(const struct parts *p, size_t i)
{
        if (i < p->n_whole)
                return p->whole[i] - '0';
        i -= p->n_whole;
        return i < p->n_fraction ? p->fraction[i] - '0' : 0;
}

/*
 * The amount in nano units, without its sign. Digits before `point` count `unit` each step ten
 * times as much; those behind it are added up from the last one on, so that what is cut off
 * (`more`) is known to be something or nothing whatever the number of digits.
 */
static quantity_nano amount_of(const struct parts *p)
{
        bool binary = p->format == QUANTITY_BINARY_SI;
        quantity_nano unit = binary ? (quantity_nano)NANO << p->exponent : 1;
        quantity_nano whole = 0, rest = 0;
        long n = (long)(p->n_whole + p->n_fraction);
        long point = (long)p->n_whole + (binary ? 0 : p->exponent + 9);
        bool more = false;

        for (long i = 0; i < point && whole < MOST && (whole || i < n); i++)
                whole = times(whole, 10) + digit(p, (size_t)i);
        for (long i = n - 1; i >= 0 && i >= point; i--) {
                rest += digit(p, (size_t)i) * unit;
                more = more || rest % 10;
                rest /= 10;
        }
        for (long i = point; i < 0 && rest; i++) {
                more = more || rest % 10;
                rest /= 10;
        }
        whole = times(whole, unit) + rest + more;
        return whole > MOST ? MOST : whole;
}

/* What Go reads without big numbers; only such a text may be kept. */
static bool is_short(const struct parts *p)
{
        long whole = p->n_whole ? (long)p->n_whole : 1; /* "" counts as "0" */
        long fraction = (long)p->n_fraction;

        if (p->format == QUANTITY_BINARY_SI)
                return fraction == 0 && 14 - whole - p->exponent * 3 / 10 >= 0;
        return whole + fraction <= 18 && p->exponent - fraction >= -9;
}

/* Go's test for "is printed as it was written": ParseQuantity, where it sets s. */
static bool is_kept(const struct parts *p)
{
        long n = (long)(p->n_whole + p->n_fraction);

        if (!is_short(p) || p->n_whole == 0)
                return false;
        if (p->format == QUANTITY_BINARY_SI) /* eight divides 1000, so the last three digits do */
                return (digit(p, (size_t)(n - 1)) + (n > 1 ? 10 * digit(p, (size_t)(n - 2)) : 0) +
                        (n > 2 ? 100 * digit(p, (size_t)(n - 3)) : 0)) %
                               8 !=
                       0;
        bool thousand = n > 2 && !digit(p, (size_t)(n - 1)) && !digit(p, (size_t)(n - 2)) &&
                        !digit(p, (size_t)(n - 3));

        return !thousand && (p->exponent - (long)p->n_fraction) % 3 == 0;
}

bool quantity_parse(const char *text, struct quantity *ret)
{
        struct parts p;

        if (!take_apart(text, &p) || (p.no_digit && !is_short(&p)))
                return false;
        struct quantity q = { .nano = amount_of(&p), .format = p.format };

        if (p.format == QUANTITY_BINARY_SI && q.nano > CAP)
                q.nano = CAP;
        if (p.format == QUANTITY_BINARY_SI && q.nano > 0 && q.nano < NANO)
                q.format = QUANTITY_DECIMAL_SI;
        if (p.negative)
                q.nano = -q.nano;
        if (is_kept(&p) && strlen(text) < sizeof q.text)
                memcpy(q.text, text, strlen(text) + 1);
        *ret = q;
        return true;
}

bool quantity_of(struct ref value, struct quantity *ret)
{
        BUF_AUTO struct buf b = BUF_INIT;
        const char *s = ref_str(value);

        if (ref_kind(value) == JV_KIND_NUMBER) {
                json_print(&value.v, &b);
        } else if (s) {
                s += strspn(s, " ");
                buf_adds(&b, s);
                while (b.len && b.s[b.len - 1] == ' ')
                        b.s[--b.len] = '\0';
        }
        return quantity_parse(b.s, ret);
}

struct quantity quantity_or_zero(struct ref value)
{
        struct quantity q = { .format = QUANTITY_DECIMAL_SI };

        (void)quantity_of(value, &q);
        return q;
}

struct quantity quantity_units(long long n, enum quantity_format format)
{
        return (struct quantity){ .nano = (quantity_nano)n * NANO, .format = format };
}

struct quantity quantity_milli(long long n, enum quantity_format format)
{
        return (struct quantity){ .nano = (quantity_nano)n * (NANO / 1000), .format = format };
}

/* --- printing ------------------------------------------------------------------------------- */

static void print_whole(quantity_nano n, struct buf *out)
{
        char digits[48], *p = digits + sizeof digits;
        bool negative = n < 0;

        if (negative)
                n = -n;
        *--p = '\0';
        do
                *--p = (char)('0' + (int)(n % 10));
        while ((n /= 10) != 0);
        if (negative)
                *--p = '-';
        buf_adds(out, p);
}

static const char *suffix_of(enum quantity_format format, int exponent)
{
        for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
                if (suffixes[i].format == format && suffixes[i].exponent == exponent)
                        return suffixes[i].text;
        return "";
}

/* The exponent as large as the digits allow; beyond 10^18 there is no suffix (for 1000E Go prints
 * "1", without any; we don't). */
static void print_decimal(quantity_nano n, enum quantity_format format, struct buf *out)
{
        int exponent = -9;

        while (n % 1000 == 0 && (exponent < 18 || format == QUANTITY_DECIMAL_EXPONENT)) {
                n /= 1000;
                exponent += 3;
        }
        print_whole(n, out);
        if (format == QUANTITY_DECIMAL_SI)
                buf_adds(out, suffix_of(format, exponent));
        else if (exponent)
                buf_addf(out, "e%d", exponent);
}

static void print_binary(quantity_nano n, struct buf *out)
{
        int exponent = 0;

        for (; exponent < 60 && n % 1024 == 0; exponent += 10)
                n /= 1024;
        print_whole(n, out);
        buf_adds(out, suffix_of(QUANTITY_BINARY_SI, exponent));
}

void quantity_print(struct quantity q, struct buf *out)
{
        bool small = q.nano > (quantity_nano)-1024 * NANO && q.nano < (quantity_nano)1024 * NANO;

        if (q.text[0])
                buf_adds(out, q.text);
        else if (q.nano == 0)
                buf_addc(out, '0');
        else if (q.format != QUANTITY_BINARY_SI)
                print_decimal(q.nano, q.format, out);
        else if (small || q.nano % NANO)
                print_decimal(q.nano, QUANTITY_DECIMAL_SI, out);
        else
                print_binary(q.nano / NANO, out);
}

jv quantity_text(struct quantity q)
{
        BUF_AUTO struct buf b = BUF_INIT;

        quantity_print(q, &b);
        return jv_string_sized(b.s, (int)b.len);
}

/* --- arithmetic ----------------------------------------------------------------------------- */

int quantity_compare(struct quantity a, struct quantity b)
{
        return a.nano < b.nano ? -1 : a.nano > b.nano;
}

bool quantity_is_zero(struct quantity q)
{
        return q.nano == 0;
}

struct quantity quantity_add(struct quantity a, struct quantity b)
{
        quantity_nano sum = a.nano + b.nano;

        return (struct quantity){ .nano = sum > MOST    ? MOST
                                          : sum < -MOST ? -MOST
                                                        : sum,
                                  .format = a.nano ? a.format : b.format };
}

struct quantity quantity_subtract(struct quantity a, struct quantity b)
{
        b.nano = -b.nano;
        return quantity_add(a, b);
}

/* In steps of `step` nano units. */
static long long rounded(quantity_nano nano, long step)
{
        quantity_nano n = nano / step;

        if (nano % step)
                n += nano > 0 ? 1 : -1;
        return n > LLONG_MAX || n < LLONG_MIN ? 0 : (long long)n;
}

long long quantity_value(struct quantity q)
{
        return rounded(q.nano, NANO);
}

long long quantity_milli_value(struct quantity q)
{
        return rounded(q.nano, NANO / 1000);
}
