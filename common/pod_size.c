/* SPDX-License-Identifier: Apache-2.0 */
#include "pod_size.h"

#include "array.h"

static const struct size {
        const char *list;
        int most;
} of_pod[] = { { "initContainers", 256 }, { "containers", 256 }, { "volumes", 512 } },
  mounts = { "volumeMounts", 512 };

static bool holds(struct ref object, const struct path *at, const struct size *size, struct diag *d)
{
        int n = ref_len(ref_get(object, size->list));

        if (n <= size->most)
                return true;
        diag_report(d, VMQ_POD_VALUE, AT(at, size->list), "%d elements; have %d at most", n,
                    size->most);
        return false;
}

bool pod_size_holds(struct ref spec, const struct path *at_spec, struct diag *d)
{
        bool good = true;

        for (size_t i = 0; i < ARRAY_LEN(of_pod); i++)
                good &= holds(spec, at_spec, &of_pod[i], d);
        for (size_t i = 0; good && i < 2; i++)
                REF_EACH(k, ref_get(spec, of_pod[i].list))
                        good &= holds(k.item, AT_INDEX(AT(at_spec, of_pod[i].list), k.i), &mounts,
                                      d);
        return good;
}
