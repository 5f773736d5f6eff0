/* SPDX-License-Identifier: Apache-2.0 */
/* decode - what was read as YAML or JSON, held against KubeVirt's field tables (schema.h). */
#ifndef VMQ_DECODE_H
#define VMQ_DECODE_H

#include <jv.h>

#include "diag.h"
#include "path.h"
#include "schema.h"

/*
 * Leave *value, which stands at `at` and was read as YAML or JSON, as a Go program would that
 * decodes it into the type and encodes it again, for KubeVirt 1.minor:
 *   - fields that the type does not have are reported and dropped, at any depth and whatever their
 *     letter case; so are (with a warning) those that came with a later release;
 *   - values of a wrong type, numbers out of range and bad quantities are reported and dropped; in
 *     a list an empty value takes their place, so that paths stay right;
 *   - a number or boolean where a text belongs becomes a text: in labels and annotations as
 *     sigs.k8s.io/yaml has it (with a warning where it is not as written), elsewhere as written,
 *     with a report;
 *   - quantities are in canonical text, nulls are gone, and so are empty values that Go leaves out;
 *     what Go always writes (structs inside structs, fields without omitempty) is there;
 *   - what belongs to the API server (status, managedFields) is dropped, with one note for all.
 * Takes time in proportion to the value's size; recursion goes as deep as the tables do.
 */
void decode_value(jv *value, const struct type *type, int minor, const struct path *at,
                  struct diag *d);

#endif
