/* SPDX-License-Identifier: Apache-2.0 */
#include "intake.h"

#include <errno.h>

#include "array.h"
#include "check.h"
#include "feed.h"
#include "json.h"
#include "jvx.h"
#include "ref.h"

/* What intake_next() says of a whole stream, and the messages. */
struct run {
        struct intake k;
        struct others others;
        struct diag d;
        struct buf said; /* one letter a result, then the item */
        struct buf messages;
        int fd;
};

static void add_item(struct run *r, const jv *item)
{
        struct ref i = ref_of(item);
        struct ref vm = ref_is_set(ref_get(i, "vm")) ? ref_get(i, "vm") : ref_get(i, "pod");

        buf_addf(&r->said, "%s %lld:%lld;", ref_text(vm, "metadata.name"),
                 ref_int(ref_at(i, "source.document"), 0), ref_int(ref_at(i, "source.line"), 0));
}

static void run(struct run *r, const char *text, bool documents)
{
        static const char letters[] = { [INTAKE_END] = '.',
                                        [INTAKE_ITEM] = 'i',
                                        [INTAKE_OTHER] = 'o',
                                        [INTAKE_BAD] = 'b',
                                        [INTAKE_BROKEN] = 'X' };
        enum intake_result got;
        FILE *out = tmpfile();
        char line[1000];

        *r = (struct run){ .said = BUF_INIT,
                           .messages = BUF_INIT,
                           .fd = feed(text, strlen(text)),
                           .d = { .out = out,
                                  .style = { .prog = "test", .strict = SEVERITY_WARNING } } };
        CHECK(out);
        others_open(&r->others);
        intake_open(&r->k, r->fd, "f", documents, documents ? "VirtualMachine" : "Pod",
                    documents ? "vm" : "pod");
        r->k.others = &r->others;
        do {
                jv item = jv_invalid();

                got = intake_next(&r->k, &item, &r->d);
                buf_addc(&r->said, letters[got]);
                if (got == INTAKE_ITEM) {
                        intake_report_again(&r->k, &r->d);
                        add_item(r, &item);
                }
                jv_free(item);
                CHECK((got == INTAKE_BAD || got == INTAKE_BROKEN) == diag_failed(&r->d) ||
                      got == INTAKE_END);
                diag_flush(&r->d);
        } while (got != INTAKE_END && got != INTAKE_BROKEN);
        rewind(out);
        while (fgets(line, sizeof line, out))
                buf_adds(&r->messages, line);
        CHECK(fclose(out) == 0);
}

static void end(struct run *r)
{
        intake_close(&r->k);
        others_close(&r->others);
        diag_release(&r->d);
        buf_release(&r->said);
        buf_release(&r->messages);
        CHECK(close(r->fd) == 0);
}

#define VM(name) "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: " name "}\n"
#define JVM(name)                                                                                  \
        "{\"apiVersion\": \"kubevirt.io/v1\", \"kind\": \"VirtualMachine\", "                      \
        "\"metadata\": {\"name\": \"" name "\"}}"
#define FLOW(name) "{apiVersion: kubevirt.io/v1, kind: VirtualMachine, metadata: {name: " name "}}"

/* A stream of the first stage: what comes of it, and a message (NULL: none at all). */
static const char *const documents[][3] = {
        { VM("a"), "ia 1:1;.", NULL },
        { "\n" VM("a") "---\n---\n# c\n---\n~\n---\n" VM("b"), "ia 1:2;ib 2:11;.", NULL },
        { "", ".", NULL },
        { "\n\n# nothing\n---\n", ".", NULL },
        { JVM("a") "\n" JVM("b") JVM("c"), "ia 1:1;ib 2:2;ic 3:2;.", NULL },
        { "\xEF\xBB\xBF" JVM("a"), "ia 1:1;.", NULL },
        { "\xEF\xBB\xBF" VM("a"), "ia 1:1;.", NULL },
        { JVM("a") "\n---\n" VM("b") "---\n" JVM("c") "\n...\n" FLOW("d"),
          "ia 1:1;ib 2:3;ic 3:7;id 4:9;.", NULL },
        { FLOW("a") "\n", "ia 1:1;.", NULL },
        { "  " FLOW("a") " # c\n", "ia 1:1;.", NULL },
        { "  apiVersion: kubevirt.io/v1\n  kind: VirtualMachine\n  metadata: {name: a}\n",
          "ia 1:1;.", NULL },
        { "{\"vmq\":1,\"source\":{\"file\":\"x\",\"document\":7,\"line\":9},\"vm\":{\"metadata\":"
          "{\"name\":\"a\"}}}\n" VM("b"),
          "ia 7:9;ib 2:2;.", NULL },
        { "{\"vmq\":2}", "b.", "f:1:2: error: vmq: not contract version 1" },
        { "vmq: 1\nvm: {metadata: {name: a}}\n", "ia 0:0;.", NULL },
        /* refused, and the next one is read */
        { "a: \"\n---\n" VM("b"), "bib 2:3;.", "f:1:4: error: the quoted text" },
        { "{\"a\": \n---\n" VM("b"), "bib 2:3;.", "f:2:2: error: unexpected '-'" },
        { "{\"a\" \"b\"}\n", "b.", "f:1:6: error: unexpected '\"' behind a key" },
        { "{a: b c: d}\n", "b.", "f:1:8: error: " },
        { "[1]", "b.", "f:1:1: error: not an object; a VirtualMachine is expected" },
        { "text\n", "b.", "f:1:1: error: not an object" },
        { "a: 1\n", "b.", "f:1:1: error: kind: missing; a VirtualMachine is expected" },
        { "kind: 1\n", "b.", "f:1:1: error: kind: not a text" },
        { "Kind: VirtualMachine\n", "b.", "f:1:1: error: Kind: no such field; write \"kind\"" },
        { "kind: VirtualMachine\n", "b.", "error: apiVersion: a VirtualMachine of '' is not" },
        { "kind: VirtualMachine\napiVersion: compute.example.com/v1\n", "b.",
          "f:2:1: error: apiVersion: a VirtualMachine of 'compute.example.com/v1' is not" },
        { "kind: VirtualMachine\napiVersion: kubevirt.io/v2\n", "b.", "'kubevirt.io/v2'" },
        { "kind: VirtualMachine\napiVersion: kubevirt.io/v1alpha3\n", "i 1:1;.",
          "f:2:1: note: apiVersion: kubevirt.io/v1alpha3 is deprecated; write kubevirt.io/v1" },
        /* other kinds */
        { "kind: Secret\nmetadata: {name: s}\n---\n" VM("a"), "oia 2:4;.",
          "f:1:1: note: kind: Secret 's' is not converted; only VirtualMachine is" },
        { "kind: \"a\\eb\"\nmetadata: {name: \"c\\nd\"}\n", "o.", "a\\x1bb 'c\\nd'" },
        /* lists */
        { "kind: List\nitems:\n- " FLOW("a") "\n- {kind: Secret}\n- " FLOW("b") "\n---\n" VM("c"),
          "ia 1:3;oib 1:5;ic 2:7;.", "f:4:4: note: kind: Secret is not" },
        { "{\"kind\": \"List\", \"items\": [" JVM("a") ",\n" JVM("b") "]}", "ia 1:1;ib 1:2;.",
          NULL },
        { "kind: VirtualMachineList\nitems:\n- metadata: {name: a}\n- 7\n", "ia 1:3;b.",
          "f:4:3: error: not an object" },
        { "kind: List\nitems:\n- metadata: {name: a}\n", "b.", "f:3:3: error: kind: missing" },
        { "kind: List\nitems:\n- {kind: List, items: []}\n- " FLOW("a") "\n", "bia 1:4;.",
          "f:3:4: error: kind: a List inside a List" },
        { "kind: List\nitems: 5\n", "b.", "f:2:1: error: items: not a list" },
        { "kind: List\nitems: []\n", ".", NULL },
        { "kind: List\n", ".", NULL },
        { "kind: List\nitems: ~\n---\n" VM("a"), "ia 2:4;.", NULL },
        /* keys that are there again */
        { VM("a") "spec:\n  a: 1\n  b: {c: 1, c: 2}\n  a: 2\n", "ia 1:1;.",
          "f:6:13: warning: spec.b.c: given twice in one object; remove one of them [VMQ0007]\n"
          "f:7:3: warning: spec.a: given twice" },
        { "kind: List\nkind: List\nitems:\n- {kind: X, kind: X}\n- {apiVersion: kubevirt.io/v1, "
          "kind: VirtualMachine,\n   metadata: {name: a, name: b}}\nmetadata: {}\nmetadata: {}\n",
          "ooib 1:5;.", /* of what is passed over, nothing is said */
          "f:2:1: warning: kind: given twice in one object; remove one of them [VMQ0007]\n"
          "f:8:1: warning: metadata: given twice in one object; remove one of them [VMQ0007]\n" },
        { "{\"apiVersion\": \"kubevirt.io/v1\", \"kind\": \"VirtualMachine\",\n \"kind\": "
          "\"VirtualMachine\"}",
          "i 1:1;.", "f:2:2: warning: kind: given twice" },
};

static void test_documents(void)
{
        for (size_t i = 0; i < ARRAY_LEN(documents); i++) {
                struct run r;
                const char *want = documents[i][2];

                run(&r, documents[i][0], true);
                if (strcmp(r.said.s, documents[i][1]) != 0 ||
                    (want ? !strstr(r.messages.s, want) : r.messages.len != 0)) {
                        fprintf(stderr, "%s\n  got:  %s %s\n  want: %s %s\n", documents[i][0],
                                r.said.s, r.messages.s, documents[i][1], want ? want : "");
                        exit(1);
                }
                end(&r);
        }
}

/* A later stage: JSON, and one kind. */
static void test_items(void)
{
        struct run r;

        run(&r,
            "{\"vmq\":1,\"pod\":{\"metadata\":{\"name\":\"a\"}}}\n\n {\"kind\":\"Pod\","
            "\"metadata\":{\"name\":\"b\"}}\n[]{\"kind\":\"Job\"}",
            false);
        CHECK_STR(r.said.s, "ia 0:0;ib 2:3;bb.");
        CHECK(strstr(r.messages.s, "f:4:4: error: kind: 'Job' is not for this stage"));
        end(&r);
        run(&r, "{\"vmq\":1}\nkind: Pod\n", false);
        CHECK_STR(r.said.s, "i 0:0;X");
        CHECK(strstr(r.messages.s,
                     "f:2:5: error: this stage takes work items, which are JSON; run"));
        end(&r);
        run(&r, "{\"vmq\":1", false);
        CHECK_STR(r.said.s, "X");
        end(&r);
}

static void test_failure(void)
{
        struct intake k;
        struct diag d = { .out = stderr };
        int fd = open(".", O_RDONLY);
        jv item = jv_invalid();

        CHECK(fd >= 0);
        for (int first = 0; first < 2; first++) {
                intake_open(&k, fd, "f", first, "Pod", "pod");
                CHECK(intake_next(&k, &item, &d) == INTAKE_END && k.in.error == EISDIR);
                CHECK(d.n == 0);
                intake_close(&k);
        }
        CHECK(close(fd) == 0);
}

static void test_others(void)
{
        struct run r;

        run(&r,
            "kind: Secret\nmetadata: {name: s, namespace: x}\ndata: {a: b}\nstringData: {c: d}\n"
            "---\nkind: ConfigMap\nmetadata: {name: s}\ndata: [1]\n---\nkind: Secret\n",
            true);
        CHECK(r.others.n == 3);
        CHECK(others_has(&r.others, "Secret", "x", "s"));
        CHECK(!others_has(&r.others, "Secret", NULL, "s"));
        CHECK(others_has(&r.others, "ConfigMap", "default", "s"));
        CHECK(others_has(&r.others, "ConfigMap", "", "s"));
        struct ref keys = others_keys(&r.others, "Secret", "x", "s");

        CHECK(ref_len(keys) == 2 && ref_eq(ref_item(keys, 0), "a") &&
              ref_eq(ref_item(keys, 1), "c"));
        CHECK(ref_len(others_keys(&r.others, "ConfigMap", NULL, "s")) == 0);
        CHECK(!ref_is_set(others_keys(&r.others, "Pod", NULL, "s")));
        JVX_AUTO jv object = jvx_build("{kind: 'Secret', metadata: {name: %s}}", "many");

        for (int i = 0; i < 2 * OTHERS_MOST; i++)
                others_add(&r.others, &object);
        CHECK(r.others.n == OTHERS_MOST);
        end(&r);
}

int main(void)
{
        test_documents();
        test_items();
        test_failure();
        test_others();
        return 0;
}
