/* values.h -- values for the arguments of a prompt or a skill (values.c). */
#ifndef SKR_VALUES_H
#define SKR_VALUES_H

#include "response/request.h"

#define SKR_VALUE_MAX 1024 /* an argument of a skill, in bytes of UTF-8 (SK-D-06) */

/* Stores the values that params.arguments has for `count` arguments from args[first] on: strings of at most `max`
 * bytes. Others are ignored. False when the response is an error. */
bool skri_values_collect(struct skr_call *call, uint32_t first, uint32_t count, size_t max);

/* Pushes the value of args[first + arg] as the inside of a JSON string: as it was given,
 * else its default. In a response for which nothing was collected, its placeholder. */
void skri_push_value(struct skr_response *a, uint32_t first, uint32_t arg);

#endif
