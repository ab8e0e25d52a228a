/* private.c -- see private.h. */
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.h"

ssize_t host_private_read(const char *path, char *text, size_t size, bool *shared)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd >= 0 && fstat(fd, &status) == 0 ? read(fd, text, size) : -1;

    if (n < 0) {
        host_log("%s: %s", path, strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    *shared = n >= 0 && S_ISREG(status.st_mode) &&
              (status.st_uid != geteuid() || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0);
    return n;
}
