/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jvx - owning and building libjq values. (ref.h is for looking into them.)
 *
 * Ownership is written in the parameter type, so nobody has to open the callee
 * to know who frees what:
 *
 *      jv              consumed: the callee owns it (as in libjq itself)
 *      const jv *      borrowed: the callee looks, the caller keeps it
 *      jv *            in/out:   the callee may replace *p; one owner throughout
 *      returned jv     owned by the caller
 *      struct ref      borrowed, without saying so again (ref.h)
 *
 * A local jv is either JVX_AUTO or consumed on its next line.
 */
#ifndef VMQ_JVX_H
#define VMQ_JVX_H

#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

/* Declare a local that is released when it goes out of scope. Must be
 * initialised. Use jvx_take() to hand it on. */
#define JVX_AUTO __attribute__((cleanup(jvx_release)))

/* Release *p and leave it invalid, so a second release is harmless. */
static inline void jvx_release(jv *p)
{
        jv_free(*p);
        *p = jv_invalid();
}

/* Move the value out of *p; *p becomes invalid and needs no release. */
static inline jv jvx_take(jv *p)
{
        jv v = *p;

        *p = jv_invalid();
        return v;
}

static inline bool jvx_is(const jv *v, jv_kind kind)
{
        return jv_get_kind(*v) == kind;
}

/* Owned copy of obj[key]; invalid if obj is no object or has no such key. */
jv jvx_get(const jv *obj, const char *key);

/* obj[key] = val. An invalid val is not stored (libjq would abort on print). An obj that is not an
 * object (absent, null) becomes one. */
void jvx_set(jv *obj, const char *key, jv val);

/* obj[key] = val unless it is there already (null counts as absent). val is consumed either way. */
void jvx_set_default(jv *obj, const char *key, jv val);

/* Remove obj[key]; nothing happens where there is none. */
void jvx_del(jv *obj, const char *key);

/* Move obj[key] out for editing (leaves null in its place, so the child is unshared and edits in
 * place); put it back with jvx_set(), or drop the null with jvx_del(). Invalid if absent. */
jv jvx_detach(jv *obj, const char *key);

/* The same three along a dotted path of field names ("spec.domain.cpu"). jvx_set_at makes the
 * objects between that are missing. Each step is edited in place, nothing is copied. */
void jvx_set_at(jv *obj, const char *path, jv val);
void jvx_set_default_at(jv *obj, const char *path, jv val);
void jvx_del_at(jv *obj, const char *path);

/* Append val to, or put it first in, the list *arr; an *arr that is no list (absent) becomes one.
 * An invalid val is not stored. */
void jvx_append(jv *arr, jv val);
void jvx_prepend(jv *arr, jv val);

/* The elements of both lists, which are consumed. */
static inline jv jvx_concat(jv first, jv second)
{
        return jv_array_concat(first, second);
}

/* Append to the list at a dotted path, which is made if missing. */
void jvx_append_at(jv *obj, const char *path, jv val);

/* Edit the value at a dotted path in place; nothing happens where there is none
 * or null. jvx_each_at: each
 * element of the list there. `edit` may replace the value but not release it. */
void jvx_edit_at(jv *obj, const char *path, void (*edit)(jv *value, void *arg), void *arg);
void jvx_each_at(jv *obj, const char *path, void (*edit)(jv *item, void *arg), void *arg);

/* Move element i out for editing, and put it back. */
jv jvx_detach_item(jv *arr, int i);
void jvx_set_item(jv *arr, int i, jv val);

/*
 * Build a value from a template: JSON with unquoted keys, 'text' for strings, and in the place of
 * any value
 *      %s  const char *        text;      NULL: the member or element is left out
 *      %d  int, %l long long   a whole number
 *      %b  int                 true or false
 *      %j  jv                  any value, consumed; invalid: left out
 *      %r  struct ref          any value, borrowed; absent: left out
 * A key may be %s as well. So
 *      jvx_build("{name: %s, mountPath: %s, readOnly: true}", name, path)
 * The template is ours, never the user's: a wrong one is a bug and fails an assertion.
 */
jv jvx_build(const char *template, ...);

#endif
