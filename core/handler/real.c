/* real.c -- numbers as float and double, for tools whose schema has them.
 *
 * Only their tables point here, so firmware without them has no floating point. Up to 15 digits are converted exactly
 * as a C library would; with more, or beyond 10^22, the last bit may differ. */
#include <float.h>

#include "handler/args.h"
#include "text/number.h"

#define EXACT_POWER 22     /* 10^22 is the largest power that a double holds exactly */
#define DIGITS 19          /* that always fit into 64 bits */
#define REAL_POWER_MAX 400 /* far out of range either way */

static double times_power_of_ten(double value, int power)
{
    bool down = power < 0;

    power = down ? -power : power;
    for (power = power < REAL_POWER_MAX ? power : REAL_POWER_MAX; power > 0;) {
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

static double real_of(struct skr_span s)
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
    double value = digits == 0 ? 0 : times_power_of_ten((double)digits, point - seen);
    return negative ? -value : value;
}

/* Limits are exact, not rounded: they are compared with the digits. */
static bool in_range(struct skr_args *r, const struct skr_arg *arg, struct skr_span text)
{
    static const char *const limits[] = {"must be at least ", "must be at most ", "must be more than ",
                                         "must be less than "};
    bool rest, over = (arg->flags & SKR_ARG_OVER_MIN) != 0, under = (arg->flags & SKR_ARG_UNDER_MAX) != 0;
    int64_t value = skr_number_scaled(text, arg->decimals, &rest);

    if (arg->range == NULL) {
        return true;
    }
    bool below = value < arg->range[0] || (value == arg->range[0] && !rest && over);
    bool above = value > arg->range[1] || (value == arg->range[1] && (rest || under));
    if (!below && !above) {
        return true;
    }
    (void)skri_args_refuse(r, limits[below ? 2 * over : 1 + 2 * under]);
    skr_put_fixed(r->call, arg->range[!below], arg->decimals);
    return false;
}

static bool read_double(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    struct skr_span text = skr_json_inside(r->json, token);
    double value = real_of(text);

    *(double *)(void *)to = value;
    return in_range(r, arg, text) && ((value <= DBL_MAX && value >= -DBL_MAX) || skri_args_refuse(r, "is too large"));
}

static bool read_float(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    struct skr_span text = skr_json_inside(r->json, token);
    double value = real_of(text);
    bool fits = value <= (double)FLT_MAX && value >= -(double)FLT_MAX;

    *(float *)(void *)to = fits ? (float)value : 0;
    return in_range(r, arg, text) && (fits || skri_args_refuse(r, "is too large"));
}

const struct skr_arg_kind skr_arg_double = {"a number", '0', read_double};
const struct skr_arg_kind skr_arg_float = {"a number", '0', read_float};
