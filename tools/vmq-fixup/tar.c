/* SPDX-License-Identifier: Apache-2.0 */
#include "tar.h"

#include <stdio.h>
#include <string.h>

#include "names.h"
#include "ref.h"

#define BLOCK 512

/* POSIX.1-2017, pax: ustar Interchange Format. */
struct header {
        char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100],
                magic[6], version[2], uname[32], gname[32], major[8], minor[8], prefix[155],
                rest[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a header is one block");

/* Digits in octal, as many as the field holds with a NUL behind them. */
static void put_octal(char *field, size_t size, size_t value)
{
        memset(field, '0', size - 1);
        for (size_t i = size - 1; value && i; value >>= 3)
                field[--i] = (char)('0' + (value & 7));
}

static void pad(struct buf *out)
{
        static const char zeros[BLOCK];

        buf_add(out, zeros, (BLOCK - out->len % BLOCK) % BLOCK);
}

/* Names of more than 100 bytes have been told in a pax header before. */
static void add_entry(struct buf *out, char type, const char *name, mode_t mode, const char *bytes,
                      size_t len)
{
        struct header h = { .type = type, .magic = "ustar", .version = { '0', '0' } };
        size_t length = strlen(name), sum = 0;

        memcpy(h.name, name, length < sizeof h.name ? length : sizeof h.name);
        put_octal(h.mode, sizeof h.mode, mode);
        put_octal(h.uid, sizeof h.uid, 0);
        put_octal(h.gid, sizeof h.gid, 0);
        put_octal(h.size, sizeof h.size, len);
        put_octal(h.mtime, sizeof h.mtime, 0);
        put_octal(h.major, sizeof h.major, 0);
        put_octal(h.minor, sizeof h.minor, 0);
        memset(h.checksum, ' ', sizeof h.checksum);
        for (size_t i = 0; i < sizeof h; i++)
                sum += ((const unsigned char *)&h)[i];
        put_octal(h.checksum, sizeof h.checksum - 1, sum);
        buf_add(out, (const char *)&h, sizeof h);
        buf_add(out, bytes, len);
        pad(out);
}

/* A pax record is "LENGTH path=NAME\n", LENGTH counting its own digits. */
static void add_long_name(struct buf *out, const char *name)
{
        char record[NAME_LENGTH + 16];
        int len = snprintf(record, sizeof record, "%d path=%s\n", 100, name);

        (void)snprintf(record, sizeof record, "%d path=%s\n", len, name);
        add_entry(out, 'x', "pax", 0644, record, (size_t)len);
}

static void add_file(struct buf *out, struct ref unit)
{
        const char *name = ref_text(unit, "name"), *text = ref_text(unit, "text");

        if (strlen(name) > sizeof((struct header){ 0 }).name)
                add_long_name(out, name);
        add_entry(out, '0', name, name_mode(name, ref_text(unit, "mode")), text, strlen(text));
}

bool tar_add(struct spool *out, struct ref units, const struct share *share)
{
        BUF_AUTO struct buf files = BUF_INIT;

        REF_EACH(unit, units)
                if (share->number[unit.i] != NOT_WRITTEN)
                        add_file(&files, unit.item);
        return spool_append(out, files.s, files.len);
}

bool tar_end(struct spool *out)
{
        return spool_append_zeros(out, (size_t)2 * BLOCK);
}
