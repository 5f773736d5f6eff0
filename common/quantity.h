/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity - amounts as Kubernetes writes them: 500m, 1Gi, 1.5e3.
 *
 * Restates resource.Quantity (k8s.io/apimachinery pkg/api/resource/quantity.go): what parses, how
 * amounts compare and add, and the canonical text. An amount is a whole number of nano units; what
 * is smaller is rounded up, away from zero. An amount with a binary suffix is capped at 2^63-1
 * units, as there; all others at 10^28, where Go has no bound. It remembers the notation it came
 * in, since that decides how it is printed, and often the text itself: Go prints a text that it
 * takes for canonical as it was written ("+1Gi", "1.250", "1E3").
 */
#ifndef VMQ_QUANTITY_H
#define VMQ_QUANTITY_H

#include <stdbool.h>

#include "buf.h"
#include "ref.h"

__extension__ typedef __int128 quantity_nano;

enum quantity_format { QUANTITY_DECIMAL_SI, QUANTITY_BINARY_SI, QUANTITY_DECIMAL_EXPONENT };

#define QUANTITY_TEXT 40 /* longer texts are printed in canonical form */

struct quantity {
        quantity_nano nano; /* 10^-9 units */
        enum quantity_format format;
        char text[QUANTITY_TEXT]; /* as it was written, if it is printed so; "": canonical */
};

/* Read a text. False, with *ret untouched, if it is no quantity. As in Go, "", "1 " and "1i" are
 * none, but a sign or a suffix alone ("-", "Ki") is 0; the pattern of KubeVirt's CRD is stricter.
 */
bool quantity_parse(const char *text, struct quantity *ret);

/* The quantity of a JSON value, text (spaces around it are dropped) or number; false if absent or
 * none. */
bool quantity_of(struct ref value, struct quantity *ret);

/* The same, 0 if absent or none. */
struct quantity quantity_or_zero(struct ref value);

/* n units, n thousandths; what NewQuantity and NewMilliQuantity make. */
struct quantity quantity_units(long long n, enum quantity_format format);
struct quantity quantity_milli(long long n, enum quantity_format format);

/* Append the text that Go makes of it: in canonical form, or as it was written (above). */
void quantity_print(struct quantity q, struct buf *out);

/* The same as a string value. */
jv quantity_text(struct quantity q);

/* -1, 0 or 1. */
int quantity_compare(struct quantity a, struct quantity b);
bool quantity_is_zero(struct quantity q);

/* Sum and difference in a's notation; b's if a is zero, as Quantity.Add has it. */
struct quantity quantity_add(struct quantity a, struct quantity b);
struct quantity quantity_subtract(struct quantity a, struct quantity b);

/* Whole units, thousandths; rounded up, away from zero (Quantity.Value, MilliValue). 0 where they
 * don't fit, as there. */
long long quantity_value(struct quantity q);
long long quantity_milli_value(struct quantity q);

#endif
