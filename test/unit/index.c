/* SPDX-License-Identifier: Apache-2.0 */
#include "index.h"

#include "check.h"
#include "jvx.h"

int main(void)
{
        JVX_AUTO jv list = jvx_build("[{name: 'a', n: 0}, {name: 'b', n: 1}, {name: 'a', n: 2}, "
                                     "{n: 3}, 'text']");
        JVX_AUTO jv last = index_make(ref_of(&list), "name");
        JVX_AUTO jv first = index_first(ref_of(&list), "name");
        JVX_AUTO jv none = jv_invalid();

        CHECK(index_get(&last, "a") == 2 && index_get(&first, "a") == 0);
        CHECK(index_get(&last, "b") == 1 && index_get(&first, "b") == 1);
        CHECK(index_get(&last, "") == 4 && index_get(&first, "") == 3);
        CHECK(index_get(&last, "c") == -1 && index_get(&none, "a") == -1);
        CHECK(ref_int(ref_get(index_find(&last, ref_of(&list), "a"), "n"), -1) == 2);
        CHECK(ref_int(ref_get(index_find(&first, ref_of(&list), "a"), "n"), -1) == 0);
        CHECK(!ref_is_set(index_find(&first, ref_of(&list), "c")));
        index_set(&first, "c", 1);
        CHECK(ref_int(ref_get(index_find(&first, ref_of(&list), "c"), "n"), -1) == 1);
        index_set(&first, "beyond", 9);
        CHECK(!ref_is_set(index_find(&first, ref_of(&list), "beyond")));
        return 0;
}
