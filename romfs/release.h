/* release.h -- a release: a signed image that a device accepts as an update.
 *
 * In a file the 128 bytes of the release stand before the image. Numbers are little-endian.
 *
 *     0   4  "SKRU"
 *     4   4  number of the release, from 1 to 1,000,000,000: larger than the one in force, or another one if the release
 *            withdraws a key
 *     8   4  size of the image
 *    12   1  which of the device's keys has signed it, from 0
 *    13   1  keys below this one sign nothing any more once this release is in force; not above the signing key
 *    14   2  1, the version of this layout
 *    16   8  product: the beginning of the SHA-256 of its name
 *    24   8  interface: the interface id of the image (FORMAT.md, section 8)
 *    32  32  SHA-256 of the whole image
 *    64  64  signature of the bytes before it: ECDSA with P-256 and SHA-256, r and s */
#ifndef ROMFS_RELEASE_H
#define ROMFS_RELEASE_H

#include <stdbool.h>
#include <stdint.h>

#define ROMFS_RELEASE_MAGIC "SKRU"
#define ROMFS_RELEASE_LAYOUT 1u
#define ROMFS_RELEASE_SIZE 128u
#define ROMFS_RELEASE_NUMBER_MAX                                                                                       \
    1000000000u                  /* any message can carry it; after it only a release that withdraws a key is taken */
#define ROMFS_RELEASE_SIGNED 64u /* bytes that the signature covers */
#define ROMFS_RELEASE_PRODUCT_SIZE 8u
#define ROMFS_RELEASE_KEY_SIZE 64u /* a point of P-256, x and y */

/* The pointers lead into the bytes that were read. */
struct romfs_release {
    uint32_t number, size;
    uint8_t key, min_key;
    const uint8_t *product, *interface_id, *sha256, *signature;
};

/* Reads a release. False when the bytes are not one, or of another layout, or contradict themselves: a number out of range, size
 * 0, or a lowest key above the one that has signed. The signature is not checked here. */
bool romfs_release_read(const uint8_t bytes[ROMFS_RELEASE_SIZE], struct romfs_release *out);

#endif
