/* date.c -- see date.h. */
#include "text/date.h"

/* Days since 1970 become a date by counting years from March, so that leap days come last. */
struct skr_date skr_date_of(uint32_t seconds)
{
    uint32_t days = seconds / 86400 + 719468, rest = seconds % 86400;
    uint32_t era = days / 146097, day = days % 146097;
    uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;

    day -= 365 * year + year / 4 - year / 100;
    uint32_t month = (5 * day + 2) / 153;
    day -= (153 * month + 2) / 5;
    month = month < 10 ? month + 3 : month - 9;
    return (struct skr_date){era * 400 + year + (month <= 2), month, day + 1, rest / 3600, rest / 60 % 60, rest % 60};
}
