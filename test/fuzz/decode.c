/* SPDX-License-Identifier: Apache-2.0 */
/* Any JSON as a VirtualMachine: what decoding leaves is printed and read without loss, and decoding
 * it again changes nothing. */
#include "decode.h"
#include "fuzz.h"

static void decode(jv *v, int minor, struct places *places)
{
        struct diag d = { .style = { .strict = SEVERITY_WARNING, .admission = SEVERITY_WARNING } };

        diag_begin(&d, "fuzz", 1, places, NULL);
        decode_value(v, &type_virtual_machine, minor, NULL, &d);
        for (size_t i = 0; i < d.n; i++) {
                HOLDS(d.messages[i].text[0]);
                free(d.messages[i].path);
                free(d.messages[i].text);
        }
        diag_release(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct places places = PLACES_INIT;
        struct json_error err;
        struct input in;
        jv v = jv_invalid();
        int minor = 8 + (int)(size & 1);

        fuzz_open(&in, data, size);
        if (json_next(&in, &v, &(struct json_reading){ .places = &places }, &err) == 1) {
                BUF_AUTO struct buf once = BUF_INIT;
                BUF_AUTO struct buf twice = BUF_INIT;

                decode(&v, minor, &places);
                fuzz_round_trip(&v);
                json_print(&v, &once);
                decode(&v, minor, NULL);
                json_print(&v, &twice);
                HOLDS(once.len == twice.len && memcmp(once.s, twice.s, once.len) == 0);
        }
        jv_free(v);
        places_release(&places);
        input_close(&in);
        return 0;
}
