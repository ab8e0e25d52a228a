/* digest.h -- is an image, to the last byte, what the compiler wrote?
 *
 * Mounting proves that no read leaves the image; it does not check the files' bytes, because a device would have to
 * read all of its flash at every start. Programs that take images from a disk or a network also check this. */
#ifndef ROMFS_DIGEST_H
#define ROMFS_DIGEST_H

#include "romfs.h"

/* True when the digest in the header matches the rest of the image. fs is mounted. */
bool romfs_is_intact(const struct romfs *fs);

/* The message for when it does not match. */
#define ROMFS_NOT_INTACT "the image's digest does not match its bytes: it was damaged or changed; pack or copy it again"

#endif
