/* digest.c -- see digest.h. */
#include "digest.h"

#include <string.h>

#include "sha256.h"

bool romfs_is_intact(const struct romfs *fs)
{
    const size_t from = offsetof(struct romfs_header, window); /* right after the digest */
    uint8_t digest[ROMFS_DIGEST_SIZE];

    romfs_sha256_of(fs->image + from, fs->header->size - from, digest);
    return memcmp(digest, fs->header->digest, sizeof digest) == 0;
}
