/* number.h -- numbers of a format that is read byte by byte, such as the tokens in a board's flash (boards/net/record.h). */
#ifndef ROMFS_NUMBER_H
#define ROMFS_NUMBER_H

#include <stdint.h>

/* 32 bits, little-endian, at any address. */
static inline uint32_t romfs_number_at(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

#endif
