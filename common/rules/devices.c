/* SPDX-License-Identifier: Apache-2.0 */
/* The other devices of the guest, and the resource claims that they come from. */
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "buf.h"
#include "jvx.h"
#include "names.h"
#include "rules/rules.h"

void rule_inputs(const struct subject *s)
{
        static const char *const buses[] = { "virtio", "usb", NULL };
        static const char *const types[] = { "tablet", NULL };

        REF_EACH(input, ref_get(s->devices, "inputs")) {
                const struct path *at = AT_INDEX(AT_DEVICES("inputs"), input.i);

                one_of(s, VMQ_INPUT, AT(at, "bus"), ref_text(input.item, "bus"), buses);
                if (!*ref_text(input.item, "type"))
                        report_missing(s, VMQ_INPUT, AT(at, "type"),
                                       "the input device has no type; use tablet");
                one_of(s, VMQ_INPUT, AT(at, "type"), ref_text(input.item, "type"), types);
        }
}

void rule_io_threads(const struct subject *s)
{
        static const char *const known[] = { "shared", "auto", "supplementalPool", NULL };
        struct ref policy = ref_get(s->domain, "ioThreadsPolicy");

        if (ref_eq(policy, ""))
                diag_report(s->d, VMQ_IO_THREADS_POLICY, AT_DOMAIN("ioThreadsPolicy"),
                            "the value is empty; leave it out");
        one_of(s, VMQ_IO_THREADS_POLICY, AT_DOMAIN("ioThreadsPolicy"),
               ref_text(s->domain, "ioThreadsPolicy"), known);
        if (ref_eq(policy, "supplementalPool") &&
            ref_int(ref_at(s->domain, "ioThreads.supplementalPoolThreadCount"), 0) < 1)
                diag_report(s->d, VMQ_IO_THREADS_COUNT,
                            AT_DOMAIN("ioThreads.supplementalPoolThreadCount"),
                            "the pool of I/O threads is empty; say how many there are");
}

void rule_sound(const struct subject *s)
{
        static const char *const models[] = { "ich9", "ac97", NULL };
        struct ref sound = ref_get(s->devices, "sound");

        if (!ref_is_set(sound))
                return;
        one_of(s, VMQ_SOUND, AT_DEVICES("sound.model"), ref_text(sound, "model"), models);
        if (!*ref_text(sound, "name"))
                report_missing(s, VMQ_SOUND, AT_DEVICES("sound.name"),
                               "the sound device has no name");
        if (ref_eq(ref_get(s->vmi, "architecture"), "arm64"))
                diag_report(s->d, VMQ_ARCH_DEVICE, AT_DEVICES("sound"),
                            "arm64 has no sound device; drop it");
}

/* vmi-create-admitter.go, countConfiguredMDEVRamFBs; in the VMI, a ramFB that is mentioned is on
 * (SetDefaults_FeatureState). */
static bool is_ramfb(struct ref gpu)
{
        struct ref display = ref_at(gpu, "virtualGPUOptions.display");
        struct ref ramfb = ref_get(display, "ramFB");

        return ref_is_set(display) && ref_bool(ref_get(display, "enabled"), true) &&
               (!ref_is_set(ramfb) || feature_on(ramfb));
}

void rule_gpu_ramfb(const struct subject *s)
{
        int n = 0;

        REF_EACH(gpu, ref_get(s->devices, "gpus"))
                if (is_ramfb(gpu.item) && ++n > 1)
                        diag_report(s->d, VMQ_GPU_RAMFB,
                                    AT(AT_INDEX(AT_DEVICES("gpus"), gpu.i),
                                       "virtualGPUOptions.display"),
                                    "another GPU boots on ramfb already; set ramFB: {enabled: "
                                    "false} here");
}

void rule_video(const struct subject *s)
{
        static const struct {
                const char *arch;
                const char *types[6];
        } known[] = { { "amd64", { "vga", "cirrus", "virtio", "ramfb", "bochs", NULL } },
                      { "arm64", { "virtio", "ramfb", NULL } },
                      { "s390x", { "virtio", NULL } } };
        struct ref video = ref_get(s->devices, "video");

        if (!ref_is_set(video))
                return;
        if (!ref_bool(ref_get(s->devices, "autoattachGraphicsDevice"), true))
                diag_report(s->d, VMQ_VIDEO_HEADLESS, AT_DEVICES("video"),
                            "a headless guest (autoattachGraphicsDevice: false) has no video; drop "
                            "one of the two");
        for (size_t i = 0; i < ARRAY_LEN(known); i++) {
                if (strcmp(known[i].arch, s->arch) != 0)
                        continue;
                if (!*ref_text(video, "type"))
                        diag_report(s->d, VMQ_VIDEO_TYPE, AT_DEVICES("video.type"),
                                    "the video device has no type; use virtio");
                one_of(s, VMQ_VIDEO_TYPE, AT_DEVICES("video.type"), ref_text(video, "type"),
                       known[i].types);
        }
}

/* pkg/virt-api/webhooks/amd64.go, validateWatchdogAmd64, and s390x.go, validateWatchdogS390x. They
 * see the VMI, where a watchdog that names no device has got its architecture's (SetAmd64Watchdog).
 */
void rule_watchdog(const struct subject *s)
{
        struct ref watchdog = ref_get(s->devices, "watchdog");
        bool i6300 = ref_is_set(ref_get(watchdog, "i6300esb"));
        bool diag = ref_is_set(ref_get(watchdog, "diag288"));
        bool amd64 = strcmp(s->arch, "amd64") == 0, s390x = strcmp(s->arch, "s390x") == 0;

        if (!ref_is_set(watchdog))
                return;
        if (strcmp(s->arch, "arm64") == 0)
                diag_report(s->d, VMQ_ARCH_DEVICE, AT_DEVICES("watchdog"),
                            "arm64 has no watchdog; drop it");
        if (amd64 && diag)
                diag_report(s->d, VMQ_ARCH_DEVICE, AT_DEVICES("watchdog"),
                            "amd64 has the i6300esb watchdog only; use i6300esb: {action: reset}");
        if (s390x && i6300)
                diag_report(s->d, VMQ_ARCH_DEVICE, AT_DEVICES("watchdog"),
                            "s390x has the diag288 watchdog only; use diag288: {action: reset}");
}

void rule_panic_devices(const struct subject *s)
{
        static const char *const models[] = { "hyperv", "isa", "pvpanic", NULL };
        struct ref panics = ref_get(s->devices, "panicDevices");

        if (ref_len(panics) && strcmp(s->arch, "s390x") == 0)
                diag_report(s->d, VMQ_ARCH_DEVICE, AT_DEVICES("panicDevices"),
                            "s390x has no panic device to choose; drop them");
        REF_EACH(p, panics) {
                const struct path *at = AT(AT_INDEX(AT_DEVICES("panicDevices"), p.i), "model");

                if (ref_eq(ref_get(p.item, "model"), ""))
                        diag_report(s->d, VMQ_PANIC_MODEL, at, "the value is empty; leave it out");
                one_of(s, VMQ_PANIC_MODEL, at, ref_text(p.item, "model"), models);
        }
}

/* --- devices from resource claims ----------------------------------------------------------- */

/* ClaimRequest is there as soon as one of its fields is. */
static bool from_claim(struct ref device)
{
        return ref_is_set(ref_get(device, "claimName")) ||
               ref_is_set(ref_get(device, "requestName"));
}

static bool has_device_name(struct ref device)
{
        return *ref_text(device, "deviceName") != 0;
}

/* The claim and request of the device must be complete, known, and no other device's
 * (dra_admitter.go, validateDRADevices, mergeTupleSource, validateCreationDRA). */
static void check_claim(const struct subject *s, struct ref device, const struct path *at,
                        jv *pairs, const jv *claims)
{
        const char *claim = ref_text(device, "claimName");
        const char *request = ref_text(device, "requestName");
        BUF_AUTO struct buf key = BUF_INIT;

        if (!*claim)
                report_missing(s, VMQ_CLAIM_DEVICE, AT(at, "claimName"),
                               "a device from a resource claim needs claimName");
        if (!*request)
                report_missing(s, VMQ_CLAIM_DEVICE, AT(at, "requestName"),
                               "a device from a resource claim needs requestName");
        if (!*claim || !*request)
                return;
        buf_addf(&key, "%s/%s", claim, request);
        if (ref_is_set(ref_get(ref_of(pairs), key.s)))
                diag_report(s->d, VMQ_CLAIM_TWICE, at,
                            "another device takes request '%.60s' of claim '%.60s' already",
                            request, claim);
        jvx_set(pairs, key.s, jv_true());
        if (index_of(claims, claim) < 0)
                diag_report(s->d, VMQ_CLAIM_UNKNOWN, AT(at, "claimName"),
                            "spec.template.spec.resourceClaims has no '%.100s'; add it", claim);
}

/* pkg/dra/admitter/dra_admitter.go, validateDRADevices, for one list. */
static void check_devices(const struct subject *s, const char *list, bool reject_mixed, jv *pairs,
                          const jv *claims)
{
        struct ref devices = ref_get(s->devices, list);
        const struct path *at = AT(AT(NULL, "spec.template.spec.domain.devices"), list);
        int named_devices = 0, claimed = 0;

        REF_EACH(d, devices) {
                bool dra = !has_device_name(d.item) && from_claim(d.item);

                claimed += dra;
                named_devices += !dra;
        }
        if (reject_mixed && named_devices && claimed) {
                diag_report(s->d, VMQ_DEVICE_MIXED, at,
                            "some have a deviceName and some a claimName; use one way for all");
                return;
        }
        REF_EACH(d, devices) {
                const struct path *here = AT_INDEX(at, d.i);

                if (!has_device_name(d.item) && from_claim(d.item))
                        check_claim(s, d.item, here, pairs, claims);
                else if (!has_device_name(d.item))
                        report_missing(s, VMQ_DEVICE_NAME, here,
                                       "nothing says which device it is; add deviceName");
                else if (from_claim(d.item))
                        diag_report(s->d, VMQ_DEVICE_NAME, here,
                                    "deviceName and claimName exclude each other; keep deviceName");
        }
}

void rule_host_devices(const struct subject *s)
{
        JVX_AUTO jv pairs = jv_object();
        JVX_AUTO jv claims = index_by(ref_get(s->vmi, "resourceClaims"), "name");

        check_devices(s, "gpus", true, &pairs, &claims);
        check_devices(s, "hostDevices", false, &pairs, &claims);
}

static void check_resource_claim(const struct subject *s, struct ref claim, const struct path *at,
                                 bool twice)
{
        static const char *const names[] = { "resourceClaimName", "resourceClaimTemplateName",
                                             NULL };
        const char *name = ref_text(claim, "name");
        int n = count_set(claim, names);

        if (!*name)
                report_missing(s, VMQ_RESOURCE_CLAIM, AT(at, "name"), "the claim has no name");
        else if (twice)
                diag_report(s->d, VMQ_RESOURCE_CLAIM, AT(at, "name"),
                            "another claim is called '%.100s' already", name);
        else
                want_label(s, VMQ_RESOURCE_CLAIM, AT(at, "name"), name);
        if (n != 1)
                diag_report(s->d, VMQ_RESOURCE_CLAIM, at,
                            "a claim has one of resourceClaimName and resourceClaimTemplateName; "
                            "%s",
                            n ? "keep one" : "add one");
        for (int i = 0; names[i]; i++)
                if (ref_is_set(ref_get(claim, names[i])))
                        want_subdomain(s, VMQ_RESOURCE_CLAIM, AT(at, names[i]),
                                       ref_text(claim, names[i]));
}

void rule_resource_claims(const struct subject *s)
{
        struct ref claims = ref_get(s->vmi, "resourceClaims");
        JVX_AUTO jv first = index_by(claims, "name");

        REF_EACH(c, claims)
                check_resource_claim(s, c.item, AT_INDEX(AT_VMI("resourceClaims"), c.i),
                                     index_of(&first, ref_text(c.item, "name")) != c.i);
}
