/* SPDX-License-Identifier: Apache-2.0 */
#include "sha1.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 64

static uint32_t rotate(uint32_t x, int n)
{
        return x << n | x >> (32 - n);
}

/* Functions and constants of the four quarters of a block's 80 rounds. */
static uint32_t mix(int quarter, uint32_t b, uint32_t c, uint32_t d)
{
        switch (quarter) {
        case 0:
                return ((b & c) | (~b & d)) + 0x5a827999;
        case 1:
                return (b ^ c ^ d) + 0x6ed9eba1;
        case 2:
                return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
        default:
                return (b ^ c ^ d) + 0xca62c1d6;
        }
}

static void add_block(uint32_t h[5], const unsigned char block[BLOCK])
{
        uint32_t w[80], v[5];

        for (size_t i = 0; i < 16; i++)
                w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
        for (int i = 16; i < 80; i++)
                w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        memcpy(v, h, sizeof v);
        for (int i = 0; i < 80; i++) {
                uint32_t t = rotate(v[0], 5) + mix(i / 20, v[1], v[2], v[3]) + v[4] + w[i];

                v[4] = v[3];
                v[3] = v[2];
                v[2] = rotate(v[1], 30);
                v[1] = v[0];
                v[0] = t;
        }
        for (int i = 0; i < 5; i++)
                h[i] += v[i];
}

void sha1(const void *bytes, size_t len, unsigned char digest[SHA1_SIZE])
{
        uint32_t h[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
        const unsigned char *p = bytes;
        unsigned char last[2 * BLOCK] = { 0 };
        size_t rest = len % BLOCK;
        size_t end = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;

        for (size_t i = 0; i + BLOCK <= len; i += BLOCK)
                add_block(h, p + i);
        if (rest > 0)
                memcpy(last, p + (len - rest), rest);
        last[rest] = 0x80;
        for (int i = 0; i < 8; i++)
                last[end - 1 - (size_t)i] = (unsigned char)((uint64_t)len * 8 >> (8 * i));
        for (size_t i = 0; i < end; i += BLOCK)
                add_block(h, last + i);
        for (int i = 0; i < SHA1_SIZE; i++)
                digest[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

void sha1_hex(const void *bytes, size_t len, char hex[2 * SHA1_SIZE + 1])
{
        unsigned char digest[SHA1_SIZE];

        sha1(bytes, len, digest);
        for (int i = 0; i < SHA1_SIZE; i++)
                snprintf(hex + (size_t)(2 * i), 3, "%02x", digest[i]);
}
