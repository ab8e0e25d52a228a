/* older.h -- descriptions of tools, prompts and resources for clients of older protocol versions (older.c).
 *
 * Descriptions in the image and in the firmware are written for the newest version. For a client of the initialize era,
 * members that its version does not know are left out. */
#ifndef SKR_OLDER_H
#define SKR_OLDER_H

#include "response/response.h"

/* Pushes JSON that describes a tool or another entry of a list: an object, or its members without the braces. */
#if SKR_OLDER
void skri_push_described(struct skr_response *a, bool tool, const char *json, size_t n);
#else
static inline void skri_push_described(struct skr_response *a, bool tool, const char *json, size_t n)
{
    (void)tool;
    skri_push_bytes(a, SKR_RAW, json, n);
}
#endif

#endif
