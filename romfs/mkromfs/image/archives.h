/* archives.h -- digests of the archives that are generated from an image's skills. */
#ifndef MKROMFS_ARCHIVES_H
#define MKROMFS_ARCHIVES_H

#include "archive.h"
#include "base/buf.h"
#include "sha256.h"

/* Fills in the CRC of each skill's tar and the digests of its archives, and seals the image again. It must be valid
 * otherwise. */
void archives_fill(struct buf *image);

/* The digest of an archive of a mounted image, and the CRC of the tar inside a .tar.gz; false
 * when that is not a deflate stream of the recorded size. */
void archives_digest(const struct romfs *fs, uint32_t skill, enum romfs_archive_kind kind,
                     uint8_t digest[ROMFS_SHA256_SIZE]);
bool archives_tar_crc(const struct romfs *fs, uint32_t skill, uint32_t *crc);

#endif
