/* connection.c -- see connection.h. */
#include "connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "random.h"
#include "system.h"
#include "transport.h"

static void set_options(int fd)
{
    const int on = 1;

    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    host_socket_keepalive(fd);
}

static void close_socket(struct transport_connection *c)
{
    if (c->fd >= 0) {
        close(c->fd);
    }
    c->fd = -1;
    c->ready = c->connected = false;
}

/* Tries the addresses from c->at on. False when none is left. */
static bool try_next(struct transport_connection *c, const struct transport_target *t, uint64_t now_ms)
{
    for (; c->at < t->count; c->at++) {
        const struct sockaddr *address = (const void *)&t->at[c->at].address;
        c->since_ms = now_ms;
        c->fd = host_socket(address->sa_family);
        if (c->fd < 0) {
            c->error = errno;
            continue;
        }
        set_options(c->fd);
        if (connect(c->fd, address, t->at[c->at].n) == 0 || errno == EINPROGRESS) {
            return true;
        }
        c->error = errno;
        close_socket(c);
    }
    return false;
}

void transport_connection_open(struct transport_connection *c, const struct transport_target *t, uint64_t now_ms)
{
    c->fd = -1;
    c->ready = c->connected = false;
    c->tls_error = 0;
    c->at = 0;
    c->error = EHOSTUNREACH;
    (void)try_next(c, t, now_ms);
}

/* ---- TLS ---- */

static bool would_block(ssize_t n)
{
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Moves records in both directions, as far as that is possible. False when the connection is over. */
static bool move_records(struct transport_connection *c)
{
    bool moved = true;

    while (moved) {
        const void *from;
        size_t room, n = skr_tls_client_tx(c->tls, &from);
        ssize_t sent = n > 0 ? send(c->fd, from, n, MSG_NOSIGNAL) : 0;
        skr_tls_client_tx_done(c->tls, sent > 0 ? (size_t)sent : 0);
        if (skr_tls_client_finished(c->tls, &c->tls_error)) {
            c->error = c->tls_error != 0 ? EPROTO : 0;
            return false;
        }
        void *to = skr_tls_client_rx_room(c->tls, &room);
        ssize_t got = to != NULL ? recv(c->fd, to, room, 0) : 0;
        if ((sent < 0 && !would_block(sent)) || (got < 0 && !would_block(got)) || (to != NULL && got == 0)) {
            c->error = got == 0 && sent >= 0 ? 0 : errno;
            return false;
        }
        skr_tls_client_rx_done(c->tls, got > 0 ? (size_t)got : 0);
        moved = sent > 0 || got > 0;
    }
    return true;
}

static bool start_tls(struct transport_connection *c, const struct transport_target *t)
{
    uint8_t seed[SKR_TLS_SEED];

    if (!host_random(seed, sizeof seed)) {
        c->error = errno;
        return false;
    }
    transport_trust_now(c->trust);
    skr_tls_client_open(c->tls, t->host, c->trust, seed);
    return true;
}

/* ---- Connecting ---- */

/* The system's connection: 0, or why there is none; EAGAIN: not yet. */
static int connect_error(struct transport_connection *c, uint64_t now_ms)
{
    struct pollfd end = {.fd = c->fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof error;

    if (poll(&end, 1, 0) > 0) {
        (void)getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &size);
        return error;
    }
    return host_waited(now_ms, c->since_ms, TRANSPORT_CONNECT_MS) ? ETIMEDOUT : EAGAIN;
}

static bool connect_turn(struct transport_connection *c, const struct transport_target *t, uint64_t now_ms)
{
    while (c->fd >= 0 && !c->connected) {
        int error = connect_error(c, now_ms);
        if (error == EAGAIN) {
            return true;
        }
        c->connected = error == 0;
        if (!c->connected) {
            close_socket(c);
            c->error = error;
            c->at++;
            (void)try_next(c, t, now_ms);
        } else if (c->tls != NULL && !start_tls(c, t)) {
            close_socket(c);
        }
        c->since_ms = now_ms;
    }
    return c->fd >= 0;
}

bool transport_connection_turn(struct transport_connection *c, const struct transport_target *t, uint64_t now_ms)
{
    if (!connect_turn(c, t, now_ms)) {
        return false;
    }
    if (!c->connected || c->ready) {
        return true;
    }
    if (c->tls != NULL) {
        bool late = host_waited(now_ms, c->since_ms, TRANSPORT_HANDSHAKE_MS);
        if (late || !move_records(c)) {
            c->error = late ? ETIMEDOUT : c->error;
            close_socket(c);
            return false;
        }
    }
    c->ready = c->tls == NULL || skr_tls_client_ready(c->tls);
    return true;
}

/* ---- Bytes ---- */

static ssize_t bytes_moved(struct transport_connection *c, ssize_t n)
{
    if (would_block(n)) {
        return 0;
    }
    c->error = n < 0 ? errno : 0;
    return n > 0 ? n : -1;
}

ssize_t transport_connection_read(struct transport_connection *c, void *to, size_t room)
{
    if (c->tls == NULL) {
        return bytes_moved(c, recv(c->fd, to, room, 0));
    }
    size_t n = skr_tls_client_get(c->tls, to, room);
    bool over = n == 0 && !move_records(c);
    n = n > 0 ? n : skr_tls_client_get(c->tls, to, room);
    return n > 0 ? (ssize_t)n : over ? -1 : 0;
}

ssize_t transport_connection_write(struct transport_connection *c, const void *from, size_t n)
{
    if (c->tls == NULL) {
        return n > 0 ? bytes_moved(c, send(c->fd, from, n, MSG_NOSIGNAL)) : 0;
    }
    size_t put = skr_tls_client_put(c->tls, from, n);
    return move_records(c) ? (ssize_t)put : -1;
}

short transport_connection_events(const struct transport_connection *c, bool reads, bool writes)
{
    const void *record;

    if (!c->connected) {
        return POLLOUT;
    }
    if (c->tls != NULL) {
        reads |= !c->ready;
        writes = skr_tls_client_tx(c->tls, &record) > 0;
    }
    return (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
}

void transport_connection_close(struct transport_connection *c)
{
    close_socket(c);
}

const char *transport_connection_why(const struct transport_connection *c)
{
    if (c->tls_error != 0) {
        return transport_trust_why(c->trust, c->tls_error, skr_tls_client_print(c->tls));
    }
    switch (c->error) {
    case 0: return "the connection ended before a response; check that it is an MCP server, and the scheme";
    case ECONNREFUSED: return "nothing listens there; check that the device is on, and the port";
    case ECONNRESET: return "the connection was reset; the device may be restarting";
    case ETIMEDOUT: return "no response; check that the device is on and in this network";
    case ENETUNREACH:
    case EHOSTUNREACH: return "no route to that address; check the address and the network";
    default: return strerror(c->error);
    }
}

bool transport_connection_is_distrusted(const struct transport_connection *c)
{
    return c->tls_error == BR_ERR_X509_NOT_TRUSTED || c->tls_error == BR_ERR_X509_EXPIRED ||
           c->tls_error == BR_ERR_X509_BAD_SERVER_NAME;
}
