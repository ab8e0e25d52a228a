/* decimal.h -- the numbers of a schema, exactly as they are written. */
#ifndef MKROMFS_DECIMAL_H
#define MKROMFS_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* The largest number the device can handle: any with 18 digits. */
#define DECIMAL_MOST INT64_C(9223372036854775799)

struct decimal {
    int64_t digits; /* without zeros at the end */
    int power;      /* of ten */
};

/* False when the JSON number has more than 18 digits, or is too large or too small. */
bool decimal_parse(const char *text, struct decimal *out);

/* The number times 10^decimals, rounded down or up; kept within DECIMAL_MOST. */
int64_t decimal_scaled(struct decimal d, unsigned decimals, bool up);

/* True for a whole number after multiplication by 10^decimals. */
bool decimal_is_whole(struct decimal d, unsigned decimals);

#endif
