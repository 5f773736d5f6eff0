/* SPDX-License-Identifier: Apache-2.0 */
/* Machine, firmware and guest features. */
#include <string.h>

#include "array.h"
#include "names.h"
#include "release.h"
#include "rules/rules.h"

/* pkg/virt-config/virt-config.go, GetEmulatedMachines: "q35*" and so on. filepath.Match is what
 * takes a type for one of them, and its '*' stops at a slash. */
static const struct {
        const char *arch;
        const char *prefixes[2];
        const char *words; /* for the message */
} machines[] = {
        { "amd64", { "q35", "pc-q35" }, "q35 or pc-q35-..." },
        { "arm64", { "virt", NULL }, "virt or virt-..." },
        { "s390x", { "s390-ccw-virtio", NULL }, "s390-ccw-virtio or s390-ccw-virtio-..." },
};

/* GetEmulatedMachines takes every architecture that it does not know for amd64. */
static size_t machine_row(const char *arch)
{
        for (size_t i = 1; i < ARRAY_LEN(machines); i++)
                if (strcmp(machines[i].arch, arch) == 0)
                        return i;
        return 0;
}

void rule_machine_type(const struct subject *s)
{
        const char *type = ref_text(s->domain, "machine.type");
        size_t row = machine_row(s->arch);

        if (!*type)
                return;
        for (size_t i = 0; i < ARRAY_LEN(machines[row].prefixes); i++) {
                const char *prefix = machines[row].prefixes[i];

                if (prefix && strncmp(type, prefix, strlen(prefix)) == 0 && !strchr(type, '/'))
                        return;
        }
        diag_report(s->d, VMQ_MACHINE_TYPE, AT_DOMAIN("machine.type"),
                    "'%.100s' is not a machine type of %.20s; use %s", type, s->arch,
                    machines[row].words);
}

static void check_acpi_ref(const struct subject *s, const char *field)
{
        const char *name = ref_text(ref_at(s->domain, "firmware.acpi"), field);
        struct ref vol = named(&s->volume_at, s->volumes, name);
        const struct path *at = AT(AT_DOMAIN("firmware.acpi"), field);

        if (!*name)
                return;
        if (!ref_is_set(vol))
                diag_report(s->d, VMQ_ACPI_VOLUME, at, "there is no volume '%.100s'; add it", name);
        else if (!ref_is_set(ref_get(vol, "secret")))
                diag_report(s->d, VMQ_ACPI_VOLUME, at,
                            "the volume '%.100s' is not a secret; ACPI tables come from one", name);
}

void rule_acpi(const struct subject *s)
{
        struct ref acpi = ref_at(s->domain, "firmware.acpi");

        if (!ref_is_set(acpi))
                return;
        if (!*ref_text(acpi, "slicNameRef") && !*ref_text(acpi, "msdmNameRef")) {
                diag_report(s->d, VMQ_ACPI_EMPTY, AT_DOMAIN("firmware.acpi"),
                            "neither slicNameRef nor msdmNameRef is there; drop acpi");
                return;
        }
        check_acpi_ref(s, "slicNameRef");
        check_acpi_ref(s, "msdmNameRef");
}

void rule_bootloader(const struct subject *s)
{
        struct ref bootloader = ref_at(s->domain, "firmware.bootloader");

        if (ref_is_set(ref_get(bootloader, "efi")) && ref_is_set(ref_get(bootloader, "bios")))
                diag_report(s->d, VMQ_BOOTLOADER, AT_DOMAIN("firmware.bootloader"),
                            "efi and bios exclude each other; keep one");
        if (ref_is_set(ref_get(bootloader, "bios")) &&
            ref_eq(ref_get(s->vmi, "architecture"), "arm64"))
                diag_report(s->d, VMQ_ARM64_BIOS, AT_DOMAIN("firmware.bootloader.bios"),
                            "arm64 has no BIOS; use efi");
}

void rule_secure_boot(const struct subject *s)
{
        struct ref efi = ref_at(s->domain, "firmware.bootloader.efi");

        if (!ref_is_set(efi) || !ref_bool(ref_get(efi, "secureBoot"), true))
                return;
        if (ref_is_set(ref_at(s->domain, "launchSecurity.tdx")) &&
            release_of(s->settings)->tdx_secureboot)
                return;
        if (!feature_on(ref_at(s->domain, "features.smm")))
                diag_report(s->d, VMQ_SECURE_BOOT_SMM, AT_DOMAIN("features.smm"),
                            "Secure Boot (on unless secureBoot: false) needs SMM; add "
                            "features.smm: {}");
}

static void check_kernel_path(const struct subject *s, const char *field)
{
        const char *path = ref_text(ref_at(s->domain, "firmware.kernelBoot.container"), field);
        const char *fault = *path ? path_fault(path) : NULL;

        if (fault)
                diag_report(s->d, VMQ_KERNEL_BOOT_PATH,
                            AT(AT_DOMAIN("firmware.kernelBoot.container"), field), "'%.200s' %s",
                            path, fault);
}

void rule_kernel_boot(const struct subject *s)
{
        struct ref boot = ref_at(s->domain, "firmware.kernelBoot");
        struct ref container = ref_get(boot, "container");
        const struct path *at = AT_DOMAIN("firmware.kernelBoot.container");

        if (!ref_is_set(boot))
                return;
        if (!ref_is_set(container)) {
                if (*ref_text(boot, "kernelArgs"))
                        diag_report(s->d, VMQ_KERNEL_BOOT_ARGS,
                                    AT_DOMAIN("firmware.kernelBoot.kernelArgs"),
                                    "kernel arguments need a kernel; add kernelBoot.container");
                return;
        }
        if (!*ref_text(container, "image"))
                report_missing(s, VMQ_KERNEL_BOOT, AT(at, "image"),
                               "the container with the kernel has no image");
        if (!*ref_text(container, "kernelPath") && !*ref_text(container, "initrdPath"))
                report_missing(
                        s, VMQ_KERNEL_BOOT, at,
                        "neither kernelPath nor initrdPath is there; say which file to boot");
        check_kernel_path(s, "kernelPath");
        check_kernel_path(s, "initrdPath");
}

void rule_firmware_uuid(const struct subject *s)
{
        const char *uuid = ref_text(s->domain, "firmware.uuid");

        if (*uuid && !name_is_uuid(uuid))
                diag_report(s->d, VMQ_FIRMWARE_UUID, AT_DOMAIN("firmware.uuid"),
                            "'%.100s' is not a UUID, and libvirt would not start the guest; leave "
                            "it out",
                            uuid);
}

/*
 * Is the enlightenment on in the VMI? By then what is mentioned is on (SetDefaults_FeatureState),
 * and synictimer has turned on synic where nothing is said about that (pkg/defaults/hyperv.go,
 * TryToSetRequirement).
 */
static bool enlightens(struct ref hyperv, const char *feature)
{
        if (strcmp(feature, "synic") == 0 && !ref_is_set(ref_get(hyperv, feature)))
                return feature_on(ref_get(hyperv, "synictimer"));
        return feature_on(ref_get(hyperv, feature));
}

/* pkg/virt-api/webhooks/hyperv.go, getHypervFeatureDependencies: what needs what. What is needed
 * and not mentioned has been turned on as well, so only what is turned off is amiss. */
void rule_hyperv(const struct subject *s)
{
        static const struct {
                const char *feature, *needs;
        } rows[] = { { "evmcs", "vapic" },
                     { "ipi", "vpindex" },
                     { "tlbflush", "vpindex" },
                     { "synictimer", "synic" },
                     { "synic", "vpindex" } };
        struct ref hyperv = ref_at(s->domain, "features.hyperv");
        const struct path *at = AT_DOMAIN("features.hyperv");

        for (size_t i = 0; i < ARRAY_LEN(rows); i++)
                if (enlightens(hyperv, rows[i].feature) &&
                    !ref_bool(ref_get(ref_get(hyperv, rows[i].needs), "enabled"), true))
                        diag_report(s->d, VMQ_HYPERV, AT(at, rows[i].feature),
                                    "%s needs %s, which is turned off; turn it on", rows[i].feature,
                                    rows[i].needs);
        if (ref_is_set(hyperv) && ref_is_set(ref_at(s->domain, "features.hypervPassthrough")))
                diag_report(s->d, VMQ_HYPERV_TWICE, at,
                            "hyperv and hypervPassthrough exclude each other; keep one");
}
