/* number.h -- reads JSON numbers, without floating point, and writes our own (number.c). */
#ifndef SKR_NUMBER_H
#define SKR_NUMBER_H

#include "skillrom.h"

/* Digits of the longest number that skr_number_text writes, in base 10. */
#define SKR_NUMBER_DIGITS 10

/* Writes a number in base 10 or 16 so that its last digit is right before `end`; there must be room for
 * SKR_NUMBER_DIGITS. Returns the number of digits. */
size_t skr_number_text(uint32_t value, unsigned base, char *end);

/* Reads decimal digits at the front of *s, the way skr_number_text writes them, and moves *s past them. False, and both
 * are untouched: there are none, a zero leads, or the number has more than 32 bits. */
bool skr_number_read(struct skr_span *s, uint32_t *out);

/* A number in 32 bits; false: it is not whole. One beyond SKR_ARG_INT_MAX, positive or negative, comes out as some
 * other number beyond it. */
bool skr_number_int(struct skr_span number, int32_t *out);

/* How many digits are before the point: 2 for 12.5, and for 0.125e1, where the first 0 counts. */
int skr_number_point(struct skr_span number);

/* The number times 10^decimals, rounded down. Beyond about 9.22e18 it becomes plus or minus INT64_MAX. *rest: something
 * was lost by rounding. */
int64_t skr_number_scaled(struct skr_span number, unsigned decimals, bool *rest);

#endif
