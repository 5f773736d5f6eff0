/* SPDX-License-Identifier: Apache-2.0 */
/* jvx_edit_at and jvx_each_at, which edit what is at a path. */
#include <jv.h>

#include "check.h"
#include "json.h"
#include "jvx.h"
#include "ref.h"

static void add_one(jv *value, void *count)
{
        *value = jv_number(jv_number_value(*value) + 1);
        ++*(int *)count;
}

static void edited(void (*edit_at)(jv *, const char *, void (*)(jv *, void *), void *),
                   const char *text, const char *path, const char *want, int times)
{
        jv v = jv_parse(text);
        struct buf got = BUF_INIT;
        int count = 0;

        edit_at(&v, path, add_one, &count);
        json_print(&v, &got);
        CHECK_STR(got.s, want);
        CHECK(count == times);
        buf_release(&got);
        jv_free(v);
}

/* The value of another owner must stay as it is. */
static void shared(void)
{
        jv v = jv_parse("{\"a\":{\"b\":[1,2]}}");
        jv other = jv_copy(v);
        struct buf got = BUF_INIT;
        int count = 0;

        jvx_each_at(&v, "a.b", add_one, &count);
        json_print(&other, &got);
        CHECK_STR(got.s, "{\"a\":{\"b\":[1,2]}}");
        buf_release(&got);
        jv_free(v);
        jv_free(other);
}

int main(void)
{
        edited(jvx_edit_at, "{\"a\":1,\"z\":9}", "a", "{\"a\":2,\"z\":9}", 1);
        edited(jvx_edit_at, "{\"a\":{\"b\":{\"c\":1}}}", "a.b.c", "{\"a\":{\"b\":{\"c\":2}}}", 1);
        edited(jvx_edit_at, "{\"a\":{}}", "a.b", "{\"a\":{}}", 0);
        edited(jvx_edit_at, "{\"a\":null}", "a.b", "{\"a\":null}", 0);
        edited(jvx_edit_at, "{\"a\":null}", "a", "{\"a\":null}", 0);
        edited(jvx_edit_at, "{\"a\":\"text\"}", "a.b", "{\"a\":\"text\"}", 0);
        edited(jvx_edit_at, "[1]", "a", "[1]", 0);
        edited(jvx_each_at, "{\"a\":{\"b\":[1,2,3]}}", "a.b", "{\"a\":{\"b\":[2,3,4]}}", 3);
        edited(jvx_each_at, "{\"a\":[]}", "a", "{\"a\":[]}", 0);
        edited(jvx_each_at, "{\"a\":{\"b\":1}}", "a", "{\"a\":{\"b\":1}}", 0);
        edited(jvx_each_at, "{}", "a", "{}", 0);
        shared();
        return 0;
}
