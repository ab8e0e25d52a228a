/* share.c -- see share.h. The socket has an abstract name (Linux): it disappears with its owner, and no file is left
 * behind. Anybody could connect to it, so the peer's user is checked. */
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

/* The device number identifies a port, whichever link leads to it. */
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

static int close_unless(bool good, int fd)
{
    if (!good && fd >= 0) {
        close(fd);
    }
    return good ? fd : -1;
}

int skr_share_listen(const char *path)
{
    struct sockaddr_un address;
    socklen_t size;
    int fd = name_of(path, &address, &size) ? socket(AF_UNIX, SOCKET, 0) : -1;
    return close_unless(fd >= 0 && bind(fd, (const struct sockaddr *)&address, size) == 0 && listen(fd, 16) == 0, fd);
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
    return close_unless(fd >= 0 && connect(fd, (const struct sockaddr *)&address, size) == 0 && is_ours(fd), fd);
}

int skr_share_accept(int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    return close_unless(fd >= 0 && is_ours(fd), fd);
}
