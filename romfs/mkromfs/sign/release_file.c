/* release_file.c -- see release_file.h. */
#include "sign/release_file.h"

#include <stdio.h>
#include <string.h>

#include "base/screen.h"
#include "number.h"
#include "sha256.h"

int release_check(const struct release_options *options)
{
    if (options->key == NULL || options->product == NULL || options->number == 0) {
        return host_usage_error("a release needs --key, --product and --number");
    }
    if (*options->product == '\0') {
        return host_usage_error("--product has no name; give that of the devices, as `skillromd --product` has it");
    }
    if (options->min_key > options->key_index) {
        return host_usage_error("--min-key %u is above --key-index %u: the release would revoke its own key",
                                (unsigned)options->min_key, (unsigned)options->key_index);
    }
    return 0;
}

bool release_make(struct buf *out, const struct romfs *fs, const struct release_options *options)
{
    uint8_t release[ROMFS_RELEASE_SIZE] = {0}, digest[ROMFS_SHA256_SIZE];
    struct key key;

    if (!key_read(options->key, &key)) {
        return false;
    }
    if (!key.is_private) {
        screen_error("%s: a public key cannot sign; give the private one", options->key);
        return false;
    }
    memcpy(release, ROMFS_RELEASE_MAGIC, 4);
    romfs_number_put(release + 4, options->number);
    romfs_number_put(release + 8, fs->header->size);
    release[12] = (uint8_t)options->key_index;
    release[13] = (uint8_t)options->min_key;
    release[14] = ROMFS_RELEASE_LAYOUT;
    romfs_sha256_of(options->product, strlen(options->product), digest);
    memcpy(release + 16, digest, ROMFS_RELEASE_PRODUCT_SIZE);
    memcpy(release + 24, fs->header->interface_id, ROMFS_INTERFACE_SIZE);
    romfs_sha256_of(fs->image, fs->header->size, release + 32);
    romfs_sha256_of(release, ROMFS_RELEASE_SIGNED, digest);
    key_sign(&key, digest, release + ROMFS_RELEASE_SIGNED);
    buf_add(out, release, sizeof release);
    buf_add(out, fs->image, fs->header->size);
    return true;
}

bool release_of_file(const char *path, uint8_t release[ROMFS_RELEASE_SIZE], size_t *after)
{
    FILE *f = fopen(path, "rb");
    size_t n = f != NULL ? fread(release, 1, ROMFS_RELEASE_SIZE, f) : 0;
    char rest[4096];

    *after = 0;
    if (f != NULL) {
        for (size_t k; (k = fread(rest, 1, sizeof rest, f)) > 0;) {
            *after += k;
        }
        fclose(f);
    }
    return n == ROMFS_RELEASE_SIZE && memcmp(release, ROMFS_RELEASE_MAGIC, 4) == 0;
}

const char *release_problem(const uint8_t release[ROMFS_RELEASE_SIZE], size_t after, const struct romfs *fs,
                            const struct key *key)
{
    uint8_t digest[ROMFS_SHA256_SIZE];
    struct romfs_release r;

    if (!romfs_release_read(release, &r)) {
        return "the release is of another layout, or contradicts itself; sign it again";
    }
    romfs_sha256_of(fs->image, fs->header->size, digest);
    if (r.size != fs->header->size || memcmp(r.sha256, digest, sizeof digest) != 0) {
        return "the release is of another image; sign this one";
    }
    if (after != r.size) {
        return "bytes follow its image, so `skillrom update` refuses the file; copy it again";
    }
    if (memcmp(r.interface_id, fs->header->interface_id, ROMFS_INTERFACE_SIZE) != 0) {
        return "the release has another interface than its image; sign it again";
    }
    romfs_sha256_of(release, ROMFS_RELEASE_SIGNED, digest);
    return key != NULL && !key_has_signed(key, digest, r.signature) ? "the signature is not of this key" : NULL;
}
