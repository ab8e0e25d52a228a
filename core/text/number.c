/* number.c -- a JSON number, digit by digit.
 *
 * 1, 1.0 and 100e-2 are the same number, and a schema is about numbers, not about spellings. Reading them needs no
 * division or floating point, which cost a small processor library code; and most devices need only skr_number_int,
 * which also does without 64-bit arithmetic. */
#include "text/number.h"

#include "skr_args.h"
#include "text/span.h"

#define POWER_MAX 99999999 /* more than a request has digits, or zeros after a point could make up for the rest */

size_t skr_number_text(uint32_t value, unsigned base, char *end)
{
    size_t n = 0;

    do {
        *--end = "0123456789abcdef"[value % base];
        value /= base;
        n++;
    } while (value > 0);
    return n;
}

bool skr_number_read(struct skr_span *s, uint32_t *out)
{
    uint32_t value = 0;
    size_t i = 0;

    for (; i < s->n && s->p[i] >= '0' && s->p[i] <= '9'; i++) {
        uint32_t digit = (uint32_t)(s->p[i] - '0');
        if ((i > 0 && value == 0) || value > (UINT32_MAX - digit) / 10) {
            return false; /* a leading zero, or more than fits */
        }
        value = value * 10 + digit;
    }
    if (i == 0) {
        return false;
    }
    *s = skr_span_from(*s, i);
    *out = value;
    return true;
}

static bool is_exponent(char c)
{
    return (c | 0x20) == 'e';
}

/* The number after the e at s.p[at]; 0 if there is no e. */
static int read_exponent(struct skr_span s, size_t at)
{
    int power = 0;
    bool down = false;

    while (++at < s.n) {
        if (s.p[at] == '-') {
            down = true;
        } else if (s.p[at] != '+' && power < POWER_MAX) {
            power = power * 10 + (s.p[at] - '0');
        }
    }
    return down ? -power : power;
}

/* A value beyond SKR_ARG_INT_MAX stays beyond it. */
static uint32_t times_ten(uint32_t value)
{
    return value <= SKR_ARG_INT_MAX / 10 ? value * 10 : SKR_ARG_INT_MAX + 1u;
}

/* Zeros are only counted until another digit follows, so that trailing ones take up no digits of `value`, on either
 * side of the point. The number is whole if the power that is left is not negative. */
bool skr_number_int(struct skr_span s, int32_t *out)
{
    bool negative = *s.p == '-', fraction = false;
    uint32_t value = 0;
    int zeros = 0, power = 0;
    size_t i = negative;

    for (; i < s.n && !is_exponent(s.p[i]); i++) {
        if (s.p[i] == '.') {
            fraction = true;
            continue;
        }
        power -= fraction;
        zeros++;
        if (s.p[i] != '0') {
            for (; zeros > 0; zeros--) {
                value = times_ten(value);
            }
            value += (uint32_t)(s.p[i] - '0');
        }
    }
    power += zeros + read_exponent(s, i);
    for (int n = power; n > 0 && value - 1 < SKR_ARG_INT_MAX; n--) { /* neither 0 nor beyond already */
        value = times_ten(value);
    }
    *out = negative ? -(int32_t)value : (int32_t)value;
    return value == 0 || power >= 0;
}

int skr_number_point(struct skr_span s)
{
    size_t i = *s.p == '-';
    int point = 0;

    for (bool fraction = false; i < s.n && !is_exponent(s.p[i]); i++) {
        fraction |= s.p[i] == '.';
        point += !fraction;
    }
    return point + read_exponent(s, i);
}

/* The point is found first, with the exponent taken into account; then the digits before it
 * are the whole part. */
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
