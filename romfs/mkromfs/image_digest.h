/* image_digest.h -- whether an image is the one whose digest its header has. */
#ifndef MKROMFS_IMAGE_DIGEST_H
#define MKROMFS_IMAGE_DIGEST_H

#include <stdbool.h>

#include "romfs.h"

/* Makes the digest of a mounted image again. A device does not: it is slow, and firmware comes with its image. Where an
 * image is a file, anybody may have put together one with the digest of another. Uses no heap. */
bool image_digest_fits(const struct romfs *fs);

#define IMAGE_DIGEST_REASON \
    "the image's digest does not match its bytes: it was damaged or changed; skillrom verify says where, pack it again"

#endif
