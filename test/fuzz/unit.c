/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the text of a unit, and as values that are put into one. */
#include "unit.h"

#include "fuzz.h"

static void ignore(const char *word, void *self)
{
        (void)word;
        (void)self;
}

/* Whatever text a value is made of, it adds one line or none. */
static void add_value(const char *text)
{
        static enum unit_flaw (*const writers[])(
                struct buf *, const char *) = { unit_plain, unit_line, unit_bare_word, unit_word };

        for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
                BUF_AUTO struct buf v = BUF_INIT;
                BUF_AUTO struct buf out = BUF_INIT;
                struct unit u = UNIT_INIT;

                unit_section(&u, "Container");
                if (writers[i](&v, text) == UNIT_OK)
                        HOLDS(!strchr(v.s, '\n'));
                else
                        HOLDS(v.len == 0);
                size_t lines = u.n;
                bool added = unit_add(&u, "Key", v.s);

                HOLDS(u.n == lines + added);
                unit_print(&u, &out);
                unit_release(&u);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        MEM_AUTO char *text = mem_strndup((const char *)data, size);
        BUF_AUTO struct buf why = BUF_INIT;
        BUF_AUTO struct buf once = BUF_INIT;
        BUF_AUTO struct buf twice = BUF_INIT;
        struct unit u = UNIT_INIT, again = UNIT_INIT;

        if (unit_read(&u, text, size, &why)) {
                unit_print(&u, &once);
                HOLDS(unit_read(&again, once.s, once.len, &why));
                unit_print(&again, &twice);
                HOLDS(strcmp(once.s, twice.s) == 0);
        } else {
                HOLDS(why.len > 0);
        }
        unit_release(&u);
        unit_release(&again);
        add_value(text);
        (void)unit_split(text, ignore, NULL);
        return 0;
}
