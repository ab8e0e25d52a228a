/* skr_sockets_listener.c -- bind, accept, refuse. */
#include "skr_sockets_listener.h"

#include <string.h>

#include "skr_sockets_slots.h"
#include "skr_sockets_system.h"

#define BUSY "all connections are in use, try again later"
static const char busy_http[] = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
                                "Content-Type: text/plain\r\nContent-Length: 44\r\n\r\n" BUSY "\n";
#if SKR_SOCKETS_LINES
static const char busy_line[] = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,\"message\":\"" BUSY "\"}}\n";
#endif
typedef char busy_has_that_length[sizeof BUSY == 44 ? 1 : -1];

/* ---- Addresses ---- */

static void write_name(struct skr_socket_name *name, const struct skr_sockets_address *address)
{
    uint8_t port[2] = {(uint8_t)(address->port >> 8), (uint8_t)address->port};

    memset(name, 0, sizeof *name);
    memcpy(&name->at.v4.sin_port, port, 2);
#if SKR_SOCKETS_IPV6
    if (address->ipv6) {
        name->at.v6.sin6_family = SKR_SOCKET_FAMILY(AF_INET6);
        memcpy(&name->at.v6.sin6_addr, address->ip, 16);
        name->size = sizeof name->at.v6;
        return;
    }
#endif
    name->at.v4.sin_family = SKR_SOCKET_FAMILY(AF_INET);
    memcpy(&name->at.v4.sin_addr, address->ip, 4);
    name->size = sizeof name->at.v4;
}

#if SKR_SOCKETS_IPV6
typedef char ports_are_in_the_same_place[offsetof(struct SKR_SOCKET_TYPE(sockaddr_in6), sin6_port) ==
                                                 offsetof(struct SKR_SOCKET_TYPE(sockaddr_in), sin_port)
                                             ? 1
                                             : -1];
#endif

static uint16_t port_of(const struct skr_socket_name *name)
{
    uint8_t port[2];

    memcpy(port, &name->at.v4.sin_port, 2); /* of both families */
    return (uint16_t)(port[0] << 8 | port[1]);
}

static void read_name(struct skr_sockets_address *address, const struct skr_socket_name *name)
{
    memset(address, 0, sizeof *address);
#if SKR_SOCKETS_IPV6
    address->ipv6 = name->at.any.sa_family == SKR_SOCKET_FAMILY(AF_INET6);
    if (address->ipv6) {
        memcpy(address->ip, &name->at.v6.sin6_addr, 16);
    } else
#endif
    {
        memcpy(address->ip, &name->at.v4.sin_addr, 4);
    }
    address->port = port_of(name);
}

/* ---- Listening ---- */

/* An option of a listener, which the sockets that it accepts inherit. */
struct option {
    bool lines; /* set for lines alone: nothing else would ever end one whose peer is gone */
    uint16_t level, name, value;
};

static const struct option options[] = {
    /* Old connections in TIME_WAIT do not keep the port from us. */
    {false, SKR_SOCKET_OPTION(SOL_SOCKET), SKR_SOCKET_OPTION(SO_REUSEADDR), 1},
    /* A response leaves in one write and waits for nothing. */
    {false, SKR_SOCKET_FAMILY(IPPROTO_TCP), SKR_SOCKET_OPTION(TCP_NODELAY), 1},
#if SKR_SOCKETS_IPV6
    /* IPv4 has its own listener; to a socket of IPv4 this is unknown. */
    {false, SKR_SOCKET_FAMILY(IPPROTO_IPV6), SKR_SOCKET_OPTION(IPV6_V6ONLY), 1},
#endif
    {true, SKR_SOCKET_OPTION(SOL_SOCKET), SKR_SOCKET_OPTION(SO_KEEPALIVE), 1},
#ifdef SKR_SOCKET_HAS_KEEPIDLE
    {true, SKR_SOCKET_FAMILY(IPPROTO_TCP), SKR_SOCKET_OPTION(TCP_KEEPIDLE), SKR_SOCKETS_KEEPALIVE_S},
#elif defined(TCP_KEEPALIVE) && !SKR_SOCKETS_LWIP && !defined(__ZEPHYR__) /* macOS */
    {true, IPPROTO_TCP, TCP_KEEPALIVE, SKR_SOCKETS_KEEPALIVE_S},
#endif
};

static void set_options(int fd, bool lines)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const struct option *one = &options[i];
        if (lines || !one->lines) {
            int value = one->value;
            (void)SKR_SOCKET(setsockopt)(fd, one->level, one->name, &value, sizeof value);
        }
    }
}

int skr_sockets_listener_open(struct skr_sockets_listener *listener, const struct skr_sockets_endpoint *where)
{
    struct skr_socket_name name;

    write_name(&name, &where->address);
    int fd = SKR_SOCKET(socket)(name.at.any.sa_family, SKR_SOCKET_FAMILY(SOCK_STREAM), SKR_SOCKET_FAMILY(IPPROTO_TCP));
    if (skr_socket_keep_private(fd) < 0) {
        return errno;
    }
    if (!skr_socket_can_wait(fd)) {
        skr_socket_close(fd);
        return EMFILE;
    }
    set_options(fd, skr_sockets_is_line(where->wire));
    if (SKR_SOCKET(bind)(fd, &name.at.any, name.size) != 0 || SKR_SOCKET(listen)(fd, SKR_SOCKETS_BACKLOG) != 0 ||
        SKR_SOCKET(fcntl)(fd, SKR_SOCKET_UNBLOCK) < 0 || SKR_SOCKET(getsockname)(fd, &name.at.any, &name.size) != 0) {
        int why = errno;
        skr_socket_close(fd);
        return why;
    }
    listener->place = (struct skr_sockets_place){.fd = fd, .wanted = SKR_SOCKETS_READABLE};
    listener->is = *where;
    listener->is.wire = skr_sockets_is_line(where->wire) ? SKR_LINE_TCP : SKR_HTTP_1;
    listener->is.address.port = port_of(&name);
    return 0;
}

/* ---- Clients ---- */

enum skr_sockets_accept skr_sockets_listener_accept(const struct skr_sockets_listener *listener, int *fd,
                                                    struct skr_sockets_address *peer)
{
    struct skr_socket_name name;
    int why;

    do {
        *fd = skr_socket_accept(listener->place.fd, &name);
        if (skr_socket_can_wait(*fd)) {
            read_name(peer, &name);
            return SKR_SOCKETS_CLIENT;
        }
        if (*fd >= 0) {
            skr_socket_close(*fd);
            return SKR_SOCKETS_SHORT;
        }
        why = errno;
    } while (why == EINTR || why == ECONNABORTED); /* the latter: it left before it was accepted */
    return why == EAGAIN || why == EWOULDBLOCK ? SKR_SOCKETS_EMPTY : SKR_SOCKETS_SHORT;
}

static struct skr_span busy(const struct skr_sockets_endpoint *where)
{
#if SKR_TLS
    if (where->tls != NULL) {
        return (struct skr_span){skr_tls_busy, sizeof skr_tls_busy};
    }
#endif
#if SKR_SOCKETS_LINES
    if (where->wire != SKR_HTTP_1) {
        return (struct skr_span){busy_line, sizeof busy_line - 1};
    }
#endif
    (void)where;
    return (struct skr_span){busy_http, sizeof busy_http - 1};
}

void skr_sockets_listener_refuse(const struct skr_sockets_listener *listener, int fd)
{
    struct skr_span words = busy(&listener->is);

    (void)skr_socket_send(fd, words.p, words.n);
}
