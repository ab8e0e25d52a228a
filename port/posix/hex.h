/* hex.h -- bytes from lower-case hex, as romfs_sha256_hex writes it. */
#ifndef SKR_HEX_H
#define SKR_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads 2n digits; false if one is not a digit. */
static inline bool posix_hex_read(const char *text, size_t n, uint8_t *bytes)
{
    for (size_t i = 0; i < 2 * n; i++) {
        char c = text[i];
        if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
            return false;
        }
        bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | (c <= '9' ? c - '0' : c - 'a' + 10));
    }
    return true;
}

#endif
