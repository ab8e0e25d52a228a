/* cache.h -- responses on disk, so that those that cannot have changed cross the line only once.
 *
 * A key is a digest of everything the response depends on (catalogue.c makes it). A file is checked against its own digest
 * on every use, and removed if it does not match. The files in the folder stay below a total size. */
#ifndef BRIDGE_CACHE_H
#define BRIDGE_CACHE_H

#include "skillrom.h"

#define BRIDGE_CACHE_KEY 32

/* Uses `folder`, or if NULL $XDG_CACHE_HOME/skillrom or ~/.cache/skillrom. Returns false, after a message, when it
 * cannot be used. */
bool bridge_cache_open(const char *folder, uint32_t limit_mb);

/* Reads a response into `to` and returns its length; 0 if there is none, or it does not fit. With `room` 0 it only returns
 * whether there is one, not 0 if so. */
size_t bridge_cache_get(const uint8_t key[BRIDGE_CACHE_KEY], char *to, size_t room);

void bridge_cache_put(const uint8_t key[BRIDGE_CACHE_KEY], const char *bytes, size_t n);

/* Removes a response that turned out to be wrong. */
void bridge_cache_drop(const uint8_t key[BRIDGE_CACHE_KEY]);

#endif
