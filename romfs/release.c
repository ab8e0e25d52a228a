/* release.c -- see release.h. */
#include "release.h"

#include <string.h>

#include "number.h"

bool romfs_release_read(const uint8_t bytes[ROMFS_RELEASE_SIZE], struct romfs_release *out)
{
    *out = (struct romfs_release){
        .number = romfs_number_at(bytes + 4),
        .size = romfs_number_at(bytes + 8),
        .key = bytes[12],
        .min_key = bytes[13],
        .product = bytes + 16,
        .interface_id = bytes + 24,
        .sha256 = bytes + 32,
        .signature = bytes + ROMFS_RELEASE_SIGNED,
    };
    return memcmp(bytes, ROMFS_RELEASE_MAGIC, 4) == 0 && bytes[14] == ROMFS_RELEASE_LAYOUT && bytes[15] == 0 &&
           out->number - 1 < ROMFS_RELEASE_NUMBER_MAX && out->size > 0 && out->min_key <= out->key;
}
