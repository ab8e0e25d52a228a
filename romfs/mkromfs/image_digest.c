/* image_digest.c -- see image_digest.h. */
#include "image_digest.h"

#include <stddef.h>
#include <string.h>

#include "sha256.h"

bool image_digest_fits(const struct romfs *fs)
{
    size_t from = offsetof(struct romfs_header, window);
    uint8_t digest[SHA256_SIZE];

    sha256_of(fs->image + from, fs->header->size - from, digest);
    return memcmp(digest, fs->header->digest, sizeof digest) == 0;
}
