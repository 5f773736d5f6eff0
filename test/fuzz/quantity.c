/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a quantity: its text means the same, and canonical texts stay as they are. */
#include "quantity.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        MEM_AUTO char *text = mem_strndup((const char *)data, size);
        BUF_AUTO struct buf printed = BUF_INIT;
        BUF_AUTO struct buf canonical = BUF_INIT;
        BUF_AUTO struct buf again = BUF_INIT;
        struct quantity q, back;

        if (strlen(text) != size || !quantity_parse(text, &q))
                return 0;
        quantity_print(q, &printed);
        HOLDS(quantity_parse(printed.s, &back) && quantity_compare(q, back) == 0);
        back = quantity_add(q, (struct quantity){ .nano = 0 });
        HOLDS(quantity_compare(q, back) == 0);
        quantity_print(back, &canonical);
        HOLDS(quantity_parse(canonical.s, &back) && quantity_compare(q, back) == 0);
        quantity_print(back, &again);
        HOLDS(strcmp(canonical.s, again.s) == 0);
        (void)quantity_value(q);
        (void)quantity_milli_value(q);
        back = quantity_subtract(q, quantity_add(q, q));
        HOLDS(quantity_compare(quantity_add(q, q), quantity_add(q, q)) == 0);
        return 0;
}
