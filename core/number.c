/* number.c -- a JSON number, digit by digit.
 *
 * 1, 1.0 and 100e-2 are the same number, and a schema asks for numbers, not for spellings.
 * So the point is found first, with the exponent taken into account; then the digits
 * before it are the whole part. That needs neither division nor floating point, which
 * a small processor has to be given as code. */
#include "number.h"

#define POWER_MAX 9999 /* far beyond the digits of any type */

static bool is_exponent(char c)
{
    return (c | 0x20) == 'e';
}

int skr_number_point(struct skr_span s)
{
    int point = 0, power = 0;
    bool fraction = false, exponent = false, down = false;
    for (size_t i = *s.p == '-'; i < s.n; i++) {
        char c = s.p[i];
        fraction |= c == '.';
        if (is_exponent(c)) {
            exponent = true;
        } else if (c == '-') {
            down = true;
        } else if (exponent && c != '+' && power < POWER_MAX) {
            power = power * 10 + (c - '0');
        } else if (!exponent && !fraction) {
            point++;
        }
    }
    return down ? point - power : point + power;
}

int64_t skr_number_scaled(struct skr_span s, unsigned decimals, bool *rest)
{
    int left = skr_number_point(s) + (int)decimals; /* digits before the point */
    bool negative = *s.p == '-', zero = true;
    int64_t value = 0;
    *rest = false;
    for (size_t i = negative; i < s.n || (left > 0 && !zero);) {
        char c = i < s.n ? s.p[i++] : '0';
        if (is_exponent(c)) {
            i = s.n;
            continue;
        }
        if (c == '.') {
            continue;
        }
        zero &= c == '0';
        if (left-- <= 0) {
            *rest |= c != '0';
        } else if (value > (INT64_MAX - 9) / 10) {
            *rest = false;
            return negative ? -INT64_MAX : INT64_MAX;
        } else {
            value = value * 10 + (c - '0');
        }
    }
    return negative ? -value - *rest : value;
}
