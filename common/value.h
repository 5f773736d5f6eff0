/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value - single values held against the kind of their field (schema.h).
 *
 * Everything is reported at `at`, where d->places also knows how the scalar was written.
 */
#ifndef VMQ_VALUE_H
#define VMQ_VALUE_H

#include <jv.h>
#include <stdbool.h>

#include "diag.h"
#include "path.h"
#include "schema.h"

/*
 * Leave *v, which is not null, as Go's JSON decoder would take it for the field's kind and write it
 * again: a quantity in canonical text. False, after a report, if it is none of the kind.
 *
 * A number or boolean for a text is reported (the API server refuses it) and becomes what was
 * written.
 */
bool value_decode(jv *v, const struct field *f, const struct path *at, struct diag *d);

/*
 * The same for a text that need not be in quotes (F_LOOSE): *v becomes what sigs.k8s.io/yaml makes
 * of it (1.10 is "1.1", null is ""), with a warning where that is not what was written.
 */
bool value_decode_loose_text(jv *v, const struct path *at, struct diag *d);

/* Say what *v is (`the text "two" where a list belongs; ...`) and what to do. */
void value_report(const jv *v, const char *wanted, const char *advice, const struct path *at,
                  struct diag *d);

/* What belongs into a field of the kind: "a whole number". */
const char *value_wanted(enum field_kind kind);

#endif
