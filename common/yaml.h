/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml - YAML text to libjq values, as kubectl reads it.
 *
 * The rules are those of sigs.k8s.io/yaml on go-yaml v2: scalars by scalar.h, keys that are no
 * texts become texts (`on:` is "true", 8080: is "8080"), `<<` merges, the last of two equal keys
 * counts (places.h tells about the first). Unlike there, unknown tags, a NUL in a text and, at the
 * bounds below, whatever would cost more than its text is worth, are refused. A merge behind a key
 * that it sets again wins, as in go-yaml, but is told like a key given twice.
 */
#ifndef VMQ_YAML_H
#define VMQ_YAML_H

#include <jv.h>

#include "input.h"
#include "json.h"
#include "places.h"

#define YAML_DEPTH        64 /* levels of nesting, those that aliases stand for included */
#define YAML_MOST         ((size_t)8 << 20) /* bytes of one document */
#define YAML_ANCHORS_MOST 10000  /* of one document; as JSON_MEMBERS, for the same reason */
#define YAML_ALIASED_MOST 100000 /* values of a document that aliases and merges stand for */

/*
 * Read the next document. Returns 1 and *ret (owned by the caller), 0 at the end of the input (or
 * where it can't be read: in->error), -1 with *err where it is no YAML or beyond a bound; the next
 * call goes on behind it. Empty documents are passed over. A document ends where a line starts with
 * `---` or `...`, and no byte behind that is waited for. Marks the input at the document's start.
 * places is emptied and filled with the place of every field.
 */
int yaml_next(struct input *in, jv *ret, struct places *places, struct json_error *err);

/* Step over a `---` that has its line to itself, if the input is at one. */
void yaml_skip_marker(struct input *in);

#endif
