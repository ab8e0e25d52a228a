/* hash.h -- FNV-1a: for small sets of texts, in which a collision does no harm. */
#ifndef HOST_HASH_H
#define HOST_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t host_hash(const char *text, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    }
    return hash;
}

#endif
