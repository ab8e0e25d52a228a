/* number.h -- numbers as texts of digits: those of JSON read, without floating point, and ours written (number.c). */
#ifndef SKR_NUMBER_H
#define SKR_NUMBER_H

#include "skillrom.h"

/* Digits of the longest number that skri_number_text writes, in base 10. */
#define SKR_NUMBER_DIGITS 10

/* Writes a number in base 10 or 16 so that its last digit stands right before `end`; there is room for
 * SKR_NUMBER_DIGITS. Returns how many they are. */
size_t skri_number_text(uint32_t value, unsigned base, char *end);

/* A number in 32 bits; false: it is not whole. One beyond SKR_ARG_INT_MAX, either way, comes out
 * as some other number beyond it. */
bool skri_number_int(struct skr_span number, int32_t *out);

/* Where the point stands, counted in digits: 2 for 12.5 and for 0.125e2, which begins with
 * the digit 0 and so has it behind 01. */
int skri_number_point(struct skr_span number);

/* The number times 10^decimals, rounded down. What does not fit into 18 digits and a bit
 * becomes plus or minus INT64_MAX. *rest: something was lost by rounding. */
int64_t skri_number_scaled(struct skr_span number, unsigned decimals, bool *rest);

#endif
