/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "jvx.h"
#include "release.h"
#include "rules/rules.h"
#include "decode.h"

void check_vm(jv *item, const struct settings *settings, struct keys *keys, struct diag *d)
{
        bool was_quiet = d->quiet;
        JVX_AUTO jv vm = jvx_detach(item, "vm");

        d->quiet = was_quiet || ref_bool(ref_get(ref_of(item), "validated"), false);
        decode_value(&vm, &type_virtual_machine, release_of(settings)->minor, NULL, d);
        jvx_set(item, "vm", jvx_take(&vm));
        rules_check(ref_with(item, keys), settings, d);
        d->quiet = was_quiet;
}

void check_done(jv *item)
{
        jvx_set(item, "validated", jv_true());
}
