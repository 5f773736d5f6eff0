/* SPDX-License-Identifier: Apache-2.0 */
#include "decode.h"

#include "check.h"
#include "jvx.h"
#include "json.h"
#include "ref.h"

/* What decoding left, and the messages. */
static struct buf left = BUF_INIT, messages = BUF_INIT;

static struct diag new_diag(FILE *out)
{
        return (struct diag){
                .out = out,
                .style = { .prog = "test", .strict = SEVERITY_ERROR, .admission = SEVERITY_ERROR }
        };
}

/* Decode a JSON text as a value of the type in KubeVirt 1.minor, with raw scalars if raw. */
static void decode_as(const struct type *type, int minor, const char *text)
{
        FILE *out = tmpfile();
        struct diag d = new_diag(out);
        JVX_AUTO jv v = jv_parse(text);
        char line[2000];

        CHECK(out && jv_is_valid(v));
        diag_begin(&d, "t", 0, NULL, NULL);
        decode_value(&v, type, minor, NULL, &d);
        diag_flush(&d);
        diag_release(&d);
        buf_clear(&left);
        json_print(&v, &left);
        rewind(out);
        buf_clear(&messages);
        while (fgets(line, sizeof line, out))
                buf_adds(&messages, line);
        (void)fclose(out);
}

/* A piece of a VirtualMachine: its text, what is left of it, and the messages without their path to
 * the piece and what is before it. */
struct piece {
        const char *in, *out, *says;
};

#define SPEC "spec.template.spec"

/* Decode a VM whose template's spec has the members of p->in beside the domain (a text of the form
 * `"k": v`), and compare the members that are left. */
static void check_spec(const struct piece *p)
{
        BUF_AUTO struct buf vm = BUF_INIT;
        BUF_AUTO struct buf want = BUF_INIT;

        buf_addf(&vm,
                 "{\"spec\":{\"template\":{\"spec\":{\"domain\":{\"resources\":{},\"devices\":{}}%"
                 "s%s},"
                 "\"metadata\":{}}},\"metadata\":{}}",
                 *p->in ? "," : "", p->in);
        buf_addf(&want,
                 "{\"spec\":{\"template\":{\"spec\":{\"domain\":{\"resources\":{},\"devices\":{}}%"
                 "s%s},"
                 "\"metadata\":{}}},\"metadata\":{}}",
                 *p->out ? "," : "", p->out);
        decode_as(&type_virtual_machine, 9, vm.s);
        CHECK_STR(left.s, want.s);
        if (!*p->says)
                CHECK_STR(messages.s, "");
        else if (!strstr(messages.s, p->says))
                CHECK_STR(messages.s, p->says);
}

static const struct piece spec_pieces[] = {
        { "", "", "" },
        /* unknown fields */
        { "\"hostnam\":\"a\"", "",
          "t: error: " SPEC ".hostnam: VirtualMachineInstanceSpec has no such field; did you "
          "mean \"hostname\"? [VMQ0110]\n" },
        { "\"Hostname\":\"a\"", "", "did you mean \"hostname\"?" },
        { "\"memory\":{}", "", "did you mean \"domain.memory\"?" },
        { "\"volumes\":[{\"name\":\"a\",\"networks\":1}]", "\"volumes\":[{\"name\":\"a\"}]",
          "Volume has no such field; VirtualMachineInstanceSpec has it: move it up to "
          "spec.template.spec.networks [VMQ0110]\n" },
        { "\"accessCredentials\":[{\"SOURCE\":1,\"userPassword\":null,\"sshPublicKey\":{"
          "\"source\":{},\"propagationMethod\":{}}}]",
          "\"accessCredentials\":[{\"sshPublicKey\":{\"source\":{},\"propagationMethod\":{}"
          "}}]",
          "did you mean \"sshPublicKey.source\"?" },
        { "\"x.y\":1", "",
          "error: " SPEC "[x.y]: VirtualMachineInstanceSpec has no such field; remove it" },
        /* texts */
        { "\"hostname\":4711", "\"hostname\":\"4711\"",
          "error: " SPEC ".hostname: the number 4711 where a text belongs; write \"4711\", in "
          "quotes [VMQ0120]\n" },
        { "\"hostname\":true", "\"hostname\":\"true\"", "true where a text belongs" },
        { "\"hostname\":[]", "", "a list where a text belongs; write it in quotes [VMQ0100]" },
        { "\"hostname\":{}", "", "an object where a text belongs" },
        { "\"hostname\":null", "", "" },
        { "\"hostname\":\"\"", "", "" },
        { "\"evictionStrategy\":\"\"", "\"evictionStrategy\":\"\"", "" },
        /* switches */
        { "\"volumes\":[{\"name\":\"a\",\"hostDisk\":{\"path\":\"/a\",\"type\":\"Disk\","
          "\"shared\":\"yes\"}}]",
          "\"volumes\":[{\"name\":\"a\",\"hostDisk\":{\"path\":\"/a\",\"type\":\"Disk\","
          "\"capacity\":\"0\"}}]",
          "volumes[0].hostDisk.shared: the text \"yes\" where true or false belongs; write "
          "true or false, without quotes [VMQ0100]" },
        /* whole numbers */
        { "\"terminationGracePeriodSeconds\":0", "\"terminationGracePeriodSeconds\":0", "" },
        { "\"terminationGracePeriodSeconds\":3e1", "\"terminationGracePeriodSeconds\":30", "" },
        { "\"terminationGracePeriodSeconds\":\"30s\"", "",
          "the text \"30s\" where a whole number belongs" },
        { "\"terminationGracePeriodSeconds\":1.5", "",
          "1.5 is not a whole number; write one without a fraction [VMQ0102]" },
        { "\"readinessProbe\":{\"timeoutSeconds\":2147483648}", "\"readinessProbe\":{}",
          "2147483648 is out of range; write a number from -2147483648 to 2147483647 "
          "[VMQ0101]" },
        { "\"readinessProbe\":{\"timeoutSeconds\":-2147483648}",
          "\"readinessProbe\":{\"timeoutSeconds\":-2147483648}", "" },
        { "\"readinessProbe\":{\"timeoutSeconds\":0}", "\"readinessProbe\":{}", "" },
        /* a number or a name */
        { "\"readinessProbe\":{\"tcpSocket\":{\"port\":\"ssh\"}}",
          "\"readinessProbe\":{\"tcpSocket\":{\"port\":\"ssh\"}}", "" },
        { "\"readinessProbe\":{\"tcpSocket\":{\"port\":22}}",
          "\"readinessProbe\":{\"tcpSocket\":{\"port\":22}}", "" },
        { "\"readinessProbe\":{\"tcpSocket\":{\"port\":true}}",
          "\"readinessProbe\":{\"tcpSocket\":{\"port\":0}}",
          "true where a number or a name belongs" },
        { "\"readinessProbe\":{\"tcpSocket\":{}}",
          "\"readinessProbe\":{\"tcpSocket\":{\"port\":0}}",
          "tcpSocket.port: is required and missing; add it (a number or a name) "
          "[VMQ0122]" },
        /* quantities */
        { "\"volumes\":[{\"name\":\"a\",\"emptyDisk\":{\"capacity\":\"1024Mi\"}}]",
          "\"volumes\":[{\"name\":\"a\",\"emptyDisk\":{\"capacity\":\"1Gi\"}}]", "" },
        { "\"volumes\":[{\"name\":\"a\",\"emptyDisk\":{\"capacity\":0.5}}]",
          "\"volumes\":[{\"name\":\"a\",\"emptyDisk\":{\"capacity\":\"500m\"}}]", "" },
        { "\"volumes\":[{\"name\":\"a\",\"emptyDisk\":{\"capacity\":\"4GB\"}}]",
          "\"volumes\":[{\"name\":\"a\",\"emptyDisk\":{\"capacity\":\"0\"}}]",
          "capacity: the text \"4GB\" is no quantity; write an amount like 500m, 2 or 4Gi "
          "[VMQ0103]" },
        { "\"volumes\":[{\"name\":\"a\",\"emptyDisk\":{\"capacity\":[1]}}]",
          "\"volumes\":[{\"name\":\"a\",\"emptyDisk\":{\"capacity\":\"0\"}}]",
          "a list where a quantity belongs" },
        /* objects, lists, maps */
        { "\"networks\":{}", "", "an object where a list belongs; write \"- \" in front" },
        { "\"networks\":[]", "", "" },
        { "\"networks\":[null]", "\"networks\":[{\"name\":\"\"}]",
          "networks[0]: an empty element; write something behind the \"-\", or remove it "
          "[VMQ0125]" },
        { "\"networks\":[\"a\",{\"name\":\"b\",\"pod\":{}}]",
          "\"networks\":[{\"name\":\"\"},{\"name\":\"b\",\"pod\":{}}]",
          "networks[0]: the text \"a\" where an object belongs" },
        { "\"networks\":[{\"name\":\"b\",\"pod\":true}]", "\"networks\":[{\"name\":\"b\"}]",
          "networks[0].pod: true where an object belongs; write {} to have it, leave it "
          "out "
          "not to [VMQ0100]" },
        { "\"networks\":[{\"name\":\"b\",\"pod\":null}]", "\"networks\":[{\"name\":\"b\"}]",
          "t: warning: " SPEC
          ".networks[0].pod: has no value and counts as left out; write {} to have it "
          "[VMQ0127]" },
        { "\"nodeSelector\":[]", "", "a list where a map belongs" },
        { "\"nodeSelector\":{}", "", "" },
        { "\"nodeSelector\":{\"a\":1}", "\"nodeSelector\":{\"a\":\"1\"}",
          "nodeSelector.a: the number 1 where a text belongs; write \"1\", in quotes" },
        { "\"nodeSelector\":{\"a\":null}", "\"nodeSelector\":{\"a\":\"\"}", "" },
        { "\"nodeSelector\":{\"a\":[1]}", "", "nodeSelector.a: a list where a text belongs" },
        /* words */
        { "\"readinessProbe\":{\"httpGet\":{\"port\":1,\"scheme\":\"http\"}}",
          "\"readinessProbe\":{\"httpGet\":{\"port\":1,\"scheme\":\"http\"}}",
          "t: warning: " SPEC ".readinessProbe.httpGet.scheme: \"http\" is not known here; use "
          "HTTP or HTTPS [VMQ0124]\n" },
        { "\"startStrategy\":\"x\"", "\"startStrategy\":\"x\"", "" }, /* the rules' own */
};

static void test_pieces(void)
{
        for (size_t i = 0; i < ARRAY_LEN(spec_pieces); i++)
                check_spec(&spec_pieces[i]);
}

static void test_loose_texts(void)
{
        static const struct piece pieces[] = {
                { "true", "\"true\"", "" },
                { "12", "\"12\"", "" },
                { "null", "\"\"", "" },
                { "1.1", "\"1.1\"", "" },
                { "1e21", "\"1e+21\"", "" },
                { "0.00001", "\"1e-05\"", "" },
                { "1234567.5", "\"1.2345675e+06\"", "" },
                { "\"no\"", "\"no\"", "" },
        };

        for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
                BUF_AUTO struct buf in = BUF_INIT;
                BUF_AUTO struct buf out = BUF_INIT;

                buf_addf(&in, "{\"metadata\":{\"labels\":{\"a\":%s}},\"spec\":{\"template\":{}}}",
                         pieces[i].in);
                buf_addf(&out, "{\"metadata\":{\"labels\":{\"a\":%s}},", pieces[i].out);
                decode_as(&type_virtual_machine, 9, in.s);
                CHECK(strncmp(left.s, out.s, out.len) == 0);
                CHECK_STR(messages.s, "");
        }
}

/* Where the file is known, what was written decides. */
static void test_as_written(void)
{
        static const char *const labels[][3] = {
                /* value, as written, text */
                { "493", "0755", "493" },       { "31", "0x1F", "31" },
                { "1000", "1e3", "1000" },      { "1000000", "1e6", "1e+06" },
                { "true", "yes", "true" },      { "1.1", "1.10", "1.1" },
                { "1000000", NULL, "1000000" }, { "null", "~", "" },
        };
        struct places p = PLACES_INIT;
        struct place at = { 1, 1 };
        FILE *out = tmpfile();
        struct diag d = new_diag(out);
        JVX_AUTO jv vm =
                jvx_build("{metadata: {labels: {}}, spec: {template: {spec: {hostname: true, "
                          "domain: {devices: {}}}}}}");
        char key[] = "a";

        int root = places_add(&p, -1, NULL, at, at, NULL);
        int meta = places_add(&p, root, "metadata", at, at, NULL);
        int map = places_add(&p, meta, "labels", at, at, NULL);

        for (size_t i = 0; i < ARRAY_LEN(labels); i++, key[0]++) {
                char path[] = "metadata.labels.?";

                path[sizeof path - 2] = key[0];
                (void)places_add(&p, map, key, at, (struct place){ (unsigned)i + 2, 3 },
                                 labels[i][1]);
                jvx_set_at(&vm, path, jv_parse(labels[i][0]));
        }
        int spec = places_add(&p, root, "spec", at, at, NULL);

        spec = places_add(&p, spec, "template", at, at, NULL);
        spec = places_add(&p, spec, "spec", at, at, NULL);
        (void)places_add(&p, spec, "hostname", (struct place){ 20, 7 }, at, "on");
        diag_begin(&d, "t", 1, &p, NULL);
        decode_value(&vm, &type_virtual_machine, 9, NULL, &d);
        for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
                char path[] = "metadata.labels.?";

                path[sizeof path - 2] = (char)('a' + i);
                CHECK_STR(ref_str(ref_at(ref_of(&vm), path)), labels[i][2]);
        }
        CHECK_STR(ref_str(ref_at(ref_of(&vm), "spec.template.spec.hostname")), "on");
        CHECK(d.n == ARRAY_LEN(labels)); /* all but the plain 1000000, and the host name */
        CHECK_STR(d.messages[0].path, "metadata.labels.a");
        CHECK_STR(d.messages[0].text,
                  "0755 becomes the text \"493\"; write \"0755\", in quotes, to keep it");
        CHECK(d.messages[0].code == VMQ_TEXT_MADE && d.messages[0].severity == SEVERITY_WARNING);
        diag_flush(&d);
        diag_release(&d);
        places_release(&p);
        (void)fclose(out);
}

/* What a cluster adds to a VM is dropped from it, but not from the template inside. */
static void test_exports(void)
{
        decode_as(&type_virtual_machine, 9,
                  "{\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"creationTimestamp\":"
                  "\"2026-01-31T12:00:00Z\",\"resourceVersion\":\"7\",\"generation\":1,"
                  "\"finalizers\":[\"k\"],\"managedFields\":[{\"fieldsV1\":{\"f:x\":{}}}],"
                  "\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\"{}\"}},"
                  "\"spec\":{\"template\":{\"metadata\":{\"creationTimestamp\":null,\"finalizers\":"
                  "[\"keep\"]},\"spec\":{\"domain\":{\"devices\":{},\"resources\":{}}}}},"
                  "\"status\":{\"ready\":true,\"fieldOfLater\":1}}");
        CHECK_STR(left.s,
                  "{\"metadata\":{\"name\":\"a\",\"uid\":\"u\"},\"spec\":{\"template\":{"
                  "\"metadata\":{\"finalizers\":[\"keep\"]},\"spec\":{\"domain\":{\"devices\":"
                  "{},\"resources\":{}}}}}}");
        CHECK_STR(messages.s,
                  "t: note: left out, since only a cluster keeps them: metadata.creationTimestamp, "
                  "metadata.resourceVersion, metadata.generation, metadata.finalizers, "
                  "metadata.managedFields, metadata.annotations[kubectl.kubernetes.io/"
                  "last-applied-configuration], status [VMQ0112]\n");
}

static void test_releases(void)
{
        const char *vm =
                "{\"metadata\":{},\"spec\":{\"template\":{\"metadata\":{},\"spec\":{\"domain\":"
                "{\"devices\":{},\"resources\":{}},\"serviceAccountName\":\"a\"}}}}";

        decode_as(&type_virtual_machine, 9, vm);
        CHECK_STR(left.s, vm);
        CHECK_STR(messages.s, "");
        decode_as(&type_virtual_machine, 8, vm);
        CHECK(!strstr(left.s, "serviceAccountName"));
        CHECK(strstr(messages.s,
                     "t: warning: spec.template.spec.serviceAccountName: KubeVirt 1.8 does "
                     "not have this field, which came with 1.9") != NULL);
}

static void test_roots(void)
{
        decode_as(&type_virtual_machine, 9, "[]");
        CHECK_STR(left.s, "{\"metadata\":{},\"spec\":{}}");
        CHECK(strstr(messages.s, "t: error: a list where an object belongs") != NULL);
        decode_as(&type_virtual_machine, 9, "{}");
        CHECK_STR(messages.s,
                  "t: error: spec: is required and missing; add it (an object) [VMQ0122]\n");
        decode_as(&type_virtual_machine, 9, "{\"spec\":{}}");
        CHECK_STR(
                messages.s,
                "t: error: spec.template: is required and missing; add it (an object) [VMQ0122]\n");
        decode_as(&type_virtual_machine_instance, 9,
                  "{\"spec\":{\"domain\":{\"devices\":{}}},\"status\":{\"phase\":\"Running\"}}");
        CHECK_STR(left.s,
                  "{\"spec\":{\"domain\":{\"devices\":{},\"resources\":{}}},\"status\":{"
                  "\"phase\":\"Running\",\"guestOSInfo\":{},\"runtimeUser\":0},\"metadata\":{}}");
}

/* Of a list that is too long every element is still decoded. */
static void test_many(void)
{
        BUF_AUTO struct buf in = BUF_INIT;
        BUF_AUTO struct buf out = BUF_INIT;

        for (int i = 0; i < 300; i++) {
                buf_addf(&in, "%s{\"name\":\"%d\",\"pod\":{}}", i ? "," : "\"networks\":[", i);
                buf_addf(&out, "%s{\"name\":\"%d\",\"pod\":{}}", i ? "," : "\"networks\":[", i);
        }
        buf_adds(&in, "]");
        buf_adds(&out, "]");
        check_spec(&(struct piece){ in.s, out.s,
                                    "networks: 300 elements; have 256 at most [VMQ0126]" });
}

int main(void)
{
        test_pieces();
        test_loose_texts();
        test_as_written();
        test_exports();
        test_releases();
        test_roots();
        test_many();
        buf_release(&left);
        buf_release(&messages);
        return 0;
}
