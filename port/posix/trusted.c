/* trusted.c -- see trusted.h. */
#include "trusted.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.h"

bool posix_trusted_read(const char *path, const char *what, char *text, size_t size)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *wrong = NULL, *end = "";

    if (fd < 0 || fstat(fd, &status) != 0) {
        wrong = strerror(errno);
    } else if (!S_ISREG(status.st_mode)) {
        wrong = "not a file";
    } else if ((status.st_uid != geteuid() && status.st_uid != 0) || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        wrong = "others may write to it, and could add ";
        end = what;
    } else if (status.st_size >= (off_t)size) {
        wrong = "too long";
    } else if (read(fd, text, size - 1) != status.st_size) {
        wrong = "cannot be read completely";
    } else {
        text[status.st_size] = '\0';
        wrong = strlen(text) != (size_t)status.st_size ? "contains a NUL byte" : NULL;
    }
    if (fd >= 0) {
        close(fd);
    }
    if (wrong != NULL) {
        host_log("%s: %s%s", path, wrong, end);
    }
    return wrong == NULL;
}
