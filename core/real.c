/* real.c -- numbers as float and double, for tools whose schema has such.
 *
 * Only their tables point here, so firmware without them has no floating point. Up to 15
 * digits are converted exactly as a C library would; with more, or beyond 10^22, the last
 * bit may differ. */
#include <float.h>

#include "skr_args.h"
#include "number.h"

#define EXACT_POWER 22  /* 10^22 is the last that a double holds exactly */
#define DIGITS 19       /* that fit into 64 bits, whatever they are */
#define POWER_MAX 400   /* far out of range either way */

static double times_ten(double value, int power)
{
    bool down = power < 0;
    power = down ? -power : power;
    for (power = power < POWER_MAX ? power : POWER_MAX; power > 0;) {
        double factor = 1;
        int step = power < EXACT_POWER ? power : EXACT_POWER;
        power -= step;
        for (; step > 0; step--) {
            factor *= 10;
        }
        value = down ? value / factor : value * factor;
    }
    return value;
}

static double number(struct skr_span s)
{
    bool negative = *s.p == '-';
    int point = skr_number_point(s), seen = 0, taken = 0;
    uint64_t digits = 0;
    for (size_t i = negative; i < s.n && (s.p[i] | 0x20) != 'e'; i++) {
        if (s.p[i] == '.') {
            continue;
        }
        seen++;
        if (digits > 0 || s.p[i] != '0') {
            if (taken == DIGITS) {
                seen--;
                break;
            }
            taken++;
            digits = digits * 10 + (uint64_t)(s.p[i] - '0');
        }
    }
    double value = digits == 0 ? 0 : times_ten((double)digits, point - seen);
    return negative ? -value : value;
}

bool skr_arg_double(struct skr_span text, void *to)
{
    double value = number(text);
    *(double *)to = value;
    return value <= DBL_MAX && value >= -DBL_MAX;
}

bool skr_arg_float(struct skr_span text, void *to)
{
    double value = number(text);
    bool fits = value <= (double)FLT_MAX && value >= -(double)FLT_MAX;
    *(float *)to = fits ? (float)value : 0;
    return fits;
}
