/* number.h -- numbers of a format that is read byte by byte, such as the tokens in a board's flash (port/access). */
#ifndef ROMFS_NUMBER_H
#define ROMFS_NUMBER_H

#include <stdint.h>

/* 32 bits, little-endian, at any address. */
static inline uint32_t romfs_number_at(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void romfs_number_put(uint8_t *p, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        p[i] = (uint8_t)(value >> (8 * i));
    }
}

#endif
