/* SPDX-License-Identifier: Apache-2.0 */
#include "script.h"

#include <ctype.h>

#include "buf.h"
#include "jvx.h"

/* The .inc files are the bytes of scripts/, as a list of numbers (Makefile). */
const char script_dir_init[] = {
#include "vmq-adapt/scripts/say.inc"
#include "vmq-adapt/scripts/dir-init.inc"
        0
};

const char script_dir_init_disks[] = {
#include "vmq-adapt/scripts/say.inc"
#include "vmq-adapt/scripts/disk.inc"
#include "vmq-adapt/scripts/dir-init.inc"
        0
};

const char script_init_disk[] = {
#include "vmq-adapt/scripts/say.inc"
#include "vmq-adapt/scripts/disk.inc"
#include "vmq-adapt/scripts/init-disk.inc"
        0
};

const char script_import_disk[] = {
#include "vmq-adapt/scripts/say.inc"
#include "vmq-adapt/scripts/disk.inc"
#include "vmq-adapt/scripts/import-disk.inc"
        0
};

const char script_passt_patcher[] = {
#include "vmq-adapt/scripts/say.inc"
#include "vmq-adapt/scripts/passt-patcher.inc"
        0
};

jv script_container(const struct pod *p, const char *name, const char *script, jv args, jv mounts)
{
        jv all = jvx_concat(jvx_build("[%s, %s]", script, name), args);

        return jvx_build("{name: %s, image: %s, command: ['/bin/sh', '-c'], args: %j,"
                         " volumeMounts: %j, securityContext: {runAsUser: 0, runAsGroup: 0,"
                         " runAsNonRoot: false, allowPrivilegeEscalation: false, capabilities:"
                         " {drop: ['ALL'], add: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER']}}}",
                         name, setting_text(p->settings, SET_LAUNCHER_IMAGE), all, mounts);
}

jv script_owner(void)
{
        BUF_AUTO struct buf b = BUF_INIT;

        buf_addf(&b, "%d:%d", POD_QEMU_UID, POD_QEMU_UID);
        return jv_string(b.s);
}

jv script_number(long long n)
{
        BUF_AUTO struct buf b = BUF_INIT;

        buf_addf(&b, "%lld", n);
        return jv_string(b.s);
}

jv script_name(const char *prefix, const char *volume)
{
        BUF_AUTO struct buf b = BUF_INIT;

        buf_adds(&b, prefix);
        for (; *volume; volume++)
                buf_addc(&b, (char)(*volume == '_' ? '-' : tolower((unsigned char)*volume)));
        return jv_string(b.s);
}
