/* share.c -- see share.h. On Linux the socket has an abstract name: it disappears with its owner, and no file remains.
 * Any user could connect to it, so the peer's user is checked. Elsewhere it is a file in a folder that only this user can enter;
 * the bridge that has locked the port replaces an old file. */
#include "share.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../port/posix/folder.h"
#include "system.h"

#if SKR_POLL

/* A folder for sockets; at the end its name, with the device's number, is the socket's. */
static bool name_in_folder(char *path, size_t size, unsigned long device)
{
    const char *above = getenv("XDG_RUNTIME_DIR"), *why;

    above = above != NULL ? above : getenv("TMPDIR");
    int n = snprintf(path, size, "%s/skillrom-%lu", above != NULL ? above : "/tmp", (unsigned long)getuid());
    if (n < 0 || (size_t)n >= size) {
        return false;
    }
    int fd = posix_folder_open(path, &why);
    if (fd < 0) {
        return false;
    }
    close(fd);
    return snprintf(path + n, size - (size_t)n, "/bridge-%lu", device) < (int)(size - (size_t)n);
}

#endif

/* The device number identifies a port under any of its links. */
static bool name_of(const char *path, struct sockaddr_un *address, socklen_t *size)
{
    struct stat status;

    if (stat(path, &status) != 0) {
        return false;
    }
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
#if SKR_POLL
    *size = (socklen_t)sizeof *address;
    return name_in_folder(address->sun_path, sizeof address->sun_path, (unsigned long)status.st_rdev);
#else
    int n = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "skillrom-bridge-%lu-%lu",
                     (unsigned long)getuid(), (unsigned long)status.st_rdev);
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    return true;
#endif
}

static int close_unless(bool good, int fd)
{
    if (!good && fd >= 0) {
        close(fd);
    }
    return good ? fd : -1;
}

int transport_share_listen(const char *path)
{
    struct sockaddr_un address;
    socklen_t size;
    int fd = name_of(path, &address, &size) ? host_socket(AF_UNIX) : -1;

    if (fd < 0) {
        return -1; /* the address may be incomplete */
    }
#if SKR_POLL
    (void)unlink(address.sun_path);
#endif
    return close_unless(bind(fd, (const struct sockaddr *)&address, size) == 0 && listen(fd, 16) == 0, fd);
}

static bool is_ours(int fd)
{
#if SKR_POLL
    (void)fd;
    return true; /* no other user can enter the folder */
#else
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
#endif
}

int transport_share_connect(const char *path)
{
    struct sockaddr_un address;
    socklen_t size;
    int fd = name_of(path, &address, &size) ? host_socket(AF_UNIX) : -1;

    return close_unless(fd >= 0 && connect(fd, (const struct sockaddr *)&address, size) == 0 && is_ours(fd), fd);
}

int transport_share_accept(int listener)
{
    int fd = host_accept(listener, NULL, NULL);

    return close_unless(fd >= 0 && is_ours(fd), fd);
}
