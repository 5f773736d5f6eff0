/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#include <stdint.h>
#include <string.h>

/* The first and the last eight bytes tell names apart; of shorter ones it is all there is. */
static size_t slot_of(const char *text, size_t len)
{
        uint64_t first = 0, last = 0;

        if (len >= sizeof first) {
                memcpy(&first, text, sizeof first);
                memcpy(&last, text + len - sizeof last, sizeof last);
        } else {
                memcpy(&first, text, len);
        }
        return (size_t)((first * 0x9E3779B97F4A7C15 ^ last * 0xC2B2AE3D27D4EB4F) >> 32) %
               KEYS_SLOTS;
}

jv keys_get(struct keys *keys, const char *text, size_t len)
{
        if (!keys || len > KEYS_LONGEST)
                return jv_string_sized(text, (int)len);
        struct key_slot *slot = &keys->slots[slot_of(text, len)];

        if (!slot->text || slot->len != len || memcmp(slot->text, text, len) != 0) {
                if (slot->text)
                        jv_free(slot->name);
                slot->name = jv_string_sized(text, (int)len);
                slot->text = jv_string_value(slot->name);
                slot->len = len;
        }
        return jv_copy(slot->name);
}

void keys_release(struct keys *keys)
{
        for (size_t i = 0; i < KEYS_SLOTS; i++)
                if (keys->slots[i].text)
                        jv_free(keys->slots[i].name);
        *keys = (struct keys)KEYS_INIT;
}
