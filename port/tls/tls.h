/* tls.h -- TLS 1.2 between a link and a connection of the core, by BearSSL. No I/O, no clock, no heap.
 *
 * A struct skr_tls has the calls of a struct skr_conn, so that a port which can serve one can serve the other: bytes
 * from the link go into skr_tls_rx_room, and what skr_tls_tx returns is sent. It carries a connection of the core,
 * opened as usual, which gets the decrypted bytes and does not know about TLS. Calls that only the core has, such as
 * skr_conn_keep_alive and skr_conn_end, go to that connection; skr_tls_tx then returns what they produce.
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
 * port/carrier.h combines both, for ports that serve with and without TLS. */
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
    SKR_TLS_NO_KEY,        /* the first object is not a private key, or is truncated */
    SKR_TLS_KEY_RSA,       /* an RSA key */
    SKR_TLS_KEY_CURVE,     /* a key that is not on P-256 */
    SKR_TLS_NO_CERT,       /* no certificate follows, or it is truncated */
    SKR_TLS_TOO_MANY_CERTS /* more than SKR_TLS_CHAIN */
};

/* Reads a P-256 private key in DER, as SEC1 or PKCS#8, and after it the certificates in DER. They end after n bytes, or
 * at a byte that cannot start one, such as 0xFF in erased flash. So the output of `cat key.der device.der ca.der` is all
 * that has to be written to flash. Whether key and certificate belong together is not checked here: the program that writes them
 * can check that, and clients will. The bytes must stay where they are. */
enum skr_tls_wrong skr_tls_identity_read(struct skr_tls_identity *identity, const void *bytes, size_t n);

/* ---- A connection ---- */

/* All the memory a connection needs in addition to the core's. Its fields are private. */
struct skr_tls {
    struct skr_conn *conn;
    br_ssl_engine_context *engine; /* points into half */
    struct skr_span words;         /* a refusal in plain text, still to be sent */
    bool began;                    /* the peer has sent something */
    bool open;                     /* the handshake is complete */
    bool spoke;                    /* the connection that it carries has sent something */
    bool over;                     /* nothing more is read */
    union {
        br_ssl_server_context server;
    } half;
    unsigned char in[SKR_TLS_IN];
    unsigned char out[SKR_TLS_OUT];
};

/* Prepares t for a new link, as the server. conn has just been opened, and identity outlives t. The seed is random:
 * an attacker who guesses it can decrypt the connection. Signatures do not depend on it. */
void skr_tls_open(struct skr_tls *t, const struct skr_tls_identity *identity, struct skr_conn *conn,
                  const uint8_t seed[SKR_TLS_SEED]);

/* The link is gone, or has been closed because skr_tls_finished returned true. Closes the connection that it carries, and
 * erases the keys. */
void skr_tls_close(struct skr_tls *t);

/* As skr_conn_rx_room and so on. A request that ends within the n bytes is handled before skr_tls_rx_done returns; so is
 * the peer's part of a handshake, which can take a small processor a second. */
void *skr_tls_rx_room(struct skr_tls *t, size_t *room);
void skr_tls_rx_done(struct skr_tls *t, size_t n);
size_t skr_tls_rx(struct skr_tls *t, const void *bytes, size_t n);
size_t skr_tls_tx(struct skr_tls *t, const void **bytes);
void skr_tls_tx_done(struct skr_tls *t, size_t k);
bool skr_tls_finished(const struct skr_tls *t);

/* An unfinished handshake or record counts as SKR_RECEIVING. */
enum skr_activity skr_tls_doing(const struct skr_tls *t);

/* The handshake, or the request, has taken too long by the port's clock. */
void skr_tls_timed_out(struct skr_tls *t);

/* The port ends the connection: after a complete handshake, skr_tls_tx returns a last record that tells the peer so. */
void skr_tls_end(struct skr_tls *t);

/* True when the connection that it carries has sent anything. A handshake alone does not count. */
bool skr_tls_spoke(const struct skr_tls *t);

/* True while a record is incomplete: the next read most likely brings the rest. */
bool skr_tls_is_within_record(const struct skr_tls *t);

/* Seven bytes for a client when all slots are taken, instead of a handshake: the fatal alert internal_error. TLS has
 * none for "try later". */
extern const char skr_tls_busy[7];

#ifdef __cplusplus
}
#endif

#endif
