/* archives.c -- generates each archive once, as a server would, to compute its digest. See
 * archives.h. The tar's CRC comes from inflating the .tar.gz, so that the generator is checked
 * by a reader that knows nothing of it. */
#include "image/archives.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/screen.h"
#include "image/image.h"
#include "miniz.h"
#include "romfs.h"

#define GZIP_HEAD 10u /* bytes before the deflate stream: no name, no comment */
#define GZIP_TAIL 8u  /* CRC and size after it */

void archives_digest(const struct romfs *fs, uint32_t skill, enum romfs_archive_kind kind,
                     uint8_t digest[ROMFS_SHA256_SIZE])
{
    struct romfs_archive z;
    struct romfs_sha256 hash;
    const uint8_t *bytes;
    size_t n;

    romfs_sha256_start(&hash);
    for (romfs_archive_start(&z, fs, skill, kind); (n = romfs_archive_next(&z, &bytes)) > 0;) {
        romfs_sha256_add(&hash, bytes, n);
    }
    romfs_sha256_finish(&hash, digest);
}

/* Inflates n bytes at p, all of them one stream, and computes the CRC of the output, which must be `size` bytes: a
 * longer stream is refused. */
static bool inflate_crc(const uint8_t *p, size_t n, uint32_t size, uint32_t *crc)
{
    tinfl_decompressor *tinfl = xmalloc(sizeof *tinfl);
    uint8_t *window = xmalloc(TINFL_LZ_DICT_SIZE);
    size_t at = 0;
    uint32_t left = size;
    tinfl_status status;

    *crc = 0;
    tinfl_init(tinfl);
    do {
        size_t in = n, out = TINFL_LZ_DICT_SIZE - at;
        status = tinfl_decompress(tinfl, p, &in, window, window + at, &out, 0);
        if (out > left) {
            status = TINFL_STATUS_FAILED;
            break;
        }
        *crc = romfs_crc32(*crc, window + at, out);
        left -= (uint32_t)out;
        at = (at + out) & (TINFL_LZ_DICT_SIZE - 1);
        p += in;
        n -= in;
    } while (status == TINFL_STATUS_HAS_MORE_OUTPUT);
    free(window);
    free(tinfl);
    return status == TINFL_STATUS_DONE && n == 0 && left == 0;
}

/* The size of the tar, as the end of the .tar.gz records it. */
static uint32_t recorded_size(const struct buf *tgz)
{
    const uint8_t *tail = tgz->p + tgz->n - 4;

    return (uint32_t)tail[0] | (uint32_t)tail[1] << 8 | (uint32_t)tail[2] << 16 | (uint32_t)tail[3] << 24;
}

bool archives_tar_crc(const struct romfs *fs, uint32_t skill, uint32_t *crc)
{
    struct romfs_archive z;
    struct buf tgz = {0};
    const uint8_t *bytes;
    size_t n;

    if (romfs_archive_size(fs, skill, ROMFS_TAR_GZ) == 0) {
        return false;
    }
    for (romfs_archive_start(&z, fs, skill, ROMFS_TAR_GZ); (n = romfs_archive_next(&z, &bytes)) > 0;) {
        buf_add(&tgz, bytes, n);
    }
    bool whole = tgz.n > GZIP_HEAD + GZIP_TAIL &&
                 inflate_crc(tgz.p + GZIP_HEAD, tgz.n - GZIP_HEAD - GZIP_TAIL, recorded_size(&tgz), crc);
    free(tgz.p);
    return whole;
}

void archives_fill(struct buf *image)
{
    struct romfs fs;
    int error = romfs_mount(&fs, image->p, image->n);

    if (error != ROMFS_OK) {
        screen_error("internal error: the new image is refused: %s", romfs_reason(error));
        abort();
    }
    struct romfs_skill *skills = (void *)(image->p + fs.header->skills.off);
    for (uint32_t i = 0; i < fs.header->skills.count; i++) {
        if ((skills[i].flags & ROMFS_NO_ARCHIVE) != 0) {
            continue;
        }
        screen_progress("archiving", "skills");
        if (!archives_tar_crc(&fs, i, &skills[i].tar_crc)) {
            screen_error("internal error: the archive of a skill does not unpack");
            abort();
        }
        archives_digest(&fs, i, ROMFS_ZIP, image->p + skills[i].zip_digest);
        archives_digest(&fs, i, ROMFS_TAR_GZ, image->p + skills[i].tgz_digest);
    }
    image_seal(image);
}
