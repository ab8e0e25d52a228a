/* hash.h -- FNV-1a with 64 bits: for small sets of texts, in which a collision does no harm. */
#ifndef SKR_HASH_H
#define SKR_HASH_H

#include "skillrom.h"

#define SKR_HASH_START 0xCBF29CE484222325u

/* The hash of everything that was added before, beginning with SKR_HASH_START, and of this text. */
static inline uint64_t skr_hash_add(uint64_t hash, struct skr_span text)
{
    for (size_t i = 0; i < text.n; i++) {
        hash = (hash ^ (uint8_t)text.p[i]) * 0x100000001B3u;
    }
    return hash;
}

static inline uint64_t skr_hash(struct skr_span text)
{
    return skr_hash_add(SKR_HASH_START, text);
}

#endif
