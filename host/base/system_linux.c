/* system_linux.c -- see system.h. */
#include "system.h"

#if !SKR_POLL

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* ---- Waiting ---- */

static bool waiter_control(struct host_waiter *w, int operation, int fd, uint64_t tag, unsigned events)
{
    struct epoll_event event = {.data.u64 = tag};

    event.events = (events & HOST_READABLE ? (uint32_t)EPOLLIN : 0) | (events & HOST_WRITABLE ? (uint32_t)EPOLLOUT : 0);
    return epoll_ctl(w->epoll, operation, fd, &event) == 0;
}

bool host_wait_open(struct host_waiter *w)
{
    *w = (struct host_waiter){.epoll = epoll_create1(EPOLL_CLOEXEC)};
    return w->epoll >= 0;
}

bool host_wait_add(struct host_waiter *w, int fd, uint64_t tag, unsigned events)
{
    return waiter_control(w, EPOLL_CTL_ADD, fd, tag, events);
}

bool host_wait_change(struct host_waiter *w, int fd, uint64_t tag, unsigned events)
{
    return waiter_control(w, EPOLL_CTL_MOD, fd, tag, events);
}

void host_wait_forget(struct host_waiter *w, int fd)
{
    (void)waiter_control(w, EPOLL_CTL_DEL, fd, 0, 0);
}

bool host_wait_nest(struct host_waiter *w, struct host_waiter *inner, uint64_t tag)
{
    w->inner = inner;
    w->inner_tag = tag;
    return waiter_control(w, EPOLL_CTL_ADD, inner->epoll, tag, HOST_READABLE);
}

int host_wait_in_system(struct host_waiter *w, struct host_ready *ready, int room, int ms)
{
    struct epoll_event events[HOST_WAIT_MAX];
    int count = epoll_wait(w->epoll, events, room < HOST_WAIT_MAX ? room : HOST_WAIT_MAX, ms);

    for (int i = 0; i < count; i++) {
        uint32_t e = events[i].events;
        ready[i].tag = events[i].data.u64;
        ready[i].events = (e & EPOLLIN ? HOST_READABLE : 0u) | (e & EPOLLOUT ? HOST_WRITABLE : 0u) |
                          (e & (EPOLLERR | EPOLLHUP) ? HOST_BROKEN : 0u);
    }
    return count;
}

/* ---- Signals ---- */

int host_signals_open(const sigset_t *wanted)
{
    sigprocmask(SIG_BLOCK, wanted, NULL);
    return signalfd(-1, wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

int host_signals_next(int fd)
{
    struct signalfd_siginfo info;

    return read(fd, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

/* ---- Sockets ---- */

int host_socket(int family)
{
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

bool host_socket_pair(int pair[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0;
}

int host_accept(int listener, struct sockaddr *peer, socklen_t *size)
{
    return accept4(listener, peer, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void host_socket_keepalive(int fd)
{
    const int on = 1, idle = 15, every = 5, times = 3, unanswered_ms = 30000;

    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof unanswered_ms);
}

int host_datagram_socket(int family)
{
    return socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* ---- Folders ---- */

/* opendir would allocate. */
void host_folder_list(int folder, void (*each)(void *context, const char *name), void *context)
{
    static union {
        char bytes[32768];
        struct dirent64 align;
    } entries;
    ssize_t n;

    (void)lseek(folder, 0, SEEK_SET);
    while ((n = getdents64(folder, (void *)&entries, sizeof entries)) > 0) {
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *entry = (const void *)(entries.bytes + at);
            at += entry->d_reclen;
            each(context, entry->d_name);
        }
    }
}

#endif
