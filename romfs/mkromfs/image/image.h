/* image.h -- a struct device as the bytes that romfs.h reads and FORMAT.md specifies. */
#ifndef MKROMFS_IMAGE_H
#define MKROMFS_IMAGE_H

#include "base/buf.h"
#include "image/model.h"

struct image_options {
    size_t window; /* deflate what gets smaller, with this window; 0: nothing */
    bool raw_text; /* store texts unescaped: for firmware that reads files itself */
    bool take;     /* free the content of each file once it is in the image */
};

/* Fills `image`, which starts as all zeros. The same device and options give the
 * same bytes. False, with a message in diag, when the device cannot be an image. */
bool image_build(const struct device *device, const struct image_options *options, struct diag *diag,
                 struct buf *image);

/* Recomputes digest and CRC after a change to a complete image. */
void image_seal(struct buf *image);

#endif
