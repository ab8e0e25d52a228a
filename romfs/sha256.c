/* sha256.c -- the hash that identifies every file and the image as a whole. Plain and portable, fast enough for a few
 * megabytes. No heap, no static data that changes: a device may use it. */
#include "sha256.h"

#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constant[64] = {
    0x428A2F98u, 0x71374491u, 0xB5C0FBCFu, 0xE9B5DBA5u, 0x3956C25Bu, 0x59F111F1u, 0x923F82A4u, 0xAB1C5ED5u,
    0xD807AA98u, 0x12835B01u, 0x243185BEu, 0x550C7DC3u, 0x72BE5D74u, 0x80DEB1FEu, 0x9BDC06A7u, 0xC19BF174u,
    0xE49B69C1u, 0xEFBE4786u, 0x0FC19DC6u, 0x240CA1CCu, 0x2DE92C6Fu, 0x4A7484AAu, 0x5CB0A9DCu, 0x76F988DAu,
    0x983E5152u, 0xA831C66Du, 0xB00327C8u, 0xBF597FC7u, 0xC6E00BF3u, 0xD5A79147u, 0x06CA6351u, 0x14292967u,
    0x27B70A85u, 0x2E1B2138u, 0x4D2C6DFCu, 0x53380D13u, 0x650A7354u, 0x766A0ABBu, 0x81C2C92Eu, 0x92722C85u,
    0xA2BFE8A1u, 0xA81A664Bu, 0xC24B8B70u, 0xC76C51A3u, 0xD192E819u, 0xD6990624u, 0xF40E3585u, 0x106AA070u,
    0x19A4C116u, 0x1E376C08u, 0x2748774Cu, 0x34B0BCB5u, 0x391C0CB3u, 0x4ED8AA4Au, 0x5B9CCA4Fu, 0x682E6FF3u,
    0x748F82EEu, 0x78A5636Fu, 0x84C87814u, 0x8CC70208u, 0x90BEFFFAu, 0xA4506CEBu, 0xBEF9A3F7u, 0xC67178F2u,
};

static uint32_t rotate_right(uint32_t x, unsigned by)
{
    return (x >> by) | (x << (32u - by));
}

static uint32_t load_be(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_be(uint32_t word, uint8_t *p)
{
    p[0] = (uint8_t)(word >> 24);
    p[1] = (uint8_t)(word >> 16);
    p[2] = (uint8_t)(word >> 8);
    p[3] = (uint8_t)word;
}

static void take_block(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64];
    uint32_t v[8];

    for (unsigned i = 0; i < 16; i++) {
        w[i] = load_be(block + 4u * i);
    }
    for (unsigned i = 16; i < 64; i++) {
        uint32_t s0 = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ (w[i - 15] >> 3);
        uint32_t s1 = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(v, state, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t sum1 = rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1 = v[7] + sum1 + choice + round_constant[i] + w[i];
        uint32_t sum0 = rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + sum0 + majority;
    }
    for (unsigned i = 0; i < 8; i++) {
        state[i] += v[i];
    }
}

void romfs_sha256_start(struct romfs_sha256 *s)
{
    static const uint32_t initial[8] = {
        0x6A09E667u, 0xBB67AE85u, 0x3C6EF372u, 0xA54FF53Au, 0x510E527Fu, 0x9B05688Cu, 0x1F83D9ABu, 0x5BE0CD19u,
    };

    memcpy(s->state, initial, sizeof initial);
    s->length = 0;
}

/* Byte by byte: the blocks cost ten times as much, and a device has little flash. */
void romfs_sha256_add(struct romfs_sha256 *s, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    while (n-- > 0) {
        s->block[s->length++ % sizeof s->block] = *p++;
        if (s->length % sizeof s->block == 0) {
            take_block(s->state, s->block);
        }
    }
}

/* The last block ends with the number of bits. */
void romfs_sha256_finish(struct romfs_sha256 *s, uint8_t digest[ROMFS_SHA256_SIZE])
{
    uint8_t byte = 0x80, bits[8];

    store_be(s->length >> 29, bits);
    store_be(s->length << 3, bits + 4);
    do {
        romfs_sha256_add(s, &byte, 1);
        byte = 0;
    } while (s->length % sizeof s->block != 56);
    romfs_sha256_add(s, bits, sizeof bits);
    for (unsigned i = 0; i < 8; i++) {
        store_be(s->state[i], digest + 4u * i);
    }
}

void romfs_sha256_of(const void *bytes, size_t n, uint8_t digest[ROMFS_SHA256_SIZE])
{
    struct romfs_sha256 s;

    romfs_sha256_start(&s);
    romfs_sha256_add(&s, bytes, n);
    romfs_sha256_finish(&s, digest);
}

void romfs_sha256_hex(const uint8_t *digest, size_t n, char *out)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        *out++ = digits[digest[i] >> 4];
        *out++ = digits[digest[i] & 15];
    }
    *out = '\0';
}
