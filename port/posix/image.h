/* image.h -- put an image file where the server can read it, and nobody can change it. */
#ifndef SKR_IMAGE_H
#define SKR_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* A copy of a file, page-aligned and read-only. */
struct skr_image {
    const void *bytes;
    size_t size;
};

/* Copies the file at path, and sees that it is a sound image with nothing missing or altered. False when it is not,
 * and the reason has been said. */
bool skr_image_load(struct skr_image *image, const char *path);

/* Gives it back; image->bytes is NULL then. */
void skr_image_release(struct skr_image *image);

#endif
