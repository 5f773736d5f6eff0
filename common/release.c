/* SPDX-License-Identifier: Apache-2.0 */
#include "release.h"

#include <stddef.h>
#include <string.h>

#include "array.h"

/*
 * Gates: pkg/virt-config/featuregate/active.go and inactive.go. 1.8 turns only GA gates on by
 * itself (pkg/virt-config/feature-gates.go, isFeatureGateEnabled), 1.9 Beta ones too
 * (featuregate/feature-gates.go, IsEnabled). Left out are gates that neither a VMI nor its Pod can
 * tell the difference of.
 */
static const char *const gates_1_8[] = {
        "AutoResourceLimitsGate",
        "BochsDisplayForEFIGuests",
        "CPUNodeDiscovery",
        "DynamicPodInterfaceNaming",
        "EnableVirtioFsConfigVolumes",
        "GPU",
        "HostDisk",
        "HotplugNICs",
        "ImageVolume",
        "LiveMigration",
        "NUMA",
        "NetworkBindingPlugins",
        "NonRoot",
        "PSA",
        "VMLiveUpdateFeatures",
        "VMPersistentState",
        NULL,
};

static const char *const gates_1_9[] = {
        "AutoResourceLimitsGate",
        "BochsDisplayForEFIGuests",
        "CPUNodeDiscovery",
        "DeclarativeHotplugVolumes",
        "DynamicPodInterfaceNaming",
        "EnableVirtioFsConfigVolumes",
        "ExternalNetResourceInjection",
        "GPU",
        "GPUsWithDRA",
        "HostDevicesWithDRA",
        "HostDisk",
        "HotplugNICs",
        "ImageVolume",
        "KubevirtSeccompProfile",
        "LibvirtHooksServerAndClient",
        "LiveMigration",
        "NUMA",
        "NetworkBindingPlugins",
        "NonRoot",
        "PSA",
        "PanicDevices",
        "PasstBinding",
        "PersistentReservation",
        "PodSecondaryInterfaceNamingUpgrade",
        "RebootPolicy",
        "SecureExecution",
        "VMLiveUpdateFeatures",
        "VMPersistentState",
        "VideoConfig",
        "VmiMemoryOverheadReport",
        "WorkloadEncryptionSEV",
        NULL,
};

/* Oldest first. */
static const struct release releases[] = {
        {
                .name = "1.8",
                .major = 1,
                .minor = 8,
                .image = "quay.io/kubevirt/virt-launcher:v1.8.4",
                .gates = gates_1_8,
                .ovmf_path = { "/usr/share/OVMF", "/usr/share/AAVMF", "" },
        },
        {
                .name = "1.9",
                .major = 1,
                .minor = 9,
                .image = "quay.io/kubevirt/virt-launcher:v1.9.0",
                .gates = gates_1_9,
                .ovmf_path = { "/usr/share/edk2/ovmf", "/usr/share/AAVMF", "" },
                .qgs_socket = "/var/run/tdx-qgs/qgs.socket",
                .tdx_device = true,
                .tdx_secureboot = true,
                .reservation_affinity = true,
                .virtiofs_translate_uid = true,
                .one_binding = true,
        },
};

#define NEWEST (&releases[ARRAY_LEN(releases) - 1])

/* A whole number of at most four digits at *p, which moves behind it; -1 if there is none. */
static int read_number(const char **p)
{
        int n = 0, digits = 0;

        for (; **p >= '0' && **p <= '9'; (*p)++) {
                if (++digits > 4)
                        return -1;
                n = n * 10 + (**p - '0');
        }
        return digits ? n : -1;
}

/* The release numbers in the tag of an image ("host:5000/name:v1.9.0-rc.1@sha256:..."); false if it
 * has no tag or the tag is no release's. */
static bool image_release(const char *image, int *major, int *minor)
{
        const char *slash = strrchr(image, '/');
        const char *p = slash ? slash + 1 : image;

        p += strcspn(p, ":@");
        if (*p++ != ':')
                return false;
        if (*p == 'v')
                p++;
        *major = read_number(&p);
        if (*major < 0 || *p++ != '.')
                return false;
        *minor = read_number(&p);
        return *minor >= 0 && (*p == '\0' || strchr(".-_+@", *p));
}

/* The newest release that is not newer; the oldest if all are. */
static const struct release *nearest(int major, int minor)
{
        const struct release *found = &releases[0];

        for (size_t i = 0; i < ARRAY_LEN(releases); i++) {
                const struct release *r = &releases[i];

                if (r->major < major || (r->major == major && r->minor <= minor))
                        found = r;
        }
        return found;
}

static const struct release *named(const char *name)
{
        for (size_t i = 0; name && i < ARRAY_LEN(releases); i++)
                if (strcmp(releases[i].name, name) == 0)
                        return &releases[i];
        return NULL;
}

/* launcher-image, if anybody has given it; the built-in default must not decide. */
static const char *given_image(const struct settings *s)
{
        if (!s->given[SET_LAUNCHER_IMAGE] && !s->remembered[SET_LAUNCHER_IMAGE] &&
            !s->configured[SET_LAUNCHER_IMAGE])
                return NULL;
        return setting_text(s, SET_LAUNCHER_IMAGE);
}

const struct release *release_of(const struct settings *s)
{
        const struct release *r = named(setting_text(s, SET_KUBEVIRT));
        const char *image = given_image(s);
        int major, minor;

        if (r)
                return r;
        if (image && image_release(image, &major, &minor))
                return nearest(major, minor);
        return NEWEST;
}

const char *release_image(const struct settings *s)
{
        const char *image = given_image(s);

        return image ? image : release_of(s)->image;
}

void release_report(const struct settings *s, struct diag *d)
{
        const char *image = given_image(s);
        const struct release *r = release_of(s);
        int major, minor;

        if (!image || !image_release(image, &major, &minor) ||
            (r->major == major && r->minor == minor))
                return;
        if (named(setting_text(s, SET_KUBEVIRT)))
                diag_report(d, VMQ_RELEASE_MISMATCH, NULL,
                            "the rules are KubeVirt %s's, the launcher image is %d.%d's (%s); give "
                            "one of --kubevirt and --launcher-image, or both of one release",
                            r->name, major, minor, image);
        else
                diag_report(d, VMQ_RELEASE_UNKNOWN, NULL,
                            "KubeVirt %d.%d (%s) is not known, the rules are those of %s; use a "
                            "launcher image of a known release, or say --kubevirt",
                            major, minor, image, r->name);
}

bool release_gate(const struct release *r, const char *gate)
{
        for (const char *const *g = r->gates; *g; g++)
                if (strcmp(*g, gate) == 0)
                        return true;
        return false;
}
