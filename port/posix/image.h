/* image.h -- put an image file where the server can read it in place. */
#ifndef SKR_IMAGE_H
#define SKR_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* A mapped file, page-aligned and read-only. */
struct skr_image {
    const void *bytes;
    size_t size;
};

/* Maps the file at path. False when that fails or it is not what its digest says, and the reason has been said.
 * Whether the bytes are a sound image is for skr_server_init to find out. */
bool skr_image_map(struct skr_image *image, const char *path);

/* Gives it back; image->bytes is NULL then. */
void skr_image_unmap(struct skr_image *image);

#endif
