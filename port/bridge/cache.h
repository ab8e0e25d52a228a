/* cache.h -- answers on disk, so that what cannot have changed crosses the line once.
 *
 * A key is a digest of everything the answer depends on (know.c makes it). What a file
 * holds is checked against its own digest on every use, and whatever is not right is
 * removed. The folder holds nothing but such files and stays below a size. */
#ifndef SKR_CACHE_H
#define SKR_CACHE_H

#include "skillrom.h"

#define SKR_CACHE_KEY 32

/* Uses the folder: `folder`, or without one $XDG_CACHE_HOME/skillrom or ~/.cache/skillrom.
 * False when there can be none, and why has been said. */
bool skr_cache_open(const char *folder, uint32_t limit_mb);

/* Reads an answer into `to`. 0: there is none, or it does not fit. With `room` 0: not 0 when there is one. */
size_t skr_cache_get(const uint8_t key[SKR_CACHE_KEY], char *to, size_t room);

void skr_cache_put(const uint8_t key[SKR_CACHE_KEY], const char *bytes, size_t n);

/* What was read does not match what is known about it: away with it. */
void skr_cache_drop(const uint8_t key[SKR_CACHE_KEY]);

#endif
