/* decimal.c -- see decimal.h. */
#include "schema/decimal.h"

#include <stdlib.h>

#define DIGITS_MAX 18
#define POWER_MAX 100

bool decimal_parse(const char *text, struct decimal *out)
{
    bool negative = *text == '-', fraction = false;
    unsigned count = 0, zeros = 0;
    int64_t digits = 0;
    long power = 0;
    const char *p = text + negative;

    for (; *p != '\0' && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        power -= fraction;
        if (*p == '0') {
            zeros++; /* they count when another digit follows */
            continue;
        }
        for (zeros = count > 0 ? zeros + 1 : 1; zeros > 0; zeros--) {
            if (++count > DIGITS_MAX) {
                return false;
            }
            digits *= 10;
        }
        digits += *p - '0';
    }
    power += (long)zeros + (*p != '\0' ? strtol(p + 1, NULL, 10) : 0);
    out->digits = negative ? -digits : digits;
    out->power = digits == 0 ? 0 : (int)power;
    return digits == 0 || (power <= POWER_MAX && power >= -POWER_MAX);
}

bool decimal_is_whole(struct decimal d, unsigned decimals)
{
    return d.power + (int)decimals >= 0;
}

int64_t decimal_scaled(struct decimal d, unsigned decimals, bool up)
{
    int power = d.power + (int)decimals;
    int64_t value = d.digits;

    for (; power > 0 && value != 0; power--) {
        if (value > DECIMAL_MOST / 10 || value < -DECIMAL_MOST / 10) {
            return value > 0 ? DECIMAL_MOST : -DECIMAL_MOST;
        }
        value *= 10;
    }
    bool rest = false;
    for (; power < 0; power++) {
        rest |= value % 10 != 0;
        value /= 10; /* towards zero */
    }
    if (rest && up && d.digits > 0) {
        return value + 1;
    }
    return rest && !up && d.digits < 0 ? value - 1 : value;
}
