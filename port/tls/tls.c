/* tls.c -- bytes between a link, BearSSL's engine and a connection of the core.
 *
 * The engine has two buffers and four ends: records in and out on the link's side, plain bytes in and out on the
 * connection's side. Whenever something has moved on the link's side, everything that can move on the other side does
 * (tls_pump). One record at a time is under way in each direction, so a peer that does not read delays only its own responses. */
#include "tls.h"

#include <string.h>

#define RECORD_HEADER 5u
#define RECORD_HANDSHAKE 22u /* types of records */
#define RECORD_BYTES 23u

const char skr_tls_busy[7] = {21, 3, 3, 0, 2, 2, 80};

#define PLAIN_RESPONSE(status, length, text)                                                                           \
    "HTTP/1.1 " status "\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: " #length "\r\n\r\n" text \
    "\n"
#define SPAN_OF(literal) ((struct skr_span){literal, sizeof literal - 1})

static const char plain_http[] = PLAIN_RESPONSE("400 Bad Request", 32, "this port speaks TLS: use https");
static const char too_large[] =
    PLAIN_RESPONSE("413 Content Too Large", 49, "the TLS record is too long: send smaller records");

void skr_tls_close(struct skr_tls *t)
{
    skr_conn_close(t->conn);
    memset(&t->half, 0, sizeof t->half);
    t->over = true;
    t->words.n = 0;
}

/* ---- Between the engine and the connection ---- */

/* Passes decrypted bytes to the connection; false when it has no room until it has answered. */
static bool input_give(struct skr_tls *t)
{
    size_t n;
    const void *bytes = br_ssl_engine_recvapp_buf(t->engine, &n);
    size_t took = skr_conn_rx(t->conn, bytes, n);

    if (took > 0) {
        br_ssl_engine_recvapp_ack(t->engine, took);
    }
    return took > 0;
}

/* Fills a record with what the connection has to send, which may be in many pieces. */
static size_t output_fill(struct skr_tls *t, unsigned char *to, size_t room)
{
    size_t filled = 0;

    while (filled < room) {
        const void *piece;
        size_t n = skr_conn_tx(t->conn, &piece);
        if (n == 0) {
            break;
        }
        n = n < room - filled ? n : room - filled;
        memcpy(to + filled, piece, n);
        filled += n;
        skr_conn_tx_done(t->conn, n);
    }
    return filled;
}

/* False when there was nothing to send. */
static bool output_take(struct skr_tls *t)
{
    size_t room;
    unsigned char *to = br_ssl_engine_sendapp_buf(t->engine, &room);
    size_t n = output_fill(t, to, room);

    if (n > 0) {
        t->spoke = true;
        br_ssl_engine_sendapp_ack(t->engine, n);
        br_ssl_engine_flush(t->engine, 0);
    } else if (skr_conn_finished(t->conn)) {
        skr_tls_end(t);
    }
    return n > 0;
}

static void tls_pump(struct skr_tls *t)
{
    bool moved = true;

    while (moved && !t->over) {
        unsigned state = br_ssl_engine_current_state(t->engine);
        t->open |= (state & (BR_SSL_RECVAPP | BR_SSL_SENDAPP)) != 0;
        moved = (state & BR_SSL_RECVAPP) != 0 && input_give(t);
        moved |= (state & BR_SSL_SENDAPP) != 0 && output_take(t);
    }
}

/* ---- From the link ---- */

void *skr_tls_rx_room(struct skr_tls *t, size_t *room)
{
    *room = 0;
    return t->over ? NULL : br_ssl_engine_recvrec_buf(t->engine, room);
}

bool skr_tls_is_within_record(const struct skr_tls *t)
{
    size_t room;
    const unsigned char *at = br_ssl_engine_recvrec_buf(t->engine, &room);

    return !t->over && at != NULL && at != t->in;
}

/* A record is too long for the buffer, and the engine would close without an explanation. Unless a response is under way,
 * the reason can still be sent. */
static void refuse_record(struct skr_tls *t)
{
    size_t room;
    enum skr_activity doing = skr_conn_activity(t->conn);
    unsigned char *to = br_ssl_engine_sendapp_buf(t->engine, &room);

    if (to != NULL && room >= sizeof too_large - 1 && (doing == SKR_IDLE || doing == SKR_RECEIVING)) {
        memcpy(to, too_large, sizeof too_large - 1);
        br_ssl_engine_sendapp_ack(t->engine, sizeof too_large - 1);
    }
    skr_tls_end(t);
}

static bool is_too_large(const struct skr_tls *t)
{
    return t->in[0] == RECORD_BYTES && ((unsigned)t->in[3] << 8 | t->in[4]) > SKR_TLS_IN - RECORD_HEADER;
}

void skr_tls_rx_done(struct skr_tls *t, size_t n)
{
    size_t room;
    const unsigned char *at = n > 0 && !t->over ? br_ssl_engine_recvrec_buf(t->engine, &room) : NULL;

    if (at == NULL) {
        return;
    }
    if (!t->began && at[0] != RECORD_HANDSHAKE) {
        t->over = true;
        t->words = SPAN_OF(plain_http);
    } else if (t->open && at + n == t->in + RECORD_HEADER && is_too_large(t)) {
        refuse_record(t);
    } else {
        br_ssl_engine_recvrec_ack(t->engine, n);
        tls_pump(t);
    }
    t->began = true;
}

size_t skr_tls_rx(struct skr_tls *t, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    size_t took = 0, room;
    void *to;

    while (took < n && (to = skr_tls_rx_room(t, &room)) != NULL) {
        room = room < n - took ? room : n - took;
        memcpy(to, from + took, room);
        skr_tls_rx_done(t, room);
        took += room;
    }
    return took;
}

/* ---- To the link ---- */

size_t skr_tls_tx(struct skr_tls *t, const void **bytes)
{
    size_t n = t->words.n;

    *bytes = t->words.p;
    if (n == 0) {
        tls_pump(t);
        *bytes = br_ssl_engine_sendrec_buf(t->engine, &n);
    }
    return n;
}

void skr_tls_tx_done(struct skr_tls *t, size_t k)
{
    if (t->words.n > 0) {
        t->words.p += k;
        t->words.n -= k;
    } else if (k > 0) {
        br_ssl_engine_sendrec_ack(t->engine, k);
        tls_pump(t);
    }
}

static bool has_record(const struct skr_tls *t)
{
    return (br_ssl_engine_current_state(t->engine) & BR_SSL_SENDREC) != 0;
}

/* ---- State ---- */

bool skr_tls_finished(const struct skr_tls *t)
{
    bool over = t->over || br_ssl_engine_current_state(t->engine) == BR_SSL_CLOSED;

    return over && t->words.n == 0 && !has_record(t);
}

enum skr_activity skr_tls_doing(const struct skr_tls *t)
{
    if (t->words.n > 0 || has_record(t)) {
        return SKR_RESPONDING;
    }
    if (skr_tls_finished(t)) {
        return SKR_IDLE;
    }
    if (!t->open) {
        return t->began ? SKR_RECEIVING : SKR_IDLE;
    }
    enum skr_activity doing = skr_conn_activity(t->conn);
    return doing == SKR_IDLE && skr_tls_is_within_record(t) ? SKR_RECEIVING : doing;
}

bool skr_tls_spoke(const struct skr_tls *t)
{
    return t->spoke;
}

void skr_tls_timed_out(struct skr_tls *t)
{
    if (t->open && !t->over) {
        skr_conn_timed_out(t->conn);
    } else {
        t->over = true;
    }
}

void skr_tls_end(struct skr_tls *t)
{
    if (t->open && !t->over) {
        br_ssl_engine_close(t->engine);
    }
    t->over = true;
}
