/* crc32.c -- the check sum of images and archives. See romfs.h.
 *
 * It is most of what mounting costs. A machine with 64-bit addresses has room for a table of 1 KB, and takes four bytes
 * at a time, eight bits per step; all others take four bits per step with a table of 64 bytes, fast enough for a check
 * that runs once. */
#include <string.h>

#include "romfs.h"

#if UINTPTR_MAX > 0xFFFFFFFFu

/* The step of a byte is that of its upper half, h, and that of its lower half, which takes two; sums of steps are
 * steps of sums. */
#define STEPS(h)                                                                                                       \
    (h) ^ 0x00000000u, (h) ^ 0x77073096u, (h) ^ 0xEE0E612Cu, (h) ^ 0x990951BAu, (h) ^ 0x076DC419u, (h) ^ 0x706AF48Fu,  \
        (h) ^ 0xE963A535u, (h) ^ 0x9E6495A3u, (h) ^ 0x0EDB8832u, (h) ^ 0x79DCB8A4u, (h) ^ 0xE0D5E91Eu,                 \
        (h) ^ 0x97D2D988u, (h) ^ 0x09B64C2Bu, (h) ^ 0x7EB17CBDu, (h) ^ 0xE7B82D07u, (h) ^ 0x90BF1D91u

uint32_t romfs_crc32(uint32_t crc, const void *bytes, size_t n)
{
    static const uint32_t step[256] = {
        STEPS(0x00000000u), STEPS(0x1DB71064u), STEPS(0x3B6E20C8u), STEPS(0x26D930ACu),
        STEPS(0x76DC4190u), STEPS(0x6B6B51F4u), STEPS(0x4DB26158u), STEPS(0x5005713Cu),
        STEPS(0xEDB88320u), STEPS(0xF00F9344u), STEPS(0xD6D6A3E8u), STEPS(0xCB61B38Cu),
        STEPS(0x9B64C2B0u), STEPS(0x86D3D2D4u), STEPS(0xA00AE278u), STEPS(0xBDBDF21Cu),
    };
    const uint8_t *p = bytes;
    uint32_t word;

    crc = ~crc;
    for (; n >= sizeof word; n -= sizeof word, p += sizeof word) {
        memcpy(&word, p, sizeof word);
        crc ^= word;
        crc = crc >> 8 ^ step[crc & 0xFFu];
        crc = crc >> 8 ^ step[crc & 0xFFu];
        crc = crc >> 8 ^ step[crc & 0xFFu];
        crc = crc >> 8 ^ step[crc & 0xFFu];
    }
    for (; n > 0; n--) {
        crc = crc >> 8 ^ step[(crc ^ *p++) & 0xFFu];
    }
    return ~crc;
}

#else

uint32_t romfs_crc32(uint32_t crc, const void *bytes, size_t n)
{
    static const uint32_t step[16] = {
        0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u, 0x4DB26158u, 0x5005713Cu,
        0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu, 0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
    };
    const uint8_t *p = bytes;

    crc = ~crc;
    while (n-- > 0) {
        crc ^= *p++;
        crc = (crc >> 4) ^ step[crc & 15u];
        crc = (crc >> 4) ^ step[crc & 15u];
    }
    return ~crc;
}

#endif
