/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz - what the fuzz targets share. A target aborts where a promise of a header does not hold. */
#ifndef VMQ_TEST_FUZZ_H
#define VMQ_TEST_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "json.h"
#include "jvx.h"
#include "mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HOLDS(e)                                                                                   \
        do {                                                                                       \
                if (!(e))                                                                          \
                        __builtin_trap();                                                          \
        } while (0)

/* An input that holds the bytes already. */
static inline void fuzz_open(struct input *in, const void *bytes, size_t len)
{
        input_open(in, -1, (size_t)1 << 24);
        in->data = mem_strndup(bytes ? bytes : "", len);
        in->len = in->cap = len;
        in->end = true;
}

static inline void fuzz_same_text(const struct buf *text, const struct json_reading *how)
{
        BUF_AUTO struct buf again = BUF_INIT;
        struct json_error err;
        struct input in;
        jv back = jv_invalid();

        fuzz_open(&in, text->s, text->len);
        if (json_next(&in, &back, how, &err) == 1) {
                json_print(&back, &again);
                HOLDS(text->len == again.len && memcmp(text->s, again.s, text->len) == 0);
        } else { /* an item is one level and one value more */
                HOLDS(how->mark && (strstr(err.text, "nested") || strstr(err.text, "values")));
        }
        jv_free(back);
        input_close(&in);
}

/* A value's text is read back as a value with this text, whichever way it is read. */
static inline void fuzz_round_trip(const jv *v)
{
        static const char *const names[] = { "a", NULL };
        BUF_AUTO struct buf text = BUF_INIT;
        BUF_AUTO struct buf item = BUF_INIT;
        struct keys keys = KEYS_INIT;

        json_print(v, &text);
        fuzz_same_text(&text, &(struct json_reading){ .keys = &keys });
        buf_addf(&item, "{\"vmq\":1,\"a\":%s}", text.s);
        fuzz_same_text(&item, &(struct json_reading){ .mark = "vmq", .unread = names });
        keys_release(&keys);
}

#endif
