/* SPDX-License-Identifier: Apache-2.0 */
#include "release.h"

#include <jv.h>

#include "check.h"

static const char *release_by(const char *kubevirt, const char *image)
{
        struct settings s = { 0 };

        if (kubevirt)
                settings_give(&s, SET_KUBEVIRT, kubevirt);
        if (image)
                settings_give(&s, SET_LAUNCHER_IMAGE, image);
        const char *name = release_of(&s)->name;

        settings_release(&s);
        return name;
}

/* The tag decides, whatever registry, port and digest stand around it. */
static void by_tag(void)
{
        static const struct {
                const char *image, *name;
        } cases[] = {
                { NULL, "1.9" },
                { "quay.io/kubevirt/virt-launcher:v1.9.0", "1.9" },
                { "quay.io/kubevirt/virt-launcher:v1.8.4", "1.8" },
                { "quay.io/kubevirt/virt-launcher:1.8.0-rc.1", "1.8" },
                { "quay.io/kubevirt/virt-launcher:v1.8", "1.8" },
                { "localhost:5000/virt-launcher:v1.8.2", "1.8" },
                { "localhost:1.8/virt-launcher", "1.9" },
                { "quay.io/kubevirt/virt-launcher:v1.8.4@sha256:0123", "1.8" },
                { "quay.io/kubevirt/virt-launcher@sha256:1.8", "1.9" },
                { "virt-launcher:v1.8.4", "1.8" },
                { "virt-launcher:latest", "1.9" },
                { "virt-launcher:", "1.9" },
                { "virt-launcher:v1", "1.9" },
                { "virt-launcher:v1.", "1.9" },
                { "virt-launcher:v1.8x", "1.9" },
                { "virt-launcher:v1.80", "1.9" },
                { "virt-launcher:v1.99999999999999999999", "1.9" },
                { "virt-launcher:v0.59.0", "1.8" },
                { "virt-launcher:v1.7.0", "1.8" },
                { "virt-launcher:v1.10.0", "1.9" },
                { "virt-launcher:v2.0.0", "1.9" },
                { "", "1.9" },
        };

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                CHECK_STR(release_by(NULL, cases[i].image), cases[i].name);
}

static void by_setting(void)
{
        CHECK_STR(release_by("1.8", NULL), "1.8");
        CHECK_STR(release_by("1.8", "virt-launcher:v1.9.0"), "1.8");
        CHECK_STR(release_by("1.9", "virt-launcher:v1.8.4"), "1.9");
}

static void image(void)
{
        struct settings s = { 0 };

        CHECK_STR(release_image(&s), "quay.io/kubevirt/virt-launcher:v1.9.0");
        settings_give(&s, SET_KUBEVIRT, "1.8");
        CHECK_STR(release_image(&s), "quay.io/kubevirt/virt-launcher:v1.8.4");
        settings_give(&s, SET_LAUNCHER_IMAGE, "example.com/l:x");
        CHECK_STR(release_image(&s), "example.com/l:x");
        settings_release(&s);
}

/* Every release that --kubevirt takes is there, and the default image is the newest's. */
static void table(void)
{
        struct settings s = { 0 };
        struct buf why = BUF_INIT;

        CHECK(setting_check(SET_KUBEVIRT, "1.8", &why) && setting_check(SET_KUBEVIRT, "1.9", &why));
        CHECK_STR(release_of(&s)->image, setting_text(&s, SET_LAUNCHER_IMAGE));
        CHECK(release_gate(release_of(&s), "GPUsWithDRA"));
        CHECK(!release_gate(release_of(&s), "Sidecar"));
        settings_give(&s, SET_KUBEVIRT, "1.8");
        CHECK(!release_gate(release_of(&s), "GPUsWithDRA"));
        CHECK(release_gate(release_of(&s), "HostDisk"));
        buf_release(&why);
        settings_release(&s);
}

/* What release_report() says, NULL for nothing. */
static enum diag_code reported(const char *kubevirt, const char *launcher)
{
        struct settings s = { 0 };
        struct diag d = { .out = fopen("/dev/null", "w"), .style = { .prog = "test" } };
        enum diag_code code = DIAG_CODES;

        if (kubevirt)
                settings_give(&s, SET_KUBEVIRT, kubevirt);
        if (launcher)
                settings_give(&s, SET_LAUNCHER_IMAGE, launcher);
        diag_begin(&d, "test", 1, NULL, NULL);
        release_report(&s, &d);
        CHECK(d.n <= 1);
        if (d.n)
                code = d.messages[0].code;
        diag_flush(&d);
        diag_release(&d);
        fclose(d.out);
        settings_release(&s);
        return code;
}

static void reports(void)
{
        CHECK(reported(NULL, NULL) == DIAG_CODES);
        CHECK(reported("1.8", NULL) == DIAG_CODES);
        CHECK(reported(NULL, "l:v1.8.4") == DIAG_CODES);
        CHECK(reported("1.8", "l:pinned") == DIAG_CODES);
        CHECK(reported("1.8", "l:v1.8.0") == DIAG_CODES);
        CHECK(reported(NULL, "l:v1.7.0") == VMQ_RELEASE_UNKNOWN);
        CHECK(reported(NULL, "l:v1.10.0") == VMQ_RELEASE_UNKNOWN);
        CHECK(reported("1.9", "l:v1.8.4") == VMQ_RELEASE_MISMATCH);
}

int main(void)
{
        by_tag();
        by_setting();
        image();
        table();
        reports();
        return 0;
}
