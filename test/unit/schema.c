/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include "check.h"
#include "json.h"
#include "jvx.h"

/* Decode JSON text as a VirtualMachine of KubeVirt 1.minor; what is left of it, and the messages as
 * text, are in *left and *messages. */
static void decode(const char *text, int minor, struct buf *left, struct buf *messages)
{
        FILE *out = tmpfile();
        struct diag d = { .out = out,
                          .style = { .prog = "test",
                                     .strict = SEVERITY_ERROR,
                                     .admission = SEVERITY_ERROR } };
        JVX_AUTO jv v = jv_parse(text);
        char line[2000];

        CHECK(out && jv_is_valid(v));
        diag_begin(&d, "t", 0, NULL, NULL);
        schema_decode(&v, &type_virtual_machine, minor, NULL, &d);
        diag_flush(&d);
        diag_release(&d);
        buf_clear(left);
        json_print(&v, left);
        rewind(out);
        buf_clear(messages);
        while (fgets(line, sizeof line, out))
                buf_adds(messages, line);
        (void)fclose(out);
}

int main(void)
{
        BUF_AUTO struct buf left = BUF_INIT;
        BUF_AUTO struct buf messages = BUF_INIT;

        decode("{\"metadata\": {\"name\": \"x\"}, \"spec\": {\"template\": {\"spec\": {\"domain\": "
               "{\"memroy\": {\"guest\": \"1Gi\"}, \"memory\": {\"guest\": \"1024Mi\"}, "
               "\"devices\": {}}}}}}",
               9, &left, &messages);
        CHECK_STR(messages.s,
                  "t: error: spec.template.spec.domain.memroy: DomainSpec has no such field; did "
                  "you mean \"memory\"? [VMQ0110]\n");
        return 0;
}
