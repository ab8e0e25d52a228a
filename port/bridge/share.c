/* share.c -- see share.h. The socket has an abstract name (Linux): it goes when its owner
 * goes, and no file is left behind. Anybody could connect to it, so the peer's user is
 * compared. */
#include "share.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKET (SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC)

/* The device number names a port whatever link leads to it. */
static bool name_of(const char *path, struct sockaddr_un *address, socklen_t *size)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return false;
    }
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    int n = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "skillrom-bridge-%lu-%u-%u",
                     (unsigned long)getuid(), major(status.st_rdev), minor(status.st_rdev));
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    return true;
}

int skr_share_listen(const char *path)
{
    struct sockaddr_un address;
    socklen_t size;
    int fd = name_of(path, &address, &size) ? socket(AF_UNIX, SOCKET, 0) : -1;
    if (fd >= 0 && (bind(fd, (const struct sockaddr *)&address, size) != 0 || listen(fd, 16) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

static bool is_ours(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
}

int skr_share_connect(const char *path)
{
    struct sockaddr_un address;
    socklen_t size;
    int fd = name_of(path, &address, &size) ? socket(AF_UNIX, SOCKET, 0) : -1;
    if (fd >= 0 && (connect(fd, (const struct sockaddr *)&address, size) != 0 || !is_ours(fd))) {
        close(fd);
        return -1;
    }
    return fd;
}

int skr_share_accept(int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0 && !is_ours(fd)) {
        close(fd);
        return -1;
    }
    return fd;
}
