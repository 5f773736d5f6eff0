/* SPDX-License-Identifier: Apache-2.0 */
/* firmware - the guest's UUID and its boot loader. */
#include <stdio.h>

#include "buf.h"
#include "defaults.h"
#include "jvx.h"
#include "sha1.h"

#define UUID_LEN 36 /* characters */

/* A name's UUID of version 5 (RFC 9562, 5.5) in KubeVirt's own name space:
 * pkg/virt-controller/watch/vm/firmware.go, CalculateLegacyUUID. */
static void uuid_of_name(const char *name, char text[static UUID_LEN + 1])
{
        static const unsigned char space[16] = { 0x6a, 0x1a, 0x24, 0xa1, 0x40, 0x61, 0x46, 0x07,
                                                 0x8b, 0xf4, 0xa3, 0x96, 0x3d, 0x0c, 0x58, 0x95 };
        BUF_AUTO struct buf b = BUF_INIT;
        unsigned char digest[SHA1_SIZE];

        buf_add(&b, (const char *)space, sizeof space);
        buf_adds(&b, name);
        sha1(b.s, b.len, digest);
        digest[6] = (unsigned char)((digest[6] & 0x0f) | 0x50); /* version 5 */
        digest[8] = (unsigned char)((digest[8] & 0x3f) | 0x80); /* variant of the RFC */
        for (int i = 0; i < 16; i++) {
                if (i == 4 || i == 6 || i == 8 || i == 10)
                        *text++ = '-';
                snprintf(text, 3, "%02x", digest[i]);
                text += 2;
        }
}

/* pkg/virt-controller/watch/vm/vm.go, setupStableFirmwareUUID: the same at every start. */
void set_stable_uuid(jv *vmi, const char *name)
{
        char uuid[UUID_LEN + 1];

        if (*ref_text(ref_of(vmi), "spec.domain.firmware.uuid"))
                return;
        uuid_of_name(name, uuid);
        jvx_set_at(vmi, "spec.domain.firmware.uuid", jv_string(uuid));
}

/* pkg/defaults/arm64.go, setDefaultArm64Bootloader: EFI unless a boot loader is named, without
 * secure boot unless that is asked for. */
void set_arm64_bootloader(jv *vmi)
{
        if (!ref_is_set(ref_at(ref_of(vmi), "spec.domain.firmware.bootloader")))
                jvx_set_at(vmi, "spec.domain.firmware.bootloader.efi", jv_object());
        if (ref_is_set(ref_at(ref_of(vmi), "spec.domain.firmware.bootloader.efi")))
                jvx_set_default_at(vmi, "spec.domain.firmware.bootloader.efi.secureBoot",
                                   jv_false());
}
