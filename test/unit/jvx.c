/* SPDX-License-Identifier: Apache-2.0 */
#include "jvx.h"

#include "buf.h"
#include "check.h"
#include "json.h"
#include "ref.h"

static void check_json(const jv *v, const char *want)
{
        BUF_AUTO struct buf b = BUF_INIT;

        json_print(v, &b);
        CHECK_STR(b.s, want);
}

static void test_build(void)
{
        JVX_AUTO jv part = jvx_build("{x: 1}");
        JVX_AUTO jv v =
                jvx_build("{name: %s, 'a b': %d, %s: [%l, -3, 1.5, 'it', %b, null], none: %s, "
                          "gone: %j, sub: %r, absent: %r, empty: {}, nothing: []}",
                          "it's", -5, "key", 9007199254740993LL, 1, (const char *)NULL,
                          jv_invalid(), ref_of(&part), ref_get(ref_of(&part), "no"));

        check_json(&v, "{\"name\":\"it's\",\"a b\":-5,\"key\":[9007199254740993,-3,1.5,\"it\",true,"
                       "null],\"sub\":{\"x\":1},\"empty\":{},\"nothing\":[]}");
        JVX_AUTO jv list = jvx_build("[%s, %s, %j]", "a", (const char *)NULL, jv_true());

        check_json(&list, "[\"a\",true]");
}

static void test_set(void)
{
        JVX_AUTO jv v = jv_invalid();

        jvx_set(&v, "a", jv_invalid());
        CHECK(!jv_is_valid(v));
        jvx_set(&v, "a", jv_true());
        jvx_set_default(&v, "a", jv_false());
        jvx_set(&v, "n", jv_null());
        jvx_set_default(&v, "n", jv_string("x"));
        jvx_del(&v, "none");
        check_json(&v, "{\"a\":true,\"n\":\"x\"}");
        jvx_del(&v, "a");
        jvx_set_at(&v, "b.c.d", jv_string("deep"));
        jvx_set_at(&v, "b.c.e", jv_invalid());
        jvx_set_default_at(&v, "b.c.d", jv_string("other"));
        jvx_set_default_at(&v, "b.f", jv_string("new"));
        jvx_append_at(&v, "b.list", jv_true());
        jvx_append_at(&v, "b.list", jv_false());
        check_json(
                &v,
                "{\"n\":\"x\",\"b\":{\"c\":{\"d\":\"deep\"},\"f\":\"new\",\"list\":[true,false]}}");
        jvx_del_at(&v, "b.c.d");
        jvx_del_at(&v, "b.none.d");
        jvx_del_at(&v, "n.d");
        check_json(&v, "{\"n\":\"x\",\"b\":{\"c\":{},\"f\":\"new\",\"list\":[true,false]}}");
        JVX_AUTO jv got = jvx_get(&v, "n");

        CHECK_STR(jv_string_value(got), "x");
        JVX_AUTO jv none = jvx_get(&v, "none");

        CHECK(!jv_is_valid(none));
}

/* What is detached is not shared, so an edit copies nothing. */
static void test_detach(void)
{
        JVX_AUTO jv v = jvx_build("{a: {b: 1}, list: [{x: 1}, {x: 2}]}");
        JVX_AUTO jv a = jvx_detach(&v, "a");

        CHECK(jv_get_refcnt(a) == 1);
        jvx_set(&a, "c", jv_true());
        jvx_set(&v, "a", jvx_take(&a));
        CHECK(!jv_is_valid(a));
        JVX_AUTO jv none = jvx_detach(&v, "none");

        CHECK(!jv_is_valid(none));
        JVX_AUTO jv list = jvx_detach(&v, "list");
        JVX_AUTO jv item = jvx_detach_item(&list, 1);

        CHECK(jv_get_refcnt(item) == 1);
        jvx_set(&item, "x", jv_string("two"));
        jvx_set_item(&list, 1, jvx_take(&item));
        JVX_AUTO jv beyond = jvx_detach_item(&list, 2);

        CHECK(!jv_is_valid(beyond));
        jvx_prepend(&list, jv_string("first"));
        jvx_append(&list, jv_string("last"));
        jvx_append(&list, jv_invalid());
        jvx_prepend(&list, jv_invalid());
        jvx_set(&v, "list", jvx_take(&list));
        check_json(&v, "{\"a\":{\"b\":1,\"c\":true},\"list\":[\"first\",{\"x\":1},{\"x\":\"two\"},"
                       "\"last\"]}");
        JVX_AUTO jv made = jv_invalid();

        jvx_append(&made, jv_true());
        jvx_prepend(&made, jv_null());
        check_json(&made, "[null,true]");
}

static void test_release(void)
{
        jv v = jv_string("x");

        jvx_release(&v);
        jvx_release(&v);
        CHECK(!jv_is_valid(v));
        CHECK(!jvx_is(&v, JV_KIND_STRING));
}

int main(void)
{
        test_build();
        test_set();
        test_detach();
        test_release();
        return 0;
}
