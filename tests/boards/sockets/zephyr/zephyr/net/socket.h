/* socket.h -- the sockets of Zephyr as port/sockets uses them: declarations to compile against, written for this. Nothing
 * here runs.
 *
 * Up to Zephyr 4.3 types and constants have the names of POSIX. From 4.4 on they have prefixes: ZEPHYR_PREFIXES 1. */
#ifndef ZEPHYR_NET_SOCKET_H
#define ZEPHYR_NET_SOCKET_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifndef ZEPHYR_PREFIXES
#define ZEPHYR_PREFIXES 1
#endif

#define ZSOCK_POLLIN 1
#define ZSOCK_POLLOUT 4
#define ZSOCK_POLLHUP 16
#define ZSOCK_MSG_DONTWAIT 0x40
#define ZSOCK_SHUT_WR 1
#define ZSOCK_FD_SETSIZE 16

#if ZEPHYR_PREFIXES
#define STUB_TYPE(name) net_##name
#define ZVFS_F_SETFL 4
#define ZVFS_O_NONBLOCK 0x4000
#define NET_AF_INET 1
#define NET_AF_INET6 2
#define ZSOCK_SOL_SOCKET 1
#define ZSOCK_SO_REUSEADDR 2
#define ZSOCK_SO_KEEPALIVE 9
#define ZSOCK_TCP_NODELAY 1
#define ZSOCK_TCP_KEEPIDLE 2
#define ZSOCK_IPV6_V6ONLY 26
enum { NET_IPPROTO_TCP = 6, NET_IPPROTO_IPV6 = 41 };
enum { NET_SOCK_STREAM = 1 };
#else
#define STUB_TYPE(name) name
#define AF_INET 1
#define AF_INET6 2
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_KEEPALIVE 9
#define TCP_NODELAY 1
#define TCP_KEEPIDLE 2
#define IPV6_V6ONLY 26
enum { IPPROTO_TCP = 6, IPPROTO_IPV6 = 41 };
enum { SOCK_STREAM = 1 };
#endif

typedef unsigned short STUB_TYPE(sa_family_t);
typedef size_t STUB_TYPE(socklen_t);

struct STUB_TYPE(in_addr) {
    uint8_t s4_addr[4];
};

struct STUB_TYPE(in6_addr) {
    uint8_t s6_addr[16];
};

struct STUB_TYPE(sockaddr) {
    STUB_TYPE(sa_family_t) sa_family;
    char data[22];
};

struct STUB_TYPE(sockaddr_in) {
    STUB_TYPE(sa_family_t) sin_family;
    uint16_t sin_port;
    struct STUB_TYPE(in_addr) sin_addr;
};

struct STUB_TYPE(sockaddr_in6) {
    STUB_TYPE(sa_family_t) sin6_family;
    uint16_t sin6_port;
    struct STUB_TYPE(in6_addr) sin6_addr;
    uint8_t sin6_scope_id;
};

struct STUB_TYPE(iovec) {
    void *iov_base;
    size_t iov_len;
};

struct STUB_TYPE(msghdr) {
    void *msg_name;
    STUB_TYPE(socklen_t) msg_namelen;
    struct STUB_TYPE(iovec) * msg_iov;
    size_t msg_iovlen;
    void *msg_control;
    size_t msg_controllen;
    int msg_flags;
};

struct zsock_pollfd {
    int fd;
    short events;
    short revents;
};

struct zsock_timeval {
    long tv_sec;
    long tv_usec;
};

typedef struct {
    uint32_t bits[1];
} zsock_fd_set;

int zsock_socket(int family, int type, int protocol);
int zsock_bind(int fd, const struct STUB_TYPE(sockaddr) * address, STUB_TYPE(socklen_t) size);
int zsock_listen(int fd, int backlog);
int zsock_accept(int fd, struct STUB_TYPE(sockaddr) * address, STUB_TYPE(socklen_t) * size);
int zsock_getsockname(int fd, struct STUB_TYPE(sockaddr) * address, STUB_TYPE(socklen_t) * size);
int zsock_setsockopt(int fd, int level, int option, const void *value, STUB_TYPE(socklen_t) size);
int zsock_fcntl(int fd, int command, int flags);
int zsock_shutdown(int fd, int how);
int zsock_close(int fd);
ssize_t zsock_recv(int fd, void *to, size_t n, int flags);
ssize_t zsock_send(int fd, const void *from, size_t n, int flags);
ssize_t zsock_sendmsg(int fd, const struct STUB_TYPE(msghdr) * message, int flags);
int zsock_poll(struct zsock_pollfd *polled, int count, int timeout);
int zsock_select(int end, zsock_fd_set *readable, zsock_fd_set *writable, zsock_fd_set *broken,
                 struct zsock_timeval *timeout);
void ZSOCK_FD_ZERO(zsock_fd_set *set);
void ZSOCK_FD_SET(int fd, zsock_fd_set *set);
int ZSOCK_FD_ISSET(int fd, zsock_fd_set *set);

#endif
