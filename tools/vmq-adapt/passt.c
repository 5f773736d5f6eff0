/* SPDX-License-Identifier: Apache-2.0 */
#include "jvx.h"
#include "parts.h"
#include "script.h"

#define FOLDER "/passt-bin"

void adapt_passt(struct pod *p)
{
        if (!setting_on(p->settings, SET_PASST_WORKAROUNDS) || !jvx_is(&p->compute, JV_KIND_OBJECT))
                return;
        if (!pod_add_volume(p, jvx_build("{name: 'passt-bin', emptyDir: {}}")))
                return;
        pod_add_init(p,
                     script_container(p, "passt-binary-patcher", script_passt_patcher,
                                      jvx_build("['/usr/bin/passt.avx2', '" FOLDER "']"),
                                      jvx_build("[{name: 'passt-bin', mountPath: '" FOLDER "'}]")),
                     false);
        pod_mount(p, jvx_build("{name: 'passt-bin', mountPath: '" FOLDER "', readOnly: true}"));
}
