/* release_file.h -- a release as a file: 128 signed bytes (romfs/release.h), then the image. */
#ifndef MKROMFS_RELEASE_FILE_H
#define MKROMFS_RELEASE_FILE_H

#include <stdint.h>

#include "base/buf.h"
#include "cmdline.h"
#include "release.h"
#include "romfs.h"
#include "sign/key.h"

/* What a release says beside its image. */
struct release_options {
    const char *key;     /* file with the private key */
    const char *product; /* its name */
    uint32_t number, key_index, min_key;
};

/* The rows of a command line that fill one; `call` has it as `member`. */
/* clang-format off */
#define RELEASE_ROWS(call, member) \
    HOST_TEXT("--key", "FILE.pem", call, member.key, "the private key that signs, made by `skillrom keys new` or openssl"), \
    HOST_TEXT("--product", "NAME", call, member.product, "the product that the release is for; devices of others refuse it"), \
    HOST_NUMBER("--number", "N", call, member.number, 1, ROMFS_RELEASE_NUMBER_MAX, "number of the release; a device accepts only larger ones than it has"), \
    HOST_NUMBER("--key-index", "N", call, member.key_index, 0, 255, "which of the device's keys this one is (0)"), \
    HOST_NUMBER("--min-key", "N", call, member.min_key, 0, 255, "once confirmed, keys below this index are no longer trusted (0)")
/* clang-format on */

/* 0; or 2, after a message, when an option is missing or they contradict each other. */
int release_check(const struct release_options *options);

/* Makes a release of an image. False, with the reason on stderr, when the key cannot be read. */
bool release_make(struct buf *out, const struct romfs *fs, const struct release_options *options);

/* Reads the release in a file, if there is one, and counts the bytes after it. False without a message when there is none. */
bool release_of_file(const char *path, uint8_t release[ROMFS_RELEASE_SIZE], size_t *after);

/* What is wrong between a release and the `after` bytes that follow it, in which is the image; NULL if nothing. `key` may be
 * NULL: then the signature is not checked. */
const char *release_problem(const uint8_t release[ROMFS_RELEASE_SIZE], size_t after, const struct romfs *fs,
                            const struct key *key);

#endif
