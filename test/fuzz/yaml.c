/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a stream of YAML documents. */
#include "yaml.h"

#include "fuzz.h"

static void check_document(const jv *v, struct places *places)
{
        bool exact;

        fuzz_round_trip(v);
        HOLDS(places_find(places, NULL, NULL, &exact) == 0 && exact);
        HOLDS(places_size(places, 0) == places->n);
        for (int i = 0; i < places->n_again; i++)
                HOLDS(places->again[i].node < places->n &&
                      (i == 0 || places->again[i - 1].node <= places->again[i].node));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct places places = PLACES_INIT;
        struct json_error err;
        struct input in;
        size_t rounds = 0;
        jv v;
        int got;

        fuzz_open(&in, data, size);
        while ((got = yaml_next(&in, &v, &places, &err)) != 0) {
                HOLDS(rounds++ <= size); /* every document takes some of it */
                if (got < 0) {
                        HOLDS(err.text[0] && err.at.line > 0 && err.at.column > 0);
                        continue;
                }
                check_document(&v, &places);
                jv_free(v);
        }
        places_release(&places);
        input_close(&in);
        return 0;
}
