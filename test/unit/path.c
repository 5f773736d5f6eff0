/* SPDX-License-Identifier: Apache-2.0 */
#include "path.h"

#include "check.h"

static void check_path(const struct path *p, const char *want)
{
        BUF_AUTO struct buf b = BUF_INIT;

        path_print(p, &b);
        CHECK_STR(b.s, want);
}

int main(void)
{
        const struct path *volumes = AT(NULL, "spec.template.spec.volumes");
        const struct path *third = AT_INDEX(volumes, 2);

        check_path(NULL, "");
        check_path(volumes, "spec.template.spec.volumes");
        check_path(third, "spec.template.spec.volumes[2]");
        check_path(AT(third, "name"), "spec.template.spec.volumes[2].name");
        check_path(AT_INDEX(AT_INDEX(NULL, 0), 1), "[0][1]");
        check_path(AT_KEY(AT(NULL, "metadata.labels"), "app"), "metadata.labels.app");
        check_path(AT_KEY(AT(NULL, "metadata.labels"), "kubevirt.io/x"),
                   "metadata.labels[kubevirt.io/x]");
        check_path(AT_KEY(AT(NULL, "metadata.labels"), ""), "metadata.labels[]");
        check_path(AT_KEY(NULL, "Kind"), "Kind");
        check_path(AT(AT(NULL, "spec"), ""), "spec");
        return 0;
}
