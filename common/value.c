/* SPDX-License-Identifier: Apache-2.0 */
#include "value.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ip.h"
#include "json.h"
#include "jvx.h"
#include "quantity.h"
#include "ref.h"

/* A value at hand: what the functions of value.h are given. */
struct value {
        const struct field *f;
        const struct path *at;
        struct diag *d;
};

/* What the value is, for a message: `the text "two"`, `the number 4711`, `a list`. */
static void describe(const jv *v, struct buf *out)
{
        BUF_AUTO struct buf text = BUF_INIT;

        switch (ref_kind(ref_of(v))) {
        case JV_KIND_ARRAY:
                buf_adds(out, "a list");
                return;
        case JV_KIND_OBJECT:
                buf_adds(out, "an object");
                return;
        case JV_KIND_STRING:
                json_print(v, &text);
                buf_addf(out, "the text %.40s%s", text.s, text.len > 40 ? "...\"" : "");
                return;
        case JV_KIND_NUMBER:
                json_print(v, &text);
                buf_addf(out, "the number %.40s%s", text.s, text.len > 40 ? "..." : "");
                return;
        default:
                json_print(v, out);
        }
}

static const struct {
        const char *wanted; /* what belongs there */
        const char *advice;
} kinds[] = {
        [FIELD_TEXT] = { "a text", "write it in quotes" },
        [FIELD_BOOL] = { "true or false", "write true or false, without quotes" },
        [FIELD_INT32] = { "a whole number", "write digits only, without quotes or unit" },
        [FIELD_INT64] = { "a whole number", "write digits only, without quotes or unit" },
        [FIELD_UINT32] = { "a whole number", "write digits only, without quotes or unit" },
        [FIELD_UINT64] = { "a whole number", "write digits only, without quotes or unit" },
        [FIELD_QUANTITY] = { "a quantity", "write an amount like 500m, 2 or 4Gi" },
        [FIELD_INT_OR_STRING] = { "a number or a name", "write one of them" },
        [FIELD_TIME] = { "a time", "write it like 2026-01-31T12:00:00Z" },
        [FIELD_OBJECT] = { "an object", "write its fields, indented, below it" },
        [FIELD_ANY] = { "anything", "write anything" },
};

const char *value_wanted(enum field_kind kind)
{
        return kinds[kind].wanted;
}

void value_report(const jv *v, const char *wanted, const char *advice, const struct path *at,
                  struct diag *d)
{
        BUF_AUTO struct buf is = BUF_INIT;

        describe(v, &is);
        diag_report(d, VMQ_WRONG_TYPE, at, "%s where %s belongs; %s", is.s, wanted, advice);
}

/* Report a value of another kind; false, for the caller to return. */
static bool wrong_kind(const jv *v, const struct value *s)
{
        value_report(v, kinds[s->f->kind].wanted, kinds[s->f->kind].advice, s->at, s->d);
        return false;
}

/* --- booleans, numbers ---------------------------------------------------------------------- */

static bool decode_bool(jv *v, const struct value *s)
{
        return jvx_is(v, JV_KIND_TRUE) || jvx_is(v, JV_KIND_FALSE) || wrong_kind(v, s);
}

/* What a whole number of the kind is between. */
static const struct {
        const char *min, *max;
} ranges[] = {
        [FIELD_INT32] = { "-2147483648", "2147483647" },
        [FIELD_INT64] = { "-9223372036854775808", "9223372036854775807" },
        [FIELD_UINT32] = { "0", "4294967295" },
        [FIELD_UINT64] = { "0", "18446744073709551615" },
};

/* Compare two whole numbers by their digits; neither has leading zeros. */
static int compare_digits(const char *a, const char *b)
{
        bool minus = *a == '-';

        if (minus != (*b == '-'))
                return minus ? -1 : 1;
        size_t la = strlen(a), lb = strlen(b);
        int order = la != lb ? (la < lb ? -1 : 1) : strcmp(a, b);

        return minus ? -order : order;
}

static bool is_within(const char *digits, enum field_kind kind)
{
        return compare_digits(digits, ranges[kind].min) >= 0 &&
               compare_digits(digits, ranges[kind].max) <= 0;
}

static bool check_range(const jv *v, enum field_kind kind, const struct value *s)
{
        BUF_AUTO struct buf digits = BUF_INIT;

        json_print(v, &digits);
        if (strpbrk(digits.s, ".e")) {
                diag_report(s->d, VMQ_NOT_WHOLE, s->at,
                            "%s is not a whole number; write one without a fraction", digits.s);
                return false;
        }
        if (is_within(digits.s, kind))
                return true;
        diag_report(s->d, VMQ_OUT_OF_RANGE, s->at,
                    "%.40s is out of range; write a number from %s to %s", digits.s,
                    ranges[kind].min, ranges[kind].max);
        return false;
}

static bool decode_integer(jv *v, const struct value *s)
{
        if (ref_kind(ref_of(v)) != JV_KIND_NUMBER)
                return wrong_kind(v, s);
        return check_range(v, s->f->kind, s);
}

/* intstr.IntOrString: k8s.io/apimachinery pkg/util/intstr. */
static bool decode_int_or_string(jv *v, const struct value *s)
{
        jv_kind kind = ref_kind(ref_of(v));

        if (kind == JV_KIND_NUMBER)
                return check_range(v, FIELD_INT32, s);
        return kind == JV_KIND_STRING || wrong_kind(v, s);
}

static bool decode_quantity(jv *v, const struct value *s)
{
        jv_kind kind = ref_kind(ref_of(v));
        struct quantity q;

        if (kind != JV_KIND_STRING && kind != JV_KIND_NUMBER)
                return wrong_kind(v, s);
        if (!quantity_of(ref_of(v), &q)) {
                BUF_AUTO struct buf is = BUF_INIT;

                describe(v, &is);
                diag_report(s->d, VMQ_BAD_QUANTITY, s->at,
                            "%s is no quantity; write an amount like 500m, 2 or 4Gi", is.s);
                return false;
        }
        jv_free(*v);
        *v = quantity_text(q);
        return true;
}

/* --- times ---------------------------------------------------------------------------------- */

/* RFC 3339: 2026-01-31T12:00:00Z, with a fraction of a second, with an offset. Days of the month
 * are not counted: no field that a user writes holds a time. */
static bool is_time(const char *t)
{
        static const char form[] = "dddd-dd-ddTdd:dd:dd";
        size_t n = sizeof form - 1;

        for (size_t i = 0; i < n; i++)
                if (form[i] == 'd' ? !isdigit((unsigned char)t[i]) : t[i] != form[i])
                        return false;
        t += n;
        if (*t == '.') {
                size_t digits = strspn(t + 1, "0123456789");

                if (digits == 0)
                        return false;
                t += 1 + digits;
        }
        if (strcmp(t, "Z") == 0)
                return true;
        return (*t == '+' || *t == '-') && strlen(t) == 6 && strspn(t + 1, "0123456789") == 2 &&
               t[3] == ':' && strspn(t + 4, "0123456789") == 2;
}

static bool decode_time(jv *v, const struct value *s)
{
        if (ref_kind(ref_of(v)) != JV_KIND_STRING)
                return wrong_kind(v, s);
        if (is_time(jv_string_value(*v)))
                return true;
        diag_report(s->d, VMQ_BAD_TIME, s->at,
                    "\"%.40s\" is no time; write it like 2026-01-31T12:00:00Z",
                    jv_string_value(*v));
        return false;
}

/* --- texts ---------------------------------------------------------------------------------- */

static void check_word(const char *text, const struct value *s)
{
        const struct field *f = s->f;
        BUF_AUTO struct buf all = BUF_INIT;

        if (!f->words || !*text || f->flags & F_RULED)
                return;
        for (const char *const *word = f->words; *word; word++) {
                if (strcmp(*word, text) == 0)
                        return;
                buf_addf(&all, "%s%s", word == f->words ? "" : word[1] ? ", " : " or ", *word);
        }
        diag_report(s->d, f->flags & F_LAX ? VMQ_UNKNOWN_WORD : VMQ_NOT_A_CHOICE, s->at,
                    "\"%.60s\" is not known here; use %s", text, all.s);
}

/* The API reads an address and writes it anew. What is none stays, for the rules to refuse. */
static void tidy_address(jv *v, const struct field *f)
{
        BUF_AUTO struct buf tidy = BUF_INIT;
        const char *text = jv_string_value(*v);

        if (f->flags & F_IP ? !ip_tidy(text, &tidy) : !ip_tidy_cidr(text, &tidy))
                return;
        jv_free(*v);
        *v = jv_string(tidy.s);
}

static bool decode_text(jv *v, const struct value *s)
{
        jv_kind kind = ref_kind(ref_of(v));

        if (kind == JV_KIND_ARRAY || kind == JV_KIND_OBJECT)
                return wrong_kind(v, s);
        if (kind != JV_KIND_STRING) {
                BUF_AUTO struct buf is = BUF_INIT;
                const char *raw = places_raw(s->d->places, s->d->base, s->at);
                jv text = raw ? jv_string(raw) : json_text(v);

                describe(v, &is);
                diag_report(s->d, VMQ_TEXT_NEEDED, s->at,
                            "%s where a text belongs; write \"%.60s\", in quotes", is.s,
                            jv_string_value(text));
                jv_free(*v);
                *v = text;
        }
        check_word(jv_string_value(*v), s);
        if (s->f->flags & (F_IP | F_CIDR))
                tidy_address(v, s->f);
        return true;
}

/* As strconv.FormatFloat(d, 'g', -1, 64): the fewest digits that read back as d, with an exponent
 * below 1e-4 and from 1e6 on. */
static void print_float(double d, struct buf *out)
{
        char text[40];
        int precision = 0;

        for (; precision < 17; precision++) {
                (void)snprintf(text, sizeof text, "%.*e", precision, d);
                if (strtod(text, NULL) == d)
                        break;
        }
        long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);

        if (exponent >= -4 && exponent < 6)
                (void)snprintf(text, sizeof text, "%.*f",
                               precision > exponent ? precision - (int)exponent : 0, d);
        buf_adds(out, text);
}

/* A number written as YAML writes floats (1.10, 1e3), or too long for an integer. */
static bool is_float(const char *raw, const char *digits)
{
        if (strpbrk(digits, ".e"))
                return true;
        if (raw && raw[strspn(raw, "+-")] == '0' && strpbrk(raw, "xXbBoO"))
                raw = NULL;
        return (raw && strpbrk(raw, ".eE")) ||
               !(is_within(digits, FIELD_INT64) || is_within(digits, FIELD_UINT64));
}

/* What sigs.k8s.io/yaml (yaml.go, convertToJSONableObject) makes of a scalar whose target is a
 * string. */
static void print_go_text(const jv *v, const char *raw, struct buf *out)
{
        BUF_AUTO struct buf digits = BUF_INIT;

        if (jvx_is(v, JV_KIND_NULL))
                return;
        json_print(v, &digits);
        double d = strtod(digits.s, NULL);

        /* A number that no float holds is no number there, but a text. */
        if (ref_kind(ref_of(v)) == JV_KIND_NUMBER && isfinite(d) && is_float(raw, digits.s))
                print_float(d, out);
        else
                buf_adds(out, digits.s);
}

bool value_decode_loose_text(jv *v, const struct path *at, struct diag *d)
{
        static const struct field text_field = { .kind = FIELD_TEXT };
        jv_kind kind = ref_kind(ref_of(v));

        if (kind == JV_KIND_STRING)
                return true;
        if (kind == JV_KIND_ARRAY || kind == JV_KIND_OBJECT)
                return wrong_kind(v, &(struct value){ &text_field, at, d });
        BUF_AUTO struct buf text = BUF_INIT;
        const char *raw = places_raw(d->places, d->base, at);

        print_go_text(v, raw, &text);
        if (raw && strcmp(raw, text.s) != 0)
                diag_report(d, VMQ_TEXT_MADE, at,
                            "%.60s becomes the text \"%s\"; write \"%.60s\", in quotes, to keep it",
                            raw, text.s, raw);
        jv_free(*v);
        *v = jv_string(text.s);
        return true;
}

/* --- the kinds ------------------------------------------------------------------------------ */

bool value_decode(jv *v, const struct field *f, const struct path *at, struct diag *d)
{
        static bool (*const decoders[])(jv *, const struct value *) = {
                [FIELD_TEXT] = decode_text,         [FIELD_BOOL] = decode_bool,
                [FIELD_INT32] = decode_integer,     [FIELD_INT64] = decode_integer,
                [FIELD_UINT32] = decode_integer,    [FIELD_UINT64] = decode_integer,
                [FIELD_QUANTITY] = decode_quantity, [FIELD_INT_OR_STRING] = decode_int_or_string,
                [FIELD_TIME] = decode_time,
        };

        return decoders[f->kind](v, &(struct value){ f, at, d });
}
