/* SPDX-License-Identifier: Apache-2.0 */
/* The helpers of the rules, and what the rules make of texts that nobody would write. */
#include "rules/rules.h"

#include "array.h"
#include "check.h"
#include "jvx.h"

static jv read_json(const char *text)
{
        jv v = jv_parse(text);

        CHECK(jv_is_valid(v));
        return v;
}

static void paths(void)
{
        CHECK(!path_fault("/a"));
        CHECK(!path_fault("/a/b.c/"));
        CHECK(!path_fault("/..a/b.."));
        CHECK(!path_fault("/..."));
        CHECK(path_fault("/"));
        CHECK(path_fault(""));
        CHECK(path_fault("a"));
        CHECK(path_fault("//"));
        CHECK(path_fault("/a//"));
        CHECK(path_fault("//a"));
        CHECK(path_fault("/a/./b"));
        CHECK(path_fault("/a/.."));
        CHECK(path_fault("/../a"));
        CHECK(path_fault("/."));
}

static void tables(void)
{
        JVX_AUTO jv list =
                read_json("[{\"name\":\"a\",\"x\":1},{\"name\":\"b\"},{\"name\":\"a\"},{},7]");
        JVX_AUTO jv table = index_by(ref_of(&list), "name");

        CHECK(index_of(&table, "a") == 0);
        CHECK(index_of(&table, "b") == 1);
        CHECK(index_of(&table, "c") == -1);
        CHECK(ref_int(ref_get(named(&table, ref_of(&list), "a"), "x"), 0) == 1);
        CHECK(!ref_is_set(named(&table, ref_of(&list), "c")));
}

static void switches(void)
{
        JVX_AUTO jv v = read_json("{\"on\":{},\"off\":{\"enabled\":false},\"null\":null}");

        CHECK(feature_on(ref_get(ref_of(&v), "on")));
        CHECK(!feature_on(ref_get(ref_of(&v), "off")));
        CHECK(!feature_on(ref_get(ref_of(&v), "null")));
        CHECK(!feature_on(ref_get(ref_of(&v), "absent")));
        CHECK(count_set(ref_of(&v), (const char *const[]){ "on", "off", "null", "x", NULL }) == 2);
}

/* What a subject makes of a VM: KubeVirt's defaults. */
static void defaults(void)
{
        JVX_AUTO jv item = read_json(
                "{\"vm\":{\"metadata\":{\"name\":\"a\"},\"spec\":{\"template\":{\"spec\":{"
                "\"domain\":{"
                "\"resources\":{\"limits\":{\"cpu\":\"2500m\",\"memory\":\"2Gi\"}}}}}}}}");
        struct settings settings = { 0 };
        struct diag d = { .out = stderr };
        struct subject s = { .d = &d, .settings = &settings };

        subject_open(&s, ref_of(&item));
        CHECK_STR(s.arch, "amd64");
        CHECK(s.sockets == 3 && s.cores == 1 && s.threads == 1);
        CHECK(quantity_milli_value(s.request_cpu) == 2500);
        CHECK(s.has_guest && quantity_value(s.guest) == 2LL << 30);
        CHECK(s.pod_network);
        subject_close(&s);
}

/* Values of every kind in every place that a rule looks at: no rule may fall over. */
static void any_kind(void)
{
        static const char *const values[] = {
                "null", "7",  "-1e300", "\"x\"",       "true",
                "[]",   "{}", "[[]]",   "[null,7,{}]", "{\"a\":[{}]}"
        };
        static const char *const fields[] = {
                "metadata",
                "spec",
                "spec.template",
                "spec.template.spec",
                "spec.template.spec.domain",
                "spec.template.spec.domain.cpu",
                "spec.template.spec.domain.memory",
                "spec.template.spec.domain.resources",
                "spec.template.spec.domain.devices",
                "spec.template.spec.domain.devices.disks",
                "spec.template.spec.domain.devices.interfaces",
                "spec.template.spec.volumes",
                "spec.template.spec.networks",
                "spec.template.spec.affinity",
                "spec.template.spec.accessCredentials",
                "spec.template.spec.dnsConfig",
                "spec.template.spec.topologySpreadConstraints",
                "spec.dataVolumeTemplates",
                "spec.template.spec.domain.launchSecurity",
                "spec.template.spec.domain.firmware",
                "spec.template.spec.domain.features",
                "spec.template.spec.readinessProbe",
                "spec.template.spec.resourceClaims",
                "metadata.labels",
                "spec.template.metadata.annotations",
        };
        struct settings settings = { 0 };

        for (size_t f = 0; f < ARRAY_LEN(fields); f++)
                for (size_t v = 0; v < ARRAY_LEN(values); v++) {
                        JVX_AUTO jv item = jv_object();
                        JVX_AUTO jv vm = jv_object();
                        FILE *out = fopen("/dev/null", "w");
                        struct diag d = { .style = { .prog = "test" }, .out = out };

                        CHECK(out);
                        jvx_set_at(&vm, fields[f], read_json(values[v]));
                        jvx_set(&item, "vm", jvx_take(&vm));
                        diag_begin(&d, "x", 1, NULL, NULL);
                        rules_check(ref_of(&item), &settings, &d);
                        CHECK(diag_failed(&d));
                        diag_flush(&d);
                        diag_release(&d);
                        fclose(out);
                }
}

int main(void)
{
        paths();
        tables();
        switches();
        defaults();
        any_kind();
        return 0;
}
