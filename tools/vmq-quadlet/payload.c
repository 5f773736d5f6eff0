/* SPDX-License-Identifier: Apache-2.0 */
#include "convert.h"

void files_unit(struct convert *c, struct ref volume, const char *file, const struct path *at)
{
        (void)file;
        if (ref_is_set(ref_get(volume, "secret")))
                (void)config_find(c, "Secret", ref_get(volume, "secret"), "secretName",
                                  AT(at, "secret"));
}
