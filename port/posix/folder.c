/* folder.c -- see folder.h. */
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool posix_folder_name(char *path, size_t size, const char *given, const char *variable, const char *below)
{
    const char *home = getenv("HOME"), *base = getenv(variable);
    int n = -1;

    if (given != NULL) {
        n = snprintf(path, size, "%s", given);
    } else if (base != NULL && *base == '/') {
        n = snprintf(path, size, "%s/skillrom", base);
    } else if (home != NULL && *home == '/') {
        n = snprintf(path, size, "%s/%s/skillrom", home, below);
    }
    if (n <= 0 || (size_t)n >= size) {
        return false;
    }
    while (n > 1 && path[n - 1] == '/') { /* with a slash at the end a link would be followed */
        path[--n] = '\0';
    }
    return true;
}

/* Creates every folder of a path that does not exist. */
static bool make_folders(char *path)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) {
            return false;
        }
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool is_ours_alone(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

int posix_folder_open(char *path, const char **why)
{
    int fd = make_folders(path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) : -1;

    if (fd < 0) {
        *why = errno == ENOTDIR ? "not a folder, or only a link to one" : strerror(errno);
    } else if (!is_ours_alone(fd)) {
        *why = "belongs to another user, or others may write to it";
        close(fd);
        fd = -1;
    }
    return fd;
}
