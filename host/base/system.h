/* system.h -- the differences between systems: waiting for many descriptors, signals as descriptors, sockets, and reading a
 * folder without a heap.
 *
 * There are two implementations. system_linux.c has epoll, signalfd and accept4; system_poll.c has poll, a pipe and fcntl, for
 * macOS and the BSDs, or anywhere with -DSKR_POLL=1. */
#ifndef HOST_SYSTEM_H
#define HOST_SYSTEM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifndef SKR_POLL
#ifdef __linux__
#define SKR_POLL 0
#else
#define SKR_POLL 1
#endif
#endif

/* ---- Waiting ---- */

#define HOST_WAIT_MAX                                                                                                  \
    256 /* descriptors of one waiter: more than the slots, lingering links and listeners of a server */

enum {
    HOST_READABLE = 1,
    HOST_WRITABLE = 2,
    HOST_BROKEN = 4 /* neither direction works; reported even if not requested */
};

struct host_ready {
    uint64_t tag; /* as given to host_wait_add */
    unsigned events;
};

#if SKR_POLL
#include <poll.h>
#endif

/* Waits for descriptors, each of which stays ready until it has been read or written. Opened by host_wait_open. */
struct host_waiter {
#if SKR_POLL
    struct pollfd at[HOST_WAIT_MAX];
    uint64_t tags[HOST_WAIT_MAX];
    size_t count;
#else
    int epoll;
#endif
    struct host_waiter *inner; /* a second one, which is reported as one thing */
    uint64_t inner_tag;
    uint64_t due_ms; /* when an inner one is reported though nothing is ready; 0 for never */
};

/* False, with errno, when the system has no room for it. */
bool host_wait_open(struct host_waiter *w);

/* Adds a descriptor, changes its events, or forgets it. False, with errno, when that is impossible: EPERM for a plain
 * file, which is always ready. Forget it before it is closed: a child may have a copy, and its events would be reported. */
bool host_wait_add(struct host_waiter *w, int fd, uint64_t tag, unsigned events);
bool host_wait_change(struct host_waiter *w, int fd, uint64_t tag, unsigned events);
void host_wait_forget(struct host_waiter *w, int fd);

/* From now on `inner` is also waited for. */
bool host_wait_nest(struct host_waiter *w, struct host_waiter *inner, uint64_t tag);

/* An inner waiter is reported in `ms` milliseconds at the latest; 0 for immediately. Then its owner has to set the time again. */
void host_wait_wake_in(struct host_waiter *inner, uint32_t ms);

/* Waits for `ms` milliseconds at most, -1: without limit, and returns how many entries of `ready` it has filled. -1, with errno, on
 * failure or, EINTR, after a signal. */
int host_wait(struct host_waiter *w, struct host_ready *ready, int room, int ms);

/* The system's part of it, without inner due times. */
int host_wait_in_system(struct host_waiter *w, struct host_ready *ready, int room, int ms);

/* ---- Signals ---- */

/* A descriptor that becomes readable when one of these signals arrives, which then has no other effect; -1, with errno. A program
 * has one. */
int host_signals_open(const sigset_t *wanted);

/* Sets *signals to those that ask a program to end: SIGINT, SIGTERM and, unless nohup has started it, SIGHUP. */
void host_signals_to_end(sigset_t *signals);

/* The signal that has arrived; 0 if there is none. */
int host_signals_next(int fd);

/* ---- Sockets, not blocking, and closed in programs that are started ---- */

int host_socket(int family);
bool host_socket_pair(int pair[2]);
int host_accept(int listener, struct sockaddr *peer, socklen_t *size);

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* SIGPIPE is ignored anyway */
#endif

/* Detects a peer that has vanished, within half a minute. */
void host_socket_keepalive(int fd);

/* A socket for datagrams. */
int host_datagram_socket(int family);

/* ---- Child processes, and files for them ---- */

/* The path of this program. False if it is unknown. */
bool host_own_path(char *path, size_t room);

/* Lets a child get this signal when its parent ends. Only Linux has that; elsewhere a child finds its pipes closed. */
void host_end_with_parent(int signal);

/* Both ends are closed in programs that are started. False with errno. */
bool host_pipe(int ends[2]);

/* A file that a child can open through its path. On Linux it disappears with this process, however that ends; elsewhere it
 * stays in $TMPDIR until host_file_close. */
struct host_file {
    int fd; /* -1 if closed */
    char path[256];
};

/* Makes an empty file. False with errno. */
bool host_file_open(struct host_file *f);

/* Puts the content of `fresh`, which is closed, at the path of `f`. False with errno; `f` is then unchanged. */
bool host_file_replace(struct host_file *f, struct host_file *fresh);
void host_file_close(struct host_file *f);

/* A file without a path, which disappears when its descriptor is closed; -1 with errno. */
int host_file_unnamed(void);

/* ---- Folders ---- */

/* Calls `each` with the name of every entry of an open folder. */
void host_folder_list(int folder, void (*each)(void *context, const char *name), void *context);

#endif
