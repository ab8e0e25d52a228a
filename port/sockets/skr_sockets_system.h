/* skr_sockets_system.h -- all that differs between systems with BSD sockets. Only the C files of this port include it.
 *
 *     Zephyr     calls are zsock_..., and from 4.4 on types and constants also have prefixes
 *     lwIP       calls are lwip_...; set SKR_SOCKETS_LWIP to 1
 *     POSIX      Linux, macOS, the BSDs, NuttX, and ESP-IDF, where lwIP's sockets are files like others
 *
 * Sockets are never made non-blocking: each call says that it does not wait. Only a listener has to be, because accept
 * has no such flag. */
#ifndef SKR_SOCKETS_SYSTEM_H
#define SKR_SOCKETS_SYSTEM_H

#include "skr_sockets.h"

#ifndef SKR_SOCKETS_LWIP
#define SKR_SOCKETS_LWIP 0
#endif

#if defined(__ZEPHYR__)

#include <errno.h>
#include <zephyr/kernel.h>
#include <zephyr/net/socket.h>
#ifdef ZVFS_O_NONBLOCK
#define SKR_SOCKET_UNBLOCK ZVFS_F_SETFL, ZVFS_O_NONBLOCK
#else
#include <zephyr/posix/fcntl.h>
#define SKR_SOCKET_UNBLOCK F_SETFL, O_NONBLOCK
#endif
#define SKR_SOCKET(call) zsock_##call
#define SKR_SOCKET_POLL(name) ZSOCK_##name
#define SKR_SOCKET_POLLFD zsock_pollfd
#define SKR_SOCKET_SET zsock_fd_set
#define SKR_SOCKET_TIMEVAL zsock_timeval
#ifdef ZSOCK_SOL_SOCKET
#define SKR_SOCKET_TYPE(name) net_##name
#define SKR_SOCKET_FAMILY(name) NET_##name
#define SKR_SOCKET_OPTION(name) ZSOCK_##name
#define SKR_SOCKET_HAS_KEEPIDLE 1
#else
#define SKR_SOCKET_TYPE(name) name
#define SKR_SOCKET_FAMILY(name) name
#define SKR_SOCKET_OPTION(name) name
#endif
#define SKR_SOCKET_DONTWAIT ZSOCK_MSG_DONTWAIT
#define SKR_SOCKET_PAUSE() k_msleep(SKR_SOCKETS_WORK_MS)
#define SKR_SOCKET_SHUT_WR ZSOCK_SHUT_WR
#ifndef SKR_SOCKETS_IPV6
#define SKR_SOCKETS_IPV6 IS_ENABLED(CONFIG_NET_IPV6)
#endif

#elif SKR_SOCKETS_LWIP

#include "lwip/errno.h"
#include "lwip/inet.h"
#include "lwip/sockets.h"
#include "lwip/sys.h"
#define SKR_SOCKET(call) lwip_##call
#define SKR_SOCKET_UNBLOCK F_SETFL, O_NONBLOCK
#ifndef SKR_SOCKETS_IPV6
#define SKR_SOCKETS_IPV6 LWIP_IPV6
#endif

#else

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#if SKR_SOCKETS_WAIT == SKR_SOCKETS_POLL && defined(ESP_PLATFORM)
#include <sys/poll.h> /* ESP-IDF has no other */
#elif SKR_SOCKETS_WAIT == SKR_SOCKETS_POLL
#include <poll.h>
#elif SKR_SOCKETS_WAIT == SKR_SOCKETS_SELECT
#include <sys/select.h>
#endif
#ifdef __linux__
#include <linux/sockios.h>
#include <sys/ioctl.h>
#endif
#define SKR_SOCKET(call) call
#define SKR_SOCKET_UNBLOCK F_SETFL, O_NONBLOCK
#ifdef MSG_NOSIGNAL /* elsewhere a program ignores SIGPIPE */
#define SKR_SOCKET_DONTWAIT (MSG_DONTWAIT | MSG_NOSIGNAL)
#endif
#ifndef SKR_SOCKETS_IPV6
#ifdef LWIP_IPV6 /* ESP-IDF's menu can leave it out */
#define SKR_SOCKETS_IPV6 LWIP_IPV6
#else
#define SKR_SOCKETS_IPV6 1
#endif
#endif

#endif

#if defined(LWIP_IPV4) && !LWIP_IPV4
#error "port/sockets serves IPv4: set LWIP_IPV4 to 1 (in ESP-IDF CONFIG_LWIP_IPV4)"
#endif

/* Names without a prefix, and what most systems have. */
#ifndef SKR_SOCKET_TYPE
#define SKR_SOCKET_TYPE(name) name
#define SKR_SOCKET_FAMILY(name) name
#define SKR_SOCKET_OPTION(name) name
#endif
#ifndef SKR_SOCKET_POLL
#define SKR_SOCKET_POLL(name) name
#define SKR_SOCKET_POLLFD pollfd
#define SKR_SOCKET_SET fd_set
#define SKR_SOCKET_TIMEVAL timeval
#endif
#ifndef SKR_SOCKET_DONTWAIT
#define SKR_SOCKET_DONTWAIT MSG_DONTWAIT
#endif
#ifndef SKR_SOCKET_SHUT_WR
#define SKR_SOCKET_SHUT_WR SHUT_WR
#endif
#if defined(TCP_KEEPIDLE) && !defined(SKR_SOCKET_HAS_KEEPIDLE)
#define SKR_SOCKET_HAS_KEEPIDLE 1
#endif

/* An address as the system has it. */
struct skr_socket_name {
    union {
        struct SKR_SOCKET_TYPE(sockaddr) any;
        struct SKR_SOCKET_TYPE(sockaddr_in) v4;
#if SKR_SOCKETS_IPV6
        struct SKR_SOCKET_TYPE(sockaddr_in6) v6;
#endif
    } at;
    SKR_SOCKET_TYPE(socklen_t) size;
};

/* True when the last call did nothing and has to be repeated later. */
static inline bool skr_socket_again(void)
{
    int why = errno;

    return why == EAGAIN || why == EWOULDBLOCK || why == EINTR;
}

/* The stack had no buffer for what was sent, although the socket was reported ready, and will have one when others have
 * been acknowledged. Trying again immediately would keep other threads from running. */
static inline bool skr_socket_lacks_buffers(void)
{
    bool lacks = errno == ENOBUFS || errno == ENOMEM;

#ifdef SKR_SOCKET_PAUSE
    if (lacks) {
        SKR_SOCKET_PAUSE();
    }
#endif
    return lacks;
}

/* Reads at most `n` bytes that have arrived. Returns 0 at the end of input, and -1 with errno: see skr_socket_again. */
static inline int skr_socket_recv(int fd, void *to, size_t n)
{
    return (int)SKR_SOCKET(recv)(fd, to, n, SKR_SOCKET_DONTWAIT);
}

static inline int skr_socket_send(int fd, const void *from, size_t n)
{
    return (int)SKR_SOCKET(send)(fd, from, n, SKR_SOCKET_DONTWAIT);
}

/* Several spans leave in one packet; for a single one `send` is cheaper. */
static inline int skr_socket_send_spans(int fd, const struct skr_span *spans, size_t count)
{
    struct SKR_SOCKET_TYPE(iovec) pieces[SKR_TX_SPANS];

    if (count == 1) {
        return skr_socket_send(fd, spans[0].p, spans[0].n);
    }
    for (size_t i = 0; i < count; i++) {
        pieces[i].iov_base = (void *)(uintptr_t)spans[i].p; /* only read, though the type does not say so */
        pieces[i].iov_len = spans[i].n;
    }
    /* A count of bytes fits whatever type a system has for it. */
    struct SKR_SOCKET_TYPE(msghdr) all = {.msg_iov = pieces, .msg_iovlen = (uint8_t)count};
    return (int)SKR_SOCKET(sendmsg)(fd, &all, SKR_SOCKET_DONTWAIT);
}

static inline void skr_socket_close(int fd)
{
    (void)SKR_SOCKET(close)(fd);
}

/* Sends an end of file after what has been sent. False where the stack cannot do that without closing (Zephyr). */
static inline bool skr_socket_shut(int fd)
{
    return SKR_SOCKET(shutdown)(fd, SKR_SOCKET_SHUT_WR) == 0;
}

/* select knows only descriptors below a limit. */
static inline bool skr_socket_can_wait(int fd)
{
#if SKR_SOCKETS_WAIT != SKR_SOCKETS_SELECT
    return fd >= 0;
#elif SKR_SOCKETS_LWIP
    return fd >= 0 && fd < LWIP_SOCKET_OFFSET + FD_SETSIZE;
#else
    return fd >= 0 && fd < SKR_SOCKET_POLL(FD_SETSIZE);
#endif
}

/* Closes the descriptor in programs that this one starts, where a system has such. Returns it. */
static inline int skr_socket_keep_private(int fd)
{
#ifdef FD_CLOEXEC
    if (fd >= 0) {
        (void)SKR_SOCKET(fcntl)(fd, F_SETFD, FD_CLOEXEC);
    }
#endif
    return fd;
}

static inline int skr_socket_accept(int fd, struct skr_socket_name *peer)
{
    peer->size = sizeof peer->at;
#if defined(__linux__) && defined(_GNU_SOURCE) && !SKR_SOCKETS_LWIP && !defined(__ZEPHYR__)
    return accept4(fd, &peer->at.any, &peer->size, SOCK_CLOEXEC);
#else
    return skr_socket_keep_private(SKR_SOCKET(accept)(fd, &peer->at.any, &peer->size));
#endif
}

/* The number of sent bytes that the peer has not acknowledged yet. False where the stack does not report it; there a
 * device's small buffers show soon enough whether a peer reads. */
static inline bool skr_socket_unsent(int fd, int *bytes)
{
#if defined(SIOCOUTQ) && !SKR_SOCKETS_LWIP && !defined(__ZEPHYR__)
    return ioctl(fd, SIOCOUTQ, bytes) == 0;
#else
    (void)fd;
    (void)bytes;
    return false;
#endif
}

/* Milliseconds since some moment; wraps around. */
static inline uint32_t skr_socket_now_ms(void)
{
#if defined(__ZEPHYR__)
    return k_uptime_get_32();
#elif SKR_SOCKETS_LWIP
    return sys_now();
#else
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)now.tv_sec * 1000u + (uint32_t)now.tv_nsec / 1000000u;
#endif
}

#endif
