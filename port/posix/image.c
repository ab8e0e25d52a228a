/* image.c -- map the image file. The system reads a page when it is first
 * needed, several servers share one copy, and answers leave from the mapping
 * without passing through the server's memory.
 *
 * A file that is cut short while it is mapped takes the process down (SIGBUS):
 * replace an image by renaming a new file over it, never by writing into it. */
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image_digest.h"
#include "say.h"

static bool map_open_file(struct skr_image *image, const char *path, int fd)
{
    struct stat status;

    if (fstat(fd, &status) != 0) {
        skr_say("%s: %s", path, strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        skr_say("%s: not a file; give the image that `skillrom pack` wrote", path);
        return false;
    }
    if (status.st_size <= 0 || (uintmax_t)status.st_size > SIZE_MAX) {
        skr_say("%s: %s", path, status.st_size <= 0 ? "the file is empty" : "the file is too large to map");
        return false;
    }
    image->size = (size_t)status.st_size;
    image->bytes = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (image->bytes == MAP_FAILED) {
        skr_say("%s: cannot map: %s", path, strerror(errno));
        return false;
    }
    return true;
}

/* An image whose digest is another's would be taken for that by whoever knows images by it. What is no image at all
 * is for skr_server_init to refuse. */
static bool is_whole(struct skr_image *image, const char *path)
{
    struct romfs fs;

    if (romfs_mount(&fs, image->bytes, image->size) == ROMFS_OK && !image_digest_fits(&fs)) {
        skr_say("%s: %s", path, IMAGE_DIGEST_REASON);
        skr_image_unmap(image);
        return false;
    }
    return true;
}

bool skr_image_map(struct skr_image *image, const char *path)
{
    /* O_NONBLOCK: opening a FIFO by mistake must not wait for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0) {
        skr_say("%s: %s", path, strerror(errno));
        return false;
    }
    bool mapped = map_open_file(image, path, fd);
    close(fd);
    return mapped && is_whole(image, path);
}

void skr_image_unmap(struct skr_image *image)
{
    munmap((void *)(uintptr_t)image->bytes, image->size);
    image->bytes = NULL;
}
