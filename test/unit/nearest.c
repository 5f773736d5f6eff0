/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include "check.h"

static const char *pick(const char *word)
{
        static const char *const words[] = { "memory", "devices",         "disks",
                                             "cpu",    "ioThreadsPolicy", "readonly" };
        struct nearest n = nearest_to(word);

        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                nearest_try(&n, words[i]);
        return n.best;
}

int main(void)
{
        char longer[200];

        CHECK_STR(pick("memroy"), "memory");  /* swapped */
        CHECK_STR(pick("memry"), "memory");   /* left out */
        CHECK_STR(pick("memorry"), "memory"); /* put in */
        CHECK_STR(pick("memery"), "memory");  /* changed */
        CHECK_STR(pick("disk"), "disks");
        CHECK_STR(pick("CPU"), "cpu"); /* letter case alone */
        CHECK_STR(pick("readOnly"), "readonly");
        CHECK_STR(pick("iothreadpolicy"), "ioThreadsPolicy");
        CHECK_STR(pick("mmr"), NULL);
        CHECK_STR(pick("clock"), NULL);
        CHECK_STR(pick(""), NULL);
        memset(longer, 'm', sizeof longer - 1);
        longer[sizeof longer - 1] = '\0';
        CHECK_STR(pick(longer), NULL);
        return 0;
}
