/* SPDX-License-Identifier: Apache-2.0 */
#include "index.h"

#include "json.h"
#include "jvx.h"

jv index_make(struct ref list, const char *path)
{
        jv index = jv_object();

        REF_EACH(e, list)
                index_set(&index, ref_text(e.item, path), e.i);
        return index;
}

jv index_first(struct ref list, const char *path)
{
        jv index = jv_object();

        for (int i = ref_len(list) - 1; i >= 0; i--)
                index_set(&index, ref_text(ref_item(list, i), path), i);
        return index;
}

struct ref index_find(const jv *index, struct ref list, const char *name)
{
        return ref_item(list, index_get(index, name));
}

void index_set(jv *index, const char *name, int position)
{
        jvx_set(index, name, json_int(position));
}

int index_get(const jv *index, const char *name)
{
        return (int)ref_int(ref_get(ref_of(index), name), -1);
}
