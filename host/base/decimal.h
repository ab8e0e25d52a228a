/* decimal.h -- the reader of decimal numbers in command lines, URLs and texts of devices. */
#ifndef HOST_DECIMAL_H
#define HOST_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads n bytes that are digits and nothing else. False, and *out is untouched, if there is none, another byte, or a number
 * above `max`. */
static inline bool host_decimal(const char *digits, size_t n, uint64_t max, uint64_t *out)
{
    uint64_t value = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t digit = (uint64_t)(unsigned char)digits[i] - '0';
        if (digit > 9 || digit > max || value > (max - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    if (n > 0) {
        *out = value;
    }
    return n > 0;
}

#endif
