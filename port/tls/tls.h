/* tls.h -- TLS 1.2 between a link and a connection of the core, by BearSSL. No I/O, no clock, no heap.
 *
 * A struct skr_tls has the calls of a struct skr_conn, so that a port which can serve one can serve the other: bytes of
 * the link go into skr_tls_rx_room, what skr_tls_tx gives goes out. Behind it stands a connection of the core, opened as
 * ever, which gets what the peer meant and answers without knowing. What is said to the core alone is said to that
 * connection: skr_conn_keep_alive, skr_conn_end and the like; skr_tls_tx then has what comes of it.
 *
 *     static struct skr_tls_identity identity;
 *     static struct skr_tls tls;
 *
 *     if (skr_tls_identity_read(&identity, flash, sizeof flash) != SKR_TLS_WELL) halt();
 *     skr_conn_open(&conn, &server, SKR_HTTP_1);
 *     skr_tls_open(&tls, &identity, &conn, seed);
 *     for (;;) {
 *         skr_tls_rx_done(&tls, link_read(skr_tls_rx_room(&tls, &room), room));
 *         n = skr_tls_tx(&tls, &bytes);
 *         skr_tls_tx_done(&tls, link_write(bytes, n));
 *         if (skr_tls_finished(&tls)) break;
 *     }
 *
 * port/carrier.h is both in one, for ports that have both. */
#ifndef SKR_TLS_H
#define SKR_TLS_H

#include "bearssl.h"
#include "skillrom.h"
#include "tls_config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Who the device is ---- */

/* A private key and the certificates that go with it. Points into the bytes it was read from. */
struct skr_tls_identity {
    br_ec_private_key key;
    br_x509_certificate chain[SKR_TLS_CHAIN]; /* the device's own first */
    size_t chain_count;
};

enum skr_tls_wrong {
    SKR_TLS_WELL,
    SKR_TLS_NO_KEY,        /* what comes first is no private key, or is cut short */
    SKR_TLS_KEY_RSA,       /* it is, but of RSA */
    SKR_TLS_KEY_CURVE,     /* or on another curve than P-256 */
    SKR_TLS_NO_CERT,       /* no certificate follows, or it is cut short */
    SKR_TLS_TOO_MANY_CERTS /* more than SKR_TLS_CHAIN */
};

/* Reads a private key in DER, of P-256, as SEC1 or PKCS#8 have it, and behind it the certificates in DER. They end with
 * the n bytes, or at a byte that begins none, as 0xFF of erased flash. So `cat key.der device.der ca.der` is all that
 * has to be written into flash. That key and certificate belong together is not looked at; whoever puts
 * them there can, and a client will. The bytes must stay where they are. */
enum skr_tls_wrong skr_tls_identity_read(struct skr_tls_identity *identity, const void *bytes, size_t n);

/* ---- A connection ---- */

/* All the memory a connection needs beside the core's. Its fields are nobody else's business. */
struct skr_tls {
    struct skr_conn *conn;
    br_ssl_engine_context *engine; /* of the half that is in use */
    struct skr_span words;         /* a refusal in plain text that has to leave */
    bool began;                    /* the peer has sent something */
    bool open;                     /* hands have been shaken */
    bool spoke;                    /* the connection behind has said something */
    bool over;                     /* nothing more is read */
    union {
        br_ssl_server_context server;
    } half;
    unsigned char in[SKR_TLS_IN];
    unsigned char out[SKR_TLS_OUT];
};

/* Readies t for a new link, as the server's end. conn has just been opened, and identity outlives t. The seed is
 * random: whoever can guess it can read along. Signatures do not depend on it. */
void skr_tls_open(struct skr_tls *t, const struct skr_tls_identity *identity, struct skr_conn *conn,
                  const uint8_t seed[SKR_TLS_SEED]);

/* The link is gone, or has been closed because skr_tls_finished said so. Closes the connection behind, and
 * forgets the keys. */
void skr_tls_close(struct skr_tls *t);

/* As skr_conn_rx_room and so on. A request that ends within the n bytes is handled before skr_tls_rx_done returns; so is
 * the peer's part of a handshake, which takes a small processor up to a second. */
void *skr_tls_rx_room(struct skr_tls *t, size_t *room);
void skr_tls_rx_done(struct skr_tls *t, size_t n);
size_t skr_tls_rx(struct skr_tls *t, const void *bytes, size_t n);
size_t skr_tls_tx(struct skr_tls *t, const void **bytes);
void skr_tls_tx_done(struct skr_tls *t, size_t k);
bool skr_tls_finished(const struct skr_tls *t);

/* A handshake under way is SKR_RECEIVING, and so is part of a record. */
enum skr_doing skr_tls_doing(const struct skr_tls *t);

/* The port's clock says that the handshake, or the request, has taken too long. */
void skr_tls_timed_out(struct skr_tls *t);

/* The port ends the connection: skr_tls_tx has a last record that tells the peer so, if the handshake got so far. */
void skr_tls_end(struct skr_tls *t);

/* Has the connection behind had something to say? A handshake alone is no answer. */
bool skr_tls_spoke(const struct skr_tls *t);

/* Is a record half here? Then the next read most likely has the rest. */
bool skr_tls_is_within_record(const struct skr_tls *t);

/* Seven bytes for a client there is no place for, instead of a handshake: a fatal alert, internal_error. TLS has none
 * for "come back later". */
extern const char skr_tls_busy[7];

#ifdef __cplusplus
}
#endif

#endif
