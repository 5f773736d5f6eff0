/* SPDX-License-Identifier: Apache-2.0 */
/* Encrypted guests: SEV, SEV-SNP, TDX. */
#include <string.h>

#include "rules/rules.h"

/* pkg/virt-api/webhooks/amd64.go, ValidateLaunchSecurityAmd64, for the one kind that is set. */
static void check_kind(const struct subject *s, const char *kind, const char *name)
{
        const struct path *at = AT(AT_DOMAIN("launchSecurity"), kind);
        struct ref efi = ref_at(s->domain, "firmware.bootloader.efi");
        bool tdx = strcmp(kind, "tdx") == 0, sev = strcmp(kind, "sev") == 0;

        if (tdx && feature_on(ref_at(s->domain, "features.smm")))
                diag_report(s->d, VMQ_LAUNCH_SMM, at,
                            "TDX does not work with SMM; set features.smm: {enabled: false}");
        if (!ref_is_set(efi))
                diag_report(s->d, VMQ_LAUNCH_EFI, at, "%s needs EFI; add firmware.bootloader.efi",
                            name);
        else if (!tdx && ref_bool(ref_get(efi, "secureBoot"), true))
                diag_report(s->d, VMQ_LAUNCH_EFI, at,
                            "%s does not work with Secure Boot; set "
                            "firmware.bootloader.efi.secureBoot: false",
                            name);
        if (!sev && ref_bool(ref_get(efi, "persistent"), false))
                diag_report(s->d, VMQ_LAUNCH_EFI, at,
                            "%s does not work with EFI variables that persist; drop "
                            "firmware.bootloader.efi.persistent",
                            name);
        if (sev && ref_is_set(ref_at(s->domain, "launchSecurity.sev.attestation")) &&
            !ref_eq(ref_get(s->vmi, "startStrategy"), "Paused"))
                diag_report(s->d, VMQ_LAUNCH_ATTESTATION, AT(at, "attestation"),
                            "attestation needs a guest that waits for it; set startStrategy: "
                            "Paused");
        REF_EACH(nic, s->interfaces)
                if (ref_is_set(ref_get(nic.item, "bootOrder")))
                        diag_report(s->d, VMQ_LAUNCH_NET_BOOT, at,
                                    "%s does not boot from the network; drop "
                                    "interfaces[%d].bootOrder",
                                    name, nic.i);
}

void rule_launch_security(const struct subject *s)
{
        static const struct {
                const char *kind, *name;
        } kinds[] = { { "sev", "SEV" }, { "snp", "SEV-SNP" }, { "tdx", "TDX" } };
        struct ref launch = ref_get(s->domain, "launchSecurity");
        int which = -1, n = 0;

        if (!ref_is_set(launch) || strcmp(s->arch, "s390x") == 0)
                return;
        if (strcmp(s->arch, "amd64") != 0) {
                diag_report(s->d, VMQ_LAUNCH_ARCH, AT_DOMAIN("launchSecurity"),
                            "there are no encrypted guests on architecture '%.60s'; drop "
                            "launchSecurity",
                            s->arch);
                return;
        }
        for (int i = 0; i < 3; i++) {
                if (!ref_is_set(ref_get(launch, kinds[i].kind)))
                        continue;
                which = i;
                n++;
        }
        if (n != 1)
                diag_report(s->d, VMQ_LAUNCH_KIND, AT_DOMAIN("launchSecurity"),
                            "there must be one of sev, snp and tdx, not %d", n);
        else
                check_kind(s, kinds[which].kind, kinds[which].name);
        if (n == 1 && which == 2)
                diag_report(s->d, VMQ_LAUNCH_TDX, AT_DOMAIN("launchSecurity.tdx"),
                            "TDX needs the feature gate WorkloadEncryptionTDX, which is off; pass "
                            "--admission=warn where the host has it");
}
