/* image.c -- copy the image file into memory of our own.
 *
 * Mapping the file itself would save the copy, but it would also let a program that writes into the file change what has been
 * proved, or take the process down by cutting it short; and an image that is replaced would be gone while it is still
 * served. The memory is a mapping of its own: there is no heap. */
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.h"
#include "digest.h"
#include "unescape.h"

/* Reads n bytes. False when that fails; errno is 0 when the file ends early. */
static bool read_all(int fd, char *to, size_t n)
{
    while (n > 0) {
        ssize_t k = read(fd, to, n);
        if (k < 0 && errno == EINTR) {
            continue;
        }
        if (k <= 0) {
            errno = k == 0 ? 0 : errno;
            return false;
        }
        to += k;
        n -= (size_t)k;
    }
    return true;
}

/* Makes the copy, which has not been checked yet. */
static bool copy_open_file(struct posix_image *image, const char *path, int fd)
{
    struct stat status;

    if (fstat(fd, &status) != 0) {
        host_log("%s: %s", path, strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        host_log("%s: not a file; give the image that `skillrom pack` wrote", path);
        return false;
    }
    if (status.st_size <= 0 || (uintmax_t)status.st_size > SIZE_MAX) {
        host_log("%s: %s", path, status.st_size <= 0 ? "the file is empty" : "the file is too large to load");
        return false;
    }
    image->size = (size_t)status.st_size;
    void *bytes = mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED) {
        host_log("%s: cannot load: %s", path, strerror(errno));
        return false;
    }
    image->bytes = bytes;
    if (!read_all(fd, bytes, image->size) || mprotect(bytes, image->size, PROT_READ) != 0) {
        host_log("%s: cannot read: %s", path,
                 errno == 0 ? "the file was truncated while it was read" : strerror(errno));
        posix_image_release(image);
        return false;
    }
    return true;
}

/* A file that is still being written may have valid tables, but not yet valid content. */
static bool check(const struct posix_image *image, const char *path)
{
    struct romfs fs;
    int error = romfs_mount(&fs, image->bytes, image->size);

    const char *why = error != ROMFS_OK             ? romfs_reason(error)
                      : !romfs_is_intact(&fs)       ? ROMFS_NOT_INTACT
                      : !romfs_texts_are_sound(&fs) ? ROMFS_BAD_TEXT
                                                    : NULL;
    if (why != NULL) {
        host_log("%s: %s", path, why);
    }
    return why == NULL;
}

bool posix_image_load(struct posix_image *image, const char *path)
{
    /* O_NONBLOCK: opening a FIFO by mistake must not wait for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0) {
        host_log("%s: %s; give the image that `skillrom pack` wrote", path, strerror(errno));
        return false;
    }
    bool loaded = copy_open_file(image, path, fd);
    close(fd);
    if (loaded && !check(image, path)) {
        posix_image_release(image);
        loaded = false;
    }
    return loaded;
}

void posix_image_release(struct posix_image *image)
{
    munmap((void *)(uintptr_t)image->bytes, image->size);
    image->bytes = NULL;
}
