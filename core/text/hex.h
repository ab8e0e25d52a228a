/* hex.h -- bytes of two hex digits each, in upper or lower case. */
#ifndef SKR_HEX_H
#define SKR_HEX_H

#include "text/json_string.h"

/* The byte that two digits stand for; -1: one of them is not a hex digit. The second is not read if the first is none. */
static inline int skr_hex_byte(const char *digits)
{
    int high = skr_hex_digit(digits[0]);

    return high < 0 ? -1 : high << 4 | skr_hex_digit(digits[1]); /* -1 has all bits */
}

/* Reads 2n digits. False, and a part may have been written, if one is not a hex digit. */
static inline bool skr_hex_read(const char *digits, size_t n, uint8_t *bytes)
{
    for (size_t i = 0; i < n; i++) {
        int byte = skr_hex_byte(digits + 2 * i);
        if (byte < 0) {
            return false;
        }
        bytes[i] = (uint8_t)byte;
    }
    return true;
}

#endif
