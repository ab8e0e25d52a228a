/* system_poll.c -- the implementation with POSIX alone, for systems other than Linux. See system.h. */
#include "system.h"

#if SKR_POLL

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

/* ---- Waiting ---- */

static struct pollfd *waiter_find(struct host_waiter *w, int fd)
{
    for (size_t i = 0; i < w->count; i++) {
        if (w->at[i].fd == fd) {
            return &w->at[i];
        }
    }
    return NULL;
}

static short poll_events(unsigned events)
{
    return (short)((events & HOST_READABLE ? POLLIN : 0) | (events & HOST_WRITABLE ? POLLOUT : 0));
}

bool host_wait_open(struct host_waiter *w)
{
    memset(w, 0, sizeof *w);
    return true;
}

bool host_wait_add(struct host_waiter *w, int fd, uint64_t tag, unsigned events)
{
    if (w->count == HOST_WAIT_MAX || waiter_find(w, fd) != NULL) {
        errno = w->count == HOST_WAIT_MAX ? ENOSPC : EEXIST;
        return false;
    }
    w->tags[w->count] = tag;
    w->at[w->count++] = (struct pollfd){.fd = fd, .events = poll_events(events)};
    return true;
}

bool host_wait_change(struct host_waiter *w, int fd, uint64_t tag, unsigned events)
{
    struct pollfd *one = waiter_find(w, fd);

    if (one == NULL) {
        errno = ENOENT;
        return false;
    }
    one->events = poll_events(events);
    w->tags[one - w->at] = tag;
    return true;
}

static void remove_at(struct host_waiter *w, size_t i)
{
    w->count--;
    w->at[i] = w->at[w->count];
    w->tags[i] = w->tags[w->count];
}

void host_wait_forget(struct host_waiter *w, int fd)
{
    struct pollfd *one = waiter_find(w, fd);

    if (one != NULL) {
        remove_at(w, (size_t)(one - w->at));
    }
}

bool host_wait_nest(struct host_waiter *w, struct host_waiter *inner, uint64_t tag)
{
    w->inner = inner;
    w->inner_tag = tag;
    return true;
}

/* Some systems report a hang-up when only the peer's direction is shut. The read or write that was waited for finds out. */
static unsigned ready_events(const struct pollfd *one)
{
    short r = one->revents;
    unsigned events = (r & POLLIN ? HOST_READABLE : 0u) | (r & POLLOUT ? HOST_WRITABLE : 0u);

    if ((r & (POLLHUP | POLLERR)) != 0) {
        events |= one->events & POLLIN ? HOST_READABLE : one->events & POLLOUT ? HOST_WRITABLE : HOST_BROKEN;
    }
    return events;
}

/* Copies the results of poll. A descriptor that has been closed is forgotten, as an epoll does. */
static bool waiter_collect(struct host_waiter *w, const struct pollfd *found, struct host_ready *ready, int room,
                           int *count)
{
    bool any = false;

    for (size_t i = w->count; i-- > 0;) {
        w->at[i].revents = found[i].revents;
        if ((found[i].revents & POLLNVAL) != 0) {
            remove_at(w, i);
        } else if (found[i].revents != 0) {
            any = true;
            if (ready != NULL && *count < room) {
                ready[(*count)++] = (struct host_ready){.tag = w->tags[i], .events = ready_events(&w->at[i])};
            }
        }
    }
    return any;
}

int host_wait_in_system(struct host_waiter *w, struct host_ready *ready, int room, int ms)
{
    static struct pollfd all[2 * HOST_WAIT_MAX];
    size_t own = w->count, inner = w->inner != NULL ? w->inner->count : 0;
    int count = 0;

    memcpy(all, w->at, own * sizeof all[0]);
    if (inner > 0) {
        memcpy(all + own, w->inner->at, inner * sizeof all[0]);
    }
    if (poll(all, (nfds_t)(own + inner), ms) < 0) {
        return -1;
    }
    (void)waiter_collect(w, all, ready, room, &count);
    if (inner > 0 && waiter_collect(w->inner, all + own, NULL, 0, NULL) && count < room) {
        ready[count++] = (struct host_ready){.tag = w->inner_tag, .events = HOST_READABLE};
    }
    return count;
}

/* ---- Signals: each writes its number into a pipe ---- */

static int signal_pipe[2] = {-1, -1};

static void on_signal(int number)
{
    int kept = errno;
    unsigned char byte = (unsigned char)number;

    (void)!write(signal_pipe[1], &byte, 1);
    errno = kept;
}

static bool set_flags(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

int host_signals_open(const sigset_t *wanted)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    if (pipe(signal_pipe) != 0 || !set_flags(signal_pipe[0]) || !set_flags(signal_pipe[1])) {
        return -1;
    }
    sigfillset(&action.sa_mask);
    for (int number = 1; number < 32; number++) {
        if (sigismember(wanted, number) == 1) {
            sigaction(number, &action, NULL);
        }
    }
    sigprocmask(SIG_UNBLOCK, wanted, NULL); /* the parent may have blocked one until now */
    return signal_pipe[0];
}

int host_signals_next(int fd)
{
    unsigned char byte;

    return read(fd, &byte, 1) == 1 ? byte : 0;
}

/* ---- Sockets ---- */

static int ready_or_closed(int fd)
{
    if (fd >= 0 && !set_flags(fd)) {
        close(fd);
        return -1;
    }
    return fd;
}

int host_socket(int family)
{
    return ready_or_closed(socket(family, SOCK_STREAM, 0));
}

bool host_socket_pair(int pair[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && set_flags(pair[0]) && set_flags(pair[1]);
}

int host_accept(int listener, struct sockaddr *peer, socklen_t *size)
{
    return ready_or_closed(accept(listener, peer, size));
}

void host_socket_keepalive(int fd)
{
    const int on = 1, idle = 15;

    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
#if defined(TCP_KEEPIDLE)
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
#elif defined(TCP_KEEPALIVE) /* macOS */
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPALIVE, &idle, sizeof idle);
#endif
}

int host_datagram_socket(int family)
{
    return ready_or_closed(socket(family, SOCK_DGRAM, 0));
}

/* ---- Folders ---- */

/* The C library allocates here; other systems have no call that does not. */
void host_folder_list(int folder, void (*each)(void *context, const char *name), void *context)
{
    int copy = dup(folder);
    DIR *entries = copy >= 0 ? fdopendir(copy) : NULL;

    if (entries == NULL) {
        if (copy >= 0) {
            close(copy);
        }
        return;
    }
    rewinddir(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        each(context, entry->d_name);
    }
    closedir(entries);
}

#endif
