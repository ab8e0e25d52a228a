/* tls_server.c -- the server's end of a connection: its cipher suites, and which of BearSSL's implementations suits the
 * processor (SKR_TLS_MULTIPLY). */
#include "tls.h"

#if SKR_TLS_MULTIPLY == 15
#define SIGN br_ecdsa_i15_sign_asn1
#define POLY1305 br_poly1305_ctmul32_run
#define GHASH br_ghash_ctmul32
#else
#define SIGN br_ecdsa_i31_sign_asn1
#define POLY1305 br_poly1305_ctmul_run
#define GHASH br_ghash_ctmul
#endif

static const uint16_t suites[] = {
    BR_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
#if SKR_TLS_AES
    BR_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
#endif
};

static void choose_ciphers(br_ssl_engine_context *engine)
{
    br_ssl_engine_set_versions(engine, BR_TLS12, BR_TLS12);
    br_ssl_engine_set_suites(engine, suites, sizeof suites / sizeof suites[0]);
    br_ssl_engine_set_ec(engine, &SKR_TLS_P256);
    br_ssl_engine_set_hash(engine, br_sha256_ID, &br_sha256_vtable);
    br_ssl_engine_set_prf_sha256(engine, &br_tls12_sha256_prf);
    br_ssl_engine_set_chapol(engine, &br_sslrec_in_chapol_vtable, &br_sslrec_out_chapol_vtable);
    br_ssl_engine_set_chacha20(engine, &br_chacha20_ct_run);
    br_ssl_engine_set_poly1305(engine, &POLY1305);
#if SKR_TLS_AES
    br_ssl_engine_set_gcm(engine, &br_sslrec_in_gcm_vtable, &br_sslrec_out_gcm_vtable);
    br_ssl_engine_set_aes_ctr(engine, &br_aes_ct_ctr_vtable);
    br_ssl_engine_set_ghash(engine, &GHASH);
#endif
    /* Attacks have used a second handshake within a connection, and no MCP client needs one. */
    br_ssl_engine_add_flags(engine, BR_OPT_NO_RENEGOTIATION | BR_OPT_ENFORCE_SERVER_PREFERENCES);
}

void skr_tls_open(struct skr_tls *t, const struct skr_tls_identity *identity, struct skr_conn *conn,
                  const uint8_t seed[SKR_TLS_SEED])
{
    br_ssl_server_context *server = &t->half.server;

    t->conn = conn;
    t->engine = &server->eng;
    t->words = (struct skr_span){NULL, 0};
    t->began = t->open = t->spoke = t->over = false;

    br_ssl_server_zero(server);
    choose_ciphers(t->engine);
    br_ssl_server_set_single_ec(server, identity->chain, identity->chain_count, &identity->key, BR_KEYTYPE_SIGN, 0,
                                &SKR_TLS_P256, &SIGN);
    br_ssl_engine_set_buffers_bidi(t->engine, t->in, sizeof t->in, t->out, sizeof t->out);
    br_ssl_engine_inject_entropy(t->engine, seed, SKR_TLS_SEED);
    if (br_ssl_server_reset(server) == 0) {
        t->over = true;
    }
    t->engine->version_out = BR_TLS12; /* of an alert for a client that is too old, which BearSSL leaves at 0 */
}
