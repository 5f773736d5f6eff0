/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a stream of JSON texts; what is one is YAML too, and the same value. */
#include "fuzz.h"
#include "yaml.h"

/* Where YAML means another thing: merges, whole numbers beyond 64 bits, the breaks of lines that
 * JSON does not know. (That it takes less, deep nesting or long keys, is no difference.) */
static bool is_told_apart(const char *text)
{
        static const char *const marks[] = { "<<", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9" };

        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
                if (strstr(text, marks[i]))
                        return true;
        for (size_t n; *text; text += n ? n : 1) {
                n = strspn(text, "0123456789");
                if (n > 18)
                        return true;
        }
        return false;
}

static void same_as_yaml(const char *text, size_t len, const jv *v)
{
        struct places places = PLACES_INIT;
        struct json_error err;
        struct input in;
        jv other = jv_invalid();

        fuzz_open(&in, text, len);
        if (yaml_next(&in, &other, &places, &err) == 1) {
                BUF_AUTO struct buf a = BUF_INIT;
                BUF_AUTO struct buf b = BUF_INIT;

                json_print(v, &a);
                json_print(&other, &b);
                HOLDS(a.len == b.len && memcmp(a.s, b.s, a.len) == 0);
        }
        jv_free(other);
        places_release(&places);
        input_close(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct places places = PLACES_INIT;
        struct json_error err;
        struct input in;

        fuzz_open(&in, data, size);
        for (;;) {
                jv v = jv_invalid();
                int got = json_next(&in, &v, &(struct json_reading){ .places = &places }, &err);

                if (got <= 0) {
                        HOLDS(got == 0 || (err.text[0] && err.at.line > 0 && err.at.column > 0));
                        break;
                }
                BUF_AUTO struct buf text = BUF_INIT;

                fuzz_round_trip(&v);
                json_print(&v, &text);
                if (!is_told_apart(text.s))
                        same_as_yaml(text.s, text.len, &v);
                jv_free(v);
        }
        places_release(&places);
        input_close(&in);
        return 0;
}
