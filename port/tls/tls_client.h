/* tls_client.h -- the client's end of TLS 1.2, for programs on a PC that connect to a device. No I/O, no clock, no heap.
 *
 * Towards the link it has the calls of tls.h: bytes from the link go into skr_tls_client_rx_room, and what skr_tls_client_tx
 * returns is sent. On its other side are plain bytes: skr_tls_client_get and skr_tls_client_put.
 *
 * A server is accepted if its certificate has the given fingerprint, whatever else is in it: nobody else has that
 * certificate's key. Without a fingerprint it is accepted if an authority has signed it, for this host, and it is valid now.
 * Without either nobody is accepted, but the fingerprint is known afterwards. */
#ifndef SKR_TLS_CLIENT_H
#define SKR_TLS_CLIENT_H

#include "bearssl.h"
#include "skillrom.h"
#include "tls_config.h"

/* Records are no longer than what the smallest device takes; the longest record of TLS can be received. */
#define SKR_TLS_CLIENT_IN (16384 + SKR_TLS_IN_OVERHEAD)
#define SKR_TLS_CLIENT_OUT (512 + SKR_TLS_OUT_OVERHEAD)

#define SKR_TLS_PRINT 32 /* bytes of a fingerprint: the SHA-256 of the certificate in DER */

/* The accepted servers. Outlives the connections. */
struct skr_tls_trust {
    const uint8_t *pin; /* SKR_TLS_PRINT bytes; NULL: none */
    const br_x509_trust_anchor *anchors;
    size_t anchor_count;
    uint32_t days, seconds; /* the time, as BearSSL counts it; for anchors */
};

/* Looks at the first certificate of a chain only. */
struct skr_tls_look {
    const br_x509_class *vtable;
    const uint8_t *pin;
    unsigned count; /* certificates so far */
    br_x509_decoder_context decoder;
    br_sha256_context sha;
    uint8_t print[SKR_TLS_PRINT];
};

/* Its fields are private. */
struct skr_tls_client {
    br_ssl_client_context client;
    br_x509_minimal_context minimal;
    struct skr_tls_look look;
    unsigned char in[SKR_TLS_CLIENT_IN], out[SKR_TLS_CLIENT_OUT];
};

/* Prepares t for a new link. The seed is random, as for skr_tls_open. A host that is an address in digits is not told to
 * the server, as the rules want it. */
void skr_tls_client_open(struct skr_tls_client *t, const char *host, const struct skr_tls_trust *trust,
                         const uint8_t seed[SKR_TLS_SEED]);

/* As skr_tls_rx_room and so on. */
void *skr_tls_client_rx_room(struct skr_tls_client *t, size_t *room);
void skr_tls_client_rx_done(struct skr_tls_client *t, size_t n);
size_t skr_tls_client_tx(struct skr_tls_client *t, const void **bytes);
void skr_tls_client_tx_done(struct skr_tls_client *t, size_t k);

/* True once the handshake is complete. */
bool skr_tls_client_ready(const struct skr_tls_client *t);

/* Plain bytes: how many were taken from the server's, or for it. 0: none at present. */
size_t skr_tls_client_get(struct skr_tls_client *t, void *to, size_t room);
size_t skr_tls_client_put(struct skr_tls_client *t, const void *from, size_t n);

/* True once the connection has ended. *error is then BearSSL's code; 0: the server has ended it properly. */
bool skr_tls_client_finished(const struct skr_tls_client *t, int *error);

/* The fingerprint of the server's certificate, once it has come; NULL: it has not. */
const uint8_t *skr_tls_client_print(const struct skr_tls_client *t);

#endif
