/* SPDX-License-Identifier: Apache-2.0 */
#include "amounts.h"

#include "index.h"
#include "jvx.h"
#include "mem.h"
#include "vm.h"

void amounts_release(struct amounts *a)
{
        for (size_t i = 0; i < a->n; i++)
                free(a->v[i].name);
        free(a->v);
        jv_free(a->index);
        *a = (struct amounts){ .index = jv_invalid() };
}

static struct amount *find(const struct amounts *a, const char *name)
{
        int i = index_get(&a->index, name);

        return i < 0 ? NULL : &a->v[i];
}

void amounts_read(struct amounts *a, struct ref list, const struct path *at, struct diag *d)
{
        struct quantity q;

        REF_EACH(member, vm_object(list))
                if (quantity_of(member.item, &q))
                        amounts_set(a, member.key, q);
                else
                        diag_report(
                                d, VMQ_RENDER_QUANTITY, AT_KEY(at, member.key),
                                "not a quantity; write a number and a suffix, as in 500m or 2Gi");
}

const struct quantity *amounts_get(const struct amounts *a, const char *name)
{
        const struct amount *found = find(a, name);

        return found ? &found->q : NULL;
}

struct quantity amounts_or_zero(const struct amounts *a, const char *name)
{
        const struct quantity *q = amounts_get(a, name);

        return q ? *q : (struct quantity){ 0 };
}

void amounts_set(struct amounts *a, const char *name, struct quantity q)
{
        struct amount *found = find(a, name);

        if (found) {
                found->q = q;
                return;
        }
        index_set(&a->index, name, (int)a->n);
        MEM_GROW(a->v, a->n, a->cap);
        a->v[a->n++] = (struct amount){ .name = mem_strdup(name), .q = q };
}

void amounts_add(struct amounts *a, const char *name, struct quantity q)
{
        amounts_set(a, name, quantity_add(amounts_or_zero(a, name), q));
}

void amounts_overlay(struct amounts *a, const struct amounts *over)
{
        for (size_t i = 0; i < over->n; i++)
                amounts_set(a, over->v[i].name, over->v[i].q);
}

jv amounts_json(const struct amounts *a)
{
        jv list = jv_invalid();

        for (size_t i = 0; i < a->n; i++)
                jvx_set(&list, a->v[i].name, quantity_text(a->v[i].q));
        return list;
}
