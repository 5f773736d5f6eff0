/* SPDX-License-Identifier: Apache-2.0 */
#include "ref.h"

#include "check.h"
#include "json.h"
#include "jvx.h"

static void test_look(const jv *v)
{
        struct ref r = ref_of(v);

        CHECK_STR(ref_str(ref_at(r, "a.b.c")), "deep");
        CHECK_STR(ref_text(r, "a.b.c"), "deep");
        CHECK_STR(ref_text(r, "a.b"), "");
        CHECK_STR(ref_text(r, "a.x.y.z"), "");
        CHECK(ref_str(ref_at(r, "list.c")) == NULL);
        CHECK(ref_eq(ref_at(r, "a.b.c"), "deep") && !ref_eq(ref_at(r, "a.b"), "deep"));
        CHECK(ref_len(ref_get(r, "list")) == 3 && ref_len(r) == 6 &&
              ref_len(ref_at(r, "a.b.c")) == 0);
        CHECK_STR(ref_text(ref_item(ref_get(r, "list"), 1), "name"), "y");
        CHECK(ref_kind(ref_item(ref_get(r, "list"), 3)) == JV_KIND_INVALID);
        CHECK(ref_kind(ref_item(ref_get(r, "list"), -1)) == JV_KIND_INVALID);
        CHECK(ref_kind(ref_item(ref_get(r, "a"), 0)) == JV_KIND_INVALID);
        CHECK(!ref_is_set(ref_get(r, "none")) && !ref_is_set(ref_get(r, "absent")) &&
              ref_is_set(ref_get(r, "yes")));
        CHECK(ref_bool(ref_get(r, "yes"), false) && ref_bool(ref_get(r, "absent"), true) &&
              !ref_bool(ref_get(r, "n"), false));
        CHECK(ref_int(ref_get(r, "n"), 0) == 7 && ref_int(ref_get(r, "yes"), -1) == -1);
        CHECK_STR(ref_text(ref_find(ref_get(r, "list"), "name", "z"), "v"), "found");
        CHECK(!ref_is_set(ref_find(ref_get(r, "list"), "name", "w")));
        CHECK(!ref_is_set(ref_find(ref_get(r, "absent"), "name", "w")));
}

static void test_absent(void)
{
        struct ref r = { .v = jv_invalid() };

        CHECK(ref_kind(ref_at(ref_get(ref_item(r, 0), "a"), "b.c")) == JV_KIND_INVALID);
        CHECK(ref_len(r) == 0 && ref_str(r) == NULL && ref_int(r, 3) == 3 && ref_bool(r, true));
        JVX_AUTO jv copy = ref_copy(r);

        CHECK(!jv_is_valid(copy));
        REF_EACH(c, r)
                CHECK(false);
}

static void test_each(const jv *v)
{
        int n = 0;
        const char *last = "";

        REF_EACH(c, ref_get(ref_of(v), "list")) {
                CHECK(c.i == n++ && c.key == NULL);
                last = ref_text(c.item, "name");
        }
        CHECK(n == 3);
        CHECK_STR(last, "z");
        n = 0;
        REF_EACH(c, ref_of(v)) {
                CHECK(c.key && ref_kind(c.item) != JV_KIND_INVALID);
                n++;
        }
        CHECK(n == 6);
        REF_EACH(c, ref_at(ref_of(v), "a.b.c"))
                CHECK(false);
}

int main(void)
{
        JVX_AUTO jv v = jvx_build("{a: {b: {c: 'deep'}}, list: [{name: 'x'}, {name: 'y'}, "
                                  "{name: 'z', v: 'found'}], none: null, yes: true, n: 7, big: %j}",
                                  json_int_digits("18446744073709551615", 20));

        test_look(&v);
        test_absent();
        test_each(&v);
        CHECK(ref_int(ref_get(ref_of(&v), "big"), 5) == 5);
        JVX_AUTO jv copy = ref_copy(ref_at(ref_of(&v), "a.b"));

        CHECK(jvx_is(&copy, JV_KIND_OBJECT));
        /* A step longer than any field name is not there. */
        char path[300];

        memset(path, 'x', sizeof path - 1);
        path[sizeof path - 1] = '\0';
        CHECK(!ref_is_set(ref_at(ref_of(&v), path)));
        JVX_AUTO jv half = jv_number(1.5), edge = jv_number(9007199254740992.0);

        CHECK(ref_int(ref_of(&half), -1) == -1 && ref_int(ref_of(&edge), -1) == 9007199254740992);
        return 0;
}
