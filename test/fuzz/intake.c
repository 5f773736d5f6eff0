/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the input of a stage, the first one or a later one, messages included. */
#include "intake.h"

#include "fuzz.h"

static void run(const uint8_t *data, size_t size, bool documents, FILE *out)
{
        struct diag d = { .out = out,
                          .style = { .prog = "fuzz", .carets = true, .strict = SEVERITY_ERROR } };
        struct others others;
        struct intake k;
        enum intake_result got;
        size_t rounds = 0;

        others_open(&others);
        intake_open(&k, -1, "f", documents, documents ? "VirtualMachine" : "Pod", "key");
        input_close(&k.in);
        fuzz_open(&k.in, data, size);
        k.others = &others;
        do {
                jv item = jv_invalid();

                got = intake_next(&k, &item, &d);
                HOLDS((got == INTAKE_ITEM) == jv_is_valid(item));
                HOLDS(got == INTAKE_END ||
                      (got == INTAKE_BAD || got == INTAKE_BROKEN) == diag_failed(&d));
                if (got == INTAKE_ITEM) {
                        intake_report_again(&k, &d);
                        fuzz_round_trip(&item);
                }
                diag_flush(&d);
                jv_free(item);
                HOLDS(rounds++ <= size);
        } while (got != INTAKE_END && got != INTAKE_BROKEN);
        intake_close(&k);
        others_close(&others);
        diag_release(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        FILE *out = fopen("/dev/null", "w");

        HOLDS(out);
        run(data, size, true, out);
        run(data, size, false, out);
        (void)fclose(out);
        return 0;
}
