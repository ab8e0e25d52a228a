/* carrier.h -- what carries a connection's bytes over a link: the link alone, or TLS in between. Ports that can do both
 * call the carrier instead of the connection.
 *
 * With SKR_TLS 0, the default, there is no TLS, and each function only makes the same call to the core. */
#ifndef SKR_CARRIER_H
#define SKR_CARRIER_H

#include "skillrom.h"

#ifndef SKR_TLS
#define SKR_TLS 0
#endif

#if SKR_TLS
#include "tls/tls.h"
#define SKR_EITHER(c, secure, plain) ((c)->tls != NULL ? (secure) : (plain))
#else
#define SKR_EITHER(c, secure, plain) (plain)
#endif

struct skr_carrier {
    struct skr_conn *conn;
#if SKR_TLS
    struct skr_tls *tls; /* NULL: none */
#endif
};

static inline void skr_carrier_close(const struct skr_carrier *c)
{
    SKR_EITHER(c, skr_tls_close(c->tls), skr_conn_close(c->conn));
}

static inline void *skr_carrier_rx_room(const struct skr_carrier *c, size_t *room)
{
    return SKR_EITHER(c, skr_tls_rx_room(c->tls, room), skr_conn_rx_room(c->conn, room));
}

static inline void skr_carrier_rx_done(const struct skr_carrier *c, size_t n)
{
    SKR_EITHER(c, skr_tls_rx_done(c->tls, n), skr_conn_rx_done(c->conn, n));
}

static inline size_t skr_carrier_rx(const struct skr_carrier *c, const void *bytes, size_t n)
{
    return SKR_EITHER(c, skr_tls_rx(c->tls, bytes, n), skr_conn_rx(c->conn, bytes, n));
}

static inline size_t skr_carrier_txv(const struct skr_carrier *c, struct skr_span *spans, size_t max)
{
#if SKR_TLS
    if (c->tls != NULL) {
        const void *bytes;
        spans[0].n = skr_tls_tx(c->tls, &bytes);
        spans[0].p = bytes;
        return spans[0].n > 0;
    }
#endif
    return skr_conn_txv(c->conn, spans, max);
}

static inline void skr_carrier_tx_done(const struct skr_carrier *c, size_t k)
{
    SKR_EITHER(c, skr_tls_tx_done(c->tls, k), skr_conn_tx_done(c->conn, k));
}

static inline bool skr_carrier_finished(const struct skr_carrier *c)
{
    return SKR_EITHER(c, skr_tls_finished(c->tls), skr_conn_finished(c->conn));
}

static inline enum skr_activity skr_carrier_doing(const struct skr_carrier *c)
{
    return SKR_EITHER(c, skr_tls_doing(c->tls), skr_conn_activity(c->conn));
}

static inline void skr_carrier_timed_out(const struct skr_carrier *c)
{
    SKR_EITHER(c, skr_tls_timed_out(c->tls), skr_conn_timed_out(c->conn));
}

/* Bytes have been sent: were they a response? */
static inline bool skr_carrier_spoke(const struct skr_carrier *c)
{
    return SKR_EITHER(c, skr_tls_spoke(c->tls), ((void)c, true));
}

/* True when it is worth reading once more in the same turn. */
static inline bool skr_carrier_wants_more(const struct skr_carrier *c)
{
    return SKR_EITHER(c, skr_tls_is_within_record(c->tls), ((void)c, false));
}

/* The port ends the connection. True when there is something left to send. */
static inline bool skr_carrier_end(const struct skr_carrier *c)
{
    return SKR_EITHER(c, (skr_tls_end(c->tls), true), ((void)c, false));
}

#endif
