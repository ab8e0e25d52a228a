/* older.h -- what a client of an older protocol version is shown of a tool, prompt or resource (older.c).
 *
 * Descriptions lie in the image, or in the firmware, as the newest version has them. Members that the version of a
 * client of the initialize era does not know are left out. */
#ifndef SKR_OLDER_H
#define SKR_OLDER_H

#include "answer/answer.h"

/* Pushes JSON that describes a tool, or something else that lists have: an object, or members without their braces. */
#if SKR_OLDER
void skri_push_described(struct skr_answer *a, bool tool, const char *json, size_t n);
#else
static inline void skri_push_described(struct skr_answer *a, bool tool, const char *json, size_t n)
{
    (void)tool;
    skri_push_bytes(a, SKR_RAW, json, n);
}
#endif

#endif
