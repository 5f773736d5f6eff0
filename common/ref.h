/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ref - looking into a JSON value without owning any of it.
 *
 * A struct ref is a borrowed view: it needs no release, and it is good as long as the value it was
 * taken from is neither changed nor released. A view of something that is not there is "absent";
 * every function takes an absent view and answers absent, NULL, 0 or the default, so that
 *
 *      ref_str(ref_at(vm, "spec.template.spec.domain.cpu.model"))
 *
 * needs no checks on the way.
 */
#ifndef VMQ_REF_H
#define VMQ_REF_H

#include <jv.h>
#include <stdbool.h>

#include "keys.h"

struct ref {
        jv v;
        struct keys *keys; /* NULL: every look makes its key anew */
};

/* The view of nothing. */
struct ref ref_none(void);

/* View the value *v. */
struct ref ref_of(const jv *v);

/* The same, for many looks: they, and those into what they find, take their keys from `keys`. */
struct ref ref_with(const jv *v, struct keys *keys);

/* The member `key` of an object; absent if r is no object or has no such key. */
struct ref ref_get(struct ref r, const char *key);

/* The member along a dotted path of field names: "spec.domain.cpu". Lists: ref_item(). */
struct ref ref_at(struct ref r, const char *path);

/* Element i of a list, from 0; absent if r is no list or shorter. */
struct ref ref_item(struct ref r, int i);

/* Elements of a list, members of an object; 0 for everything else. */
int ref_len(struct ref r);

/* JV_KIND_INVALID for an absent view, and for what is kept as text (json.h). Whole numbers too
 * large for a double are JV_KIND_NUMBER here, whatever json.h keeps them in. */
jv_kind ref_kind(struct ref r);

/* There and not null: what Go calls non-nil, for pointers, lists and maps. */
bool ref_is_set(struct ref r);

/* Text, NULL if r is no string. Texts have no NUL inside (json.h and yaml.h refuse it). */
const char *ref_str(struct ref r);

/* Text of the member at the path; "" if there is none. For comparisons. */
const char *ref_text(struct ref r, const char *path);

/* r is this very string. */
bool ref_eq(struct ref r, const char *s);

/* A whole number; fallback if r is none or does not fit. */
long long ref_int(struct ref r, long long fallback);

/* true or false; fallback if r is neither. */
bool ref_bool(struct ref r, bool fallback);

/* An owned copy of what is viewed (invalid if absent). */
jv ref_copy(struct ref r);

/* The element of a list whose `key` is the text `value`; absent if there is none. */
struct ref ref_find(struct ref list, const char *key, const char *value);

/* Walk a list or an object, in order:
 *      REF_EACH(vol, ref_at(vm, "spec.template.spec.volumes"))
 *              use vol.item, vol.i and, in an object, vol.key                */
struct ref_cursor {
        struct ref of;
        int i;
        struct ref item;
        const char *key;
        int n;    /* elements of a list */
        int iter; /* libjq's, in an object */
};

struct ref_cursor ref_first(struct ref of);
bool ref_more(const struct ref_cursor *c);
void ref_step(struct ref_cursor *c);

#define REF_EACH(c, of) for (struct ref_cursor c = ref_first(of); ref_more(&(c)); ref_step(&(c)))

#endif
