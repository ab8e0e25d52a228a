/* system_linux.c -- see system.h. */
#include "system.h"

#if !SKR_POLL

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* ---- Waiting ---- */

static bool control(struct skr_waiter *w, int operation, int fd, uint64_t tag, unsigned events)
{
    struct epoll_event event = {.data.u64 = tag};

    event.events = (events & SKR_READABLE ? (uint32_t)EPOLLIN : 0) | (events & SKR_WRITABLE ? (uint32_t)EPOLLOUT : 0);
    return epoll_ctl(w->epoll, operation, fd, &event) == 0;
}

bool skr_wait_open(struct skr_waiter *w)
{
    *w = (struct skr_waiter){.epoll = epoll_create1(EPOLL_CLOEXEC)};
    return w->epoll >= 0;
}

bool skr_wait_add(struct skr_waiter *w, int fd, uint64_t tag, unsigned events)
{
    return control(w, EPOLL_CTL_ADD, fd, tag, events);
}

bool skr_wait_change(struct skr_waiter *w, int fd, uint64_t tag, unsigned events)
{
    return control(w, EPOLL_CTL_MOD, fd, tag, events);
}

void skr_wait_forget(struct skr_waiter *w, int fd)
{
    (void)control(w, EPOLL_CTL_DEL, fd, 0, 0);
}

bool skr_wait_nest(struct skr_waiter *w, struct skr_waiter *inner, uint64_t tag)
{
    w->inner = inner;
    w->inner_tag = tag;
    return control(w, EPOLL_CTL_ADD, inner->epoll, tag, SKR_READABLE);
}

int skr_wait_in_system(struct skr_waiter *w, struct skr_ready *ready, int room, int ms)
{
    struct epoll_event events[SKR_WAIT_MAX];
    int count = epoll_wait(w->epoll, events, room < SKR_WAIT_MAX ? room : SKR_WAIT_MAX, ms);

    for (int i = 0; i < count; i++) {
        uint32_t e = events[i].events;
        ready[i].tag = events[i].data.u64;
        ready[i].events = (e & EPOLLIN ? SKR_READABLE : 0u) | (e & EPOLLOUT ? SKR_WRITABLE : 0u) |
                          (e & (EPOLLERR | EPOLLHUP) ? SKR_BROKEN : 0u);
    }
    return count;
}

/* ---- Signals ---- */

int skr_signals_open(const sigset_t *wanted)
{
    sigprocmask(SIG_BLOCK, wanted, NULL);
    return signalfd(-1, wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

int skr_signals_next(int fd)
{
    struct signalfd_siginfo info;

    return read(fd, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

/* ---- Sockets ---- */

int skr_socket(int family)
{
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

bool skr_socket_pair(int pair[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0;
}

int skr_accept(int listener, struct sockaddr *peer, socklen_t *size)
{
    return accept4(listener, peer, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

bool skr_socket_unsent(int fd, int *bytes)
{
    return ioctl(fd, SIOCOUTQ, bytes) == 0;
}

/* ---- Folders ---- */

/* opendir would allocate. */
void skr_folder_list(int folder, void (*each)(void *context, const char *name), void *context)
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
