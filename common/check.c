/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "jvx.h"
#include "ref.h"

void check_vm(jv *item, const struct settings *settings, struct diag *d)
{
        bool was_quiet = d->quiet;

        (void)settings;
        d->quiet = was_quiet || ref_bool(ref_get(ref_of(item), "validated"), false);
        d->quiet = was_quiet;
}

void check_done(jv *item)
{
        jvx_set(item, "validated", jv_true());
}
