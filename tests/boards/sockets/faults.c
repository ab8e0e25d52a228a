/* faults.c -- a network that does its worst: linked with --wrap in front of the calls of port/sockets. FAULTS in the
 * environment names what happens, separated by commas; everything happens in the order that a fixed sequence gives.
 *
 *     short    a call moves a few bytes, whatever was asked for
 *     again    a call is interrupted, or would wait, though it was reported ready
 *     accept   the system has no descriptor or memory left, or the client has gone
 *     buffers  the stack has no buffer for what is sent
 *     reset    the peer is gone
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>

/* clang-format off */
ssize_t __real_recv(int fd, void *to, size_t n, int flags);
ssize_t __real_send(int fd, const void *from, size_t n, int flags);
ssize_t __real_sendmsg(int fd, const struct msghdr *message, int flags);
int __real_accept4(int fd, struct sockaddr *peer, socklen_t *size, int flags);
int __real_poll(struct pollfd *polled, nfds_t count, int ms);
int __real_select(int end, fd_set *readable, fd_set *writable, fd_set *broken, struct timeval *most);
ssize_t __wrap_recv(int fd, void *to, size_t n, int flags);
ssize_t __wrap_send(int fd, const void *from, size_t n, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
int __wrap_accept4(int fd, struct sockaddr *peer, socklen_t *size, int flags);
int __wrap_poll(struct pollfd *polled, nfds_t count, int ms);
int __wrap_select(int end, fd_set *readable, fd_set *writable, fd_set *broken, struct timeval *most);
/* clang-format on */

static uint32_t state = 1;

static bool one_in(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % n == 0;
}

static bool wants(const char *fault)
{
    const char *faults = getenv("FAULTS");

    return faults != NULL && strstr(faults, fault) != NULL;
}

/* What happens instead of a call that moves bytes; 0: it is made. */
static int broken(int reset)
{
    if (wants("again") && one_in(4)) {
        return one_in(2) ? EINTR : EAGAIN;
    }
    if (reset == EPIPE && wants("buffers") && one_in(4)) {
        return one_in(2) ? ENOBUFS : ENOMEM;
    }
    return wants("reset") && one_in(60) ? reset : 0;
}

static size_t shortened(size_t n)
{
    return wants("short") && n > 1 && one_in(2) ? 1 + (state >> 20) % (n < 7 ? n : 7) : n;
}

ssize_t __wrap_recv(int fd, void *to, size_t n, int flags)
{
    errno = broken(ECONNRESET);
    return errno != 0 ? -1 : __real_recv(fd, to, shortened(n), flags);
}

ssize_t __wrap_send(int fd, const void *from, size_t n, int flags)
{
    errno = broken(EPIPE);
    return errno != 0 ? -1 : __real_send(fd, from, shortened(n), flags);
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    struct msghdr few = *message;
    struct iovec first = message->msg_iov[0];

    errno = broken(EPIPE);
    if (errno != 0) {
        return -1;
    }
    first.iov_len = shortened(first.iov_len);
    if (first.iov_len < message->msg_iov[0].iov_len) {
        few.msg_iov = &first;
        few.msg_iovlen = 1;
    }
    return __real_sendmsg(fd, &few, flags);
}

int __wrap_accept4(int fd, struct sockaddr *peer, socklen_t *size, int flags)
{
    static const int reasons[] = {EINTR, ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM, EAGAIN};

    if (wants("accept") && one_in(3)) {
        errno = reasons[(state >> 20) % (sizeof reasons / sizeof reasons[0])];
        return -1;
    }
    return __real_accept4(fd, peer, size, flags);
}

int __wrap_poll(struct pollfd *polled, nfds_t count, int ms)
{
    if (wants("again") && one_in(8)) {
        errno = EINTR;
        return -1;
    }
    return __real_poll(polled, count, ms);
}

int __wrap_select(int end, fd_set *readable, fd_set *writable, fd_set *broken_fds, struct timeval *most)
{
    if (wants("again") && one_in(8)) {
        errno = EINTR;
        return -1;
    }
    return __real_select(end, readable, writable, broken_fds, most);
}
