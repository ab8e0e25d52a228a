/* siphash.c -- see siphash.h. Words are built byte by byte, so that the result does not depend on the byte order. */
#include "text/siphash.h"

#include <string.h>

#if SKR_SEAL

static uint64_t rotate_left(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static void hash_rounds(uint64_t v[4], unsigned count)
{
    while (count-- > 0) {
        v[0] += v[1];
        v[1] = rotate_left(v[1], 13) ^ v[0];
        v[0] = rotate_left(v[0], 32);
        v[2] += v[3];
        v[3] = rotate_left(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotate_left(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotate_left(v[1], 17) ^ v[2];
        v[2] = rotate_left(v[2], 32);
    }
}

static uint32_t half_word(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint64_t little_endian(const uint8_t bytes[8])
{
    return (uint64_t)half_word(bytes + 4) << 32 | half_word(bytes);
}

static void take_word(struct skr_sip *s)
{
    s->v[3] ^= s->word;
    hash_rounds(s->v, 2);
    s->v[0] ^= s->word;
    s->word = 0;
}

void skr_sip_start(struct skr_sip *s, const uint8_t key[16])
{
    uint64_t low = little_endian(key), high = little_endian(key + 8);

    s->v[0] = low ^ 0x736f6d6570736575u;
    s->v[1] = high ^ 0x646f72616e646f6du;
    s->v[2] = low ^ 0x6c7967656e657261u;
    s->v[3] = high ^ 0x7465646279746573u;
    s->word = 0;
    s->n = 0;
}

void skr_sip_add(struct skr_sip *s, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    for (; s->n % 8 == 0 && n >= 8; s->n += 8, p += 8, n -= 8) { /* whole words, as most of what is sealed */
        s->word = little_endian(p);
        take_word(s);
    }
    while (n-- > 0) {
        s->word |= (uint64_t)*p++ << 8 * (s->n % 8);
        if (++s->n % 8 == 0) {
            take_word(s);
        }
    }
}

uint64_t skr_sip_end(struct skr_sip *s)
{
    s->word |= (uint64_t)(s->n & 0xFF) << 56;
    take_word(s);
    s->v[2] ^= 0xFF;
    hash_rounds(s->v, 4);
    return s->v[0] ^ s->v[1] ^ s->v[2] ^ s->v[3];
}

void skr_seal_id(const uint8_t key[16], uint32_t count, uint32_t id[4])
{
    struct skr_sip sip;

    for (uint8_t half = 0; half < 2; half++) {
        uint8_t message[8] = {(uint8_t)(count << 1 | half),
                              (uint8_t)(count >> 7),
                              (uint8_t)(count >> 15),
                              (uint8_t)(count >> 23),
                              (uint8_t)(count >> 31),
                              0,
                              0,
                              0};
        skr_sip_start(&sip, key);
        skr_sip_add(&sip, message, sizeof message);
        uint64_t hash = skr_sip_end(&sip);
        id[2 * half] = (uint32_t)(hash >> 32);
        id[2 * half + 1] = (uint32_t)hash;
    }
}

void skr_id_text(const uint32_t id[4], char text[32])
{
    for (unsigned i = 0; i < 32; i++) {
        text[i] = "0123456789abcdef"[id[i / 8] >> (28 - 4 * (i % 8)) & 15];
    }
}

bool skr_id_read(struct skr_span text, uint32_t id[4])
{
    const char *p = text.p;

    if (text.n != 32) {
        return false;
    }
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = 0;
        for (unsigned digits = 8; digits > 0; digits--, p++) {
            uint32_t digit = (uint32_t)(*p - '0');
            if (digit > 9) {
                digit = (uint32_t)(*p - 'a') + 10;
                if (digit < 10 || digit > 15) {
                    return false;
                }
            }
            word = word << 4 | digit;
        }
        id[i] = word;
    }
    return true;
}

#endif
