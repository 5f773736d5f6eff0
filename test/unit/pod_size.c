/* SPDX-License-Identifier: Apache-2.0 */
#include "pod_size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "check.h"
#include "jvx.h"

static jv list_of(int n)
{
        jv list = jv_array();

        for (int i = 0; i < n; i++)
                jvx_append(&list, jv_object());
        return list;
}

/* Is it held to the bound, and what is said if it is not? */
static void check(jv spec, const char *message)
{
        JVX_AUTO jv v = spec;
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        struct diag d = { .style = { .prog = "test" }, .out = out };

        CHECK(out);
        diag_begin(&d, "f", 1, NULL, NULL);
        CHECK(pod_size_holds(ref_of(&v), AT(NULL, "spec"), &d) == !message);
        CHECK(diag_failed(&d) == (message != NULL));
        diag_flush(&d);
        diag_release(&d);
        CHECK(fclose(out) == 0);
        CHECK(message ? strstr(text, message) != NULL : size == 0);
        free(text);
}

int main(void)
{
        static const struct {
                const char *list;
                int most;
        } lists[] = { { "initContainers", 256 }, { "containers", 256 }, { "volumes", 512 } };

        check(jv_object(), NULL);
        for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
                char message[80];

                (void)snprintf(message, sizeof message, "spec.%s: %d elements; have %d at most",
                               lists[i].list, lists[i].most + 1, lists[i].most);
                check(jvx_build("{%s: %j}", lists[i].list, list_of(lists[i].most)), NULL);
                check(jvx_build("{%s: %j}", lists[i].list, list_of(lists[i].most + 1)), message);
        }
        check(jvx_build("{initContainers: [{}, {volumeMounts: %j}]}", list_of(512)), NULL);
        check(jvx_build("{initContainers: [{}, {volumeMounts: %j}]}", list_of(513)),
              "spec.initContainers[1].volumeMounts: 513 elements; have 512 at most");
        return 0;
}
