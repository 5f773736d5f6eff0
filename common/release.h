/* SPDX-License-Identifier: Apache-2.0 */
/*
 * release - the KubeVirt releases that vmq knows, and everything in which they differ.
 *
 * A virt-launcher refuses flags that it does not know and misses files that moved, so the VMI and
 * the Pod must be those of the release that the launcher image was built from. What differs is data
 * in release.c, and in the field tables for what the API got (F_SINCE in schema.h): code asks for a
 * field or a gate, never for a release's name.
 *
 * To add a release: `git diff` the two tags over the paths that docs/kubevirt.md lists, copy the
 * newest row of the table, change what changed, and name the release in settings.def.
 */
#ifndef VMQ_RELEASE_H
#define VMQ_RELEASE_H

#include <stdbool.h>

#include "diag.h"
#include "settings.h"

struct release {
        const char *name; /* as --kubevirt has it: "1.9" */
        int major, minor;
        const char *image; /* the launcher image of its last patch release */

        /* Feature gates that are on: GA, Beta where the release turns those on by itself, and the
         * two that the cluster of the decision document asks for (ImageVolume, HostDisk). The
         * names are KubeVirt's; NULL at the end. */
        const char *const *gates;

        /* --ovmf-path by architecture (pkg/virt-config/virt-config.go, DefaultARCHOVMFPath and the
         * two behind it) */
        struct {
                const char *amd64, *arm64, *s390x;
        } ovmf_path;

        /* What a TDX guest's annotation kubevirt.io/qgs-socket-path says (virt-config.go,
         * GetQGSSocketPath); NULL: it has none. */
        const char *qgs_socket;

        bool tdx_device;             /* TDX requests devices.kubevirt.io/tdx
                                        (renderresources.go, WithTDX) */
        bool tdx_secureboot;         /* TDX with secure boot needs no SMM
                                        (vmi-create-admitter.go, validateDomainSpec) */
        bool reservation_affinity;   /* persistent reservations keep Pods of one claim apart
                                        (template.go, setPersistentReservationAntiAffinity) */
        bool virtiofs_translate_uid; /* virtiofsd shows service account tokens as root's
                                        (virtiofs.go, generateContainerFromVolume) */
        bool one_binding;            /* an interface has one binding, no more and no less
                                        (binding.go, validateInterfaceBindingExists) */
};

/* The release that the settings ask for: `kubevirt`, else by the tag of `launcher-image`, else the
 * newest. Never NULL. */
const struct release *release_of(const struct settings *s);

/* The image that runs the VM: `launcher-image` where it is given, else the release's own. */
const char *release_image(const struct settings *s);

/* Say it where the image's tag is of a release that vmq does not know, so that the nearest was
 * taken, or of another than `kubevirt` asks for. */
void release_report(const struct settings *s, struct diag *d);

/* Is the feature gate on? */
bool release_gate(const struct release *r, const char *gate);

#endif
