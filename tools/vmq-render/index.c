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

void index_set(jv *index, const char *name, int position)
{
        jvx_set(index, name, json_int(position));
}

int index_get(const jv *index, const char *name)
{
        return (int)ref_int(ref_get(ref_of(index), name), -1);
}
