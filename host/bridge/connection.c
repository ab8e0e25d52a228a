/* dial.c -- see dial.h. */
#include "connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "transport.h"
#include "random.h"
#include "console.h"
#include "system.h"

/* A peer that has vanished without a word is noticed after these, in seconds. */
static void watch_peer(int fd)
{
    const int on = 1, idle = 15, every = 5, times = 3, unanswered_ms = 30000;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof unanswered_ms);
}

static void close_socket(struct bridge_connection *d)
{
    if (d->fd >= 0) {
        close(d->fd);
    }
    d->fd = -1;
    d->ready = d->connected = false;
}

/* Tries the addresses from d->at on. False when none is left. */
static bool try_next(struct bridge_connection *d, const struct bridge_target *t, uint64_t now_ms)
{
    for (; d->at < t->count; d->at++) {
        const struct sockaddr *address = (const void *)&t->at[d->at].address;
        d->since_ms = now_ms;
        d->fd = host_socket(address->sa_family);
        if (d->fd < 0) {
            d->error = errno;
            continue;
        }
        watch_peer(d->fd);
        if (connect(d->fd, address, t->at[d->at].n) == 0 || errno == EINPROGRESS) {
            return true;
        }
        d->error = errno;
        close_socket(d);
    }
    return false;
}

void bridge_connection_open(struct bridge_connection *d, const struct bridge_target *t, uint64_t now_ms)
{
    d->fd = -1;
    d->ready = d->connected = false;
    d->tls_error = 0;
    d->at = 0;
    d->error = EHOSTUNREACH;
    (void)try_next(d, t, now_ms);
}

/* ---- TLS ---- */

static bool is_later(ssize_t n)
{
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Moves records in both directions, as far as that is possible. False when the connection is over. */
static bool move_records(struct bridge_connection *d)
{
    bool moved = true;
    while (moved) {
        const void *from;
        size_t room, n = skr_tls_client_tx(d->tls, &from);
        ssize_t sent = n > 0 ? send(d->fd, from, n, MSG_NOSIGNAL) : 0;
        skr_tls_client_tx_done(d->tls, sent > 0 ? (size_t)sent : 0);
        if (skr_tls_client_finished(d->tls, &d->tls_error)) {
            d->error = d->tls_error != 0 ? EPROTO : 0;
            return false;
        }
        void *to = skr_tls_client_rx_room(d->tls, &room);
        ssize_t got = to != NULL ? recv(d->fd, to, room, 0) : 0;
        if ((sent < 0 && !is_later(sent)) || (got < 0 && !is_later(got)) || (to != NULL && got == 0)) {
            d->error = got == 0 && sent >= 0 ? 0 : errno;
            return false;
        }
        skr_tls_client_rx_done(d->tls, got > 0 ? (size_t)got : 0);
        moved = sent > 0 || got > 0;
    }
    return true;
}

static bool start_tls(struct bridge_connection *d, const struct bridge_target *t)
{
    uint8_t seed[SKR_TLS_SEED];
    if (!host_random(seed, sizeof seed)) {
        d->error = errno;
        return false;
    }
    bridge_trust_now(d->trust);
    skr_tls_client_open(d->tls, t->host, d->trust, seed);
    return true;
}

/* ---- Connecting ---- */

/* The system's connection: 0, or why there is none; EAGAIN: not yet. */
static int connect_error(struct bridge_connection *d, uint64_t now_ms)
{
    struct pollfd end = {.fd = d->fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof error;
    if (poll(&end, 1, 0) > 0) {
        (void)getsockopt(d->fd, SOL_SOCKET, SO_ERROR, &error, &size);
        return error;
    }
    return bridge_waited(now_ms, d->since_ms, BRIDGE_CONNECT_MS) ? ETIMEDOUT : EAGAIN;
}

static bool connect_turn(struct bridge_connection *d, const struct bridge_target *t, uint64_t now_ms)
{
    while (d->fd >= 0 && !d->connected) {
        int error = connect_error(d, now_ms);
        if (error == EAGAIN) {
            return true;
        }
        d->connected = error == 0;
        if (!d->connected) {
            close_socket(d);
            d->error = error;
            d->at++;
            (void)try_next(d, t, now_ms);
        } else if (d->tls != NULL && !start_tls(d, t)) {
            close_socket(d);
        }
        d->since_ms = now_ms;
    }
    return d->fd >= 0;
}

bool bridge_connection_turn(struct bridge_connection *d, const struct bridge_target *t, uint64_t now_ms)
{
    if (!connect_turn(d, t, now_ms)) {
        return false;
    }
    if (!d->connected || d->ready) {
        return true;
    }
    if (d->tls != NULL) {
        bool late = bridge_waited(now_ms, d->since_ms, BRIDGE_HANDSHAKE_MS);
        if (late || !move_records(d)) {
            d->error = late ? ETIMEDOUT : d->error;
            close_socket(d);
            return false;
        }
    }
    d->ready = d->tls == NULL || skr_tls_client_ready(d->tls);
    return true;
}

/* ---- Bytes ---- */

static ssize_t moved(struct bridge_connection *d, ssize_t n)
{
    if (is_later(n)) {
        return 0;
    }
    d->error = n < 0 ? errno : 0;
    return n > 0 ? n : -1;
}

ssize_t bridge_connection_read(struct bridge_connection *d, void *to, size_t room)
{
    if (d->tls == NULL) {
        return moved(d, recv(d->fd, to, room, 0));
    }
    size_t n = skr_tls_client_get(d->tls, to, room);
    bool over = n == 0 && !move_records(d);
    n = n > 0 ? n : skr_tls_client_get(d->tls, to, room);
    return n > 0 ? (ssize_t)n : over ? -1 : 0;
}

ssize_t bridge_connection_write(struct bridge_connection *d, const void *from, size_t n)
{
    if (d->tls == NULL) {
        return n > 0 ? moved(d, send(d->fd, from, n, MSG_NOSIGNAL)) : 0;
    }
    size_t put = skr_tls_client_put(d->tls, from, n);
    return move_records(d) ? (ssize_t)put : -1;
}

short bridge_connection_events(const struct bridge_connection *d, bool reads, bool writes)
{
    const void *record;
    if (!d->connected) {
        return POLLOUT;
    }
    if (d->tls != NULL) {
        reads |= !d->ready;
        writes = skr_tls_client_tx(d->tls, &record) > 0;
    }
    return (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
}

void bridge_connection_close(struct bridge_connection *d)
{
    close_socket(d);
}

const char *bridge_connection_why(const struct bridge_connection *d)
{
    if (d->tls_error != 0) {
        return bridge_trust_why(d->trust, d->tls_error, skr_tls_client_print(d->tls));
    }
    switch (d->error) {
    case 0: return "the connection was ended before an answer; is it an MCP server, and is the scheme right?";
    case ECONNREFUSED: return "nothing listens there; check that the device is on, and the port";
    case ECONNRESET: return "the connection was reset; is the device being restarted?";
    case ETIMEDOUT: return "no answer; check that the device is on and in this network";
    case ENETUNREACH:
    case EHOSTUNREACH: return "no way to that address; check the address and the network";
    default: return strerror(d->error);
    }
}

bool bridge_connection_is_distrusted(const struct bridge_connection *d)
{
    return d->tls_error == BR_ERR_X509_NOT_TRUSTED || d->tls_error == BR_ERR_X509_EXPIRED ||
           d->tls_error == BR_ERR_X509_BAD_SERVER_NAME;
}

/* ---- A device that cannot be reached ---- */

void bridge_outage_note(struct bridge_outage *a, const char *why)
{
    (void)snprintf(a->remedy, sizeof a->remedy, "The device cannot be reached: %s", why);
}

void bridge_outage_say(struct bridge_outage *a, const struct bridge_transport *way, const char *why)
{
    if (!a->said || strstr(a->remedy, why) == NULL) {
        host_log("%s: %s%s", way->path, why, way->refused && way->hasty ? "" : "; trying again");
    }
    a->said = true;
    bridge_outage_note(a, why);
}
