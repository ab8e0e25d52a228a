/* digest.h -- is an image, to its last byte, what the compiler wrote?
 *
 * Mounting proves that no read leaves the image; of the files' bytes it knows nothing, because a device would have to
 * read all of its flash at every start. Whoever takes images from a disk or a network asks this, too. */
#ifndef ROMFS_DIGEST_H
#define ROMFS_DIGEST_H

#include "romfs.h"

/* True when the digest in the header is that of the rest. fs is mounted. */
bool romfs_is_intact(const struct romfs *fs);

/* What to say when it is not. */
#define ROMFS_NOT_INTACT "the image's digest does not match its bytes: it was damaged or changed; pack or copy it again"

#endif
