/* date.h -- seconds since 1970 as a date and a time (date.c). */
#ifndef SKR_DATE_H
#define SKR_DATE_H

#include <stdint.h>

struct skr_date {
    uint32_t year, month, day, hour, minute, second; /* months and days from 1 */
};

struct skr_date skr_date_of(uint32_t seconds);

#endif
