/* image.h -- load an image file to memory that the server can read and nothing can change. */
#ifndef SKR_IMAGE_H
#define SKR_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* A copy of a file, page-aligned and read-only. */
struct posix_image {
    const void *bytes;
    size_t size;
};

/* Copies the file at path and checks that it is a complete and unaltered image. False, after a message, when it is
 * not. */
bool posix_image_load(struct posix_image *image, const char *path);

/* Frees it; image->bytes is NULL then. */
void posix_image_release(struct posix_image *image);

#endif
