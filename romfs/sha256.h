/* sha256.h -- SHA-256 (FIPS 180-4), in one call or in pieces: for the compiler, and for readers that have the time. */
#ifndef ROMFS_SHA256_H
#define ROMFS_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define ROMFS_SHA256_SIZE 32u

struct romfs_sha256 {
    uint32_t state[8];
    uint32_t length;   /* bytes so far; 4 GiB is more than an image can have */
    uint8_t block[64]; /* the bytes that do not fill a block yet */
};

void romfs_sha256_start(struct romfs_sha256 *s);
void romfs_sha256_add(struct romfs_sha256 *s, const void *bytes, size_t n);
void romfs_sha256_finish(struct romfs_sha256 *s, uint8_t digest[ROMFS_SHA256_SIZE]);

/* All three in one call. */
void romfs_sha256_of(const void *bytes, size_t n, uint8_t digest[ROMFS_SHA256_SIZE]);

/* Lower-case hex of the first n bytes of a digest, with a NUL: 2n + 1 chars. */
void romfs_sha256_hex(const uint8_t *digest, size_t n, char *out);

#endif
