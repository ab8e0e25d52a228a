/* tls_client.c -- see tls_client.h. */
#include "tls_client.h"

#include <string.h>

/* ---- The server's certificate ---- */

static struct skr_tls_look *look_of(const br_x509_class **vtable)
{
    return (struct skr_tls_look *)(void *)(uintptr_t)vtable;
}

static void start_chain(const br_x509_class **vtable, const char *name)
{
    (void)name;
    look_of(vtable)->count = 0;
}

static void start_cert(const br_x509_class **vtable, uint32_t length)
{
    struct skr_tls_look *look = look_of(vtable);

    (void)length;
    if (look->count++ == 0) {
        br_x509_decoder_init(&look->decoder, NULL, NULL);
        br_sha256_init(&look->sha);
    }
}

static void certificate_append(const br_x509_class **vtable, const unsigned char *bytes, size_t n)
{
    struct skr_tls_look *look = look_of(vtable);

    if (look->count == 1) {
        br_x509_decoder_push(&look->decoder, bytes, n);
        br_sha256_update(&look->sha, bytes, n);
    }
}

static void end_cert(const br_x509_class **vtable)
{
    struct skr_tls_look *look = look_of(vtable);

    if (look->count == 1) {
        br_sha256_out(&look->sha, look->print);
    }
}

static unsigned end_chain(const br_x509_class **vtable)
{
    struct skr_tls_look *look = look_of(vtable);

    if (look->count == 0) {
        return BR_ERR_X509_EMPTY_CHAIN;
    }
    bool same = look->pin != NULL && memcmp(look->pin, look->print, sizeof look->print) == 0;
    return same ? (unsigned)br_x509_decoder_last_error(&look->decoder) : BR_ERR_X509_NOT_TRUSTED;
}

static const br_x509_pkey *get_pkey(const br_x509_class *const *vtable, unsigned *usages)
{
    struct skr_tls_look *look = look_of((const br_x509_class **)(uintptr_t)vtable);

    if (usages != NULL) {
        *usages = BR_KEYTYPE_KEYX | BR_KEYTYPE_SIGN;
    }
    return br_x509_decoder_get_pkey(&look->decoder);
}

static const br_x509_class looks = {.context_size = sizeof(struct skr_tls_look),
                                    .start_chain = start_chain,
                                    .start_cert = start_cert,
                                    .append = certificate_append,
                                    .end_cert = end_cert,
                                    .end_chain = end_chain,
                                    .get_pkey = get_pkey};

const uint8_t *skr_tls_client_print(const struct skr_tls_client *t)
{
    return t->look.count > 0 ? t->look.print : NULL;
}

/* ---- Opening ---- */

static const uint16_t suites[] = {
    BR_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
    BR_TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    BR_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
    BR_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
};

static void choose_ciphers(br_ssl_client_context *client)
{
    br_ssl_engine_context *engine = &client->eng;

    br_ssl_engine_set_versions(engine, BR_TLS12, BR_TLS12);
    br_ssl_engine_set_suites(engine, suites, sizeof suites / sizeof suites[0]);
    br_ssl_engine_set_ec(engine, &br_ec_all_m31);
    br_ssl_engine_set_ecdsa(engine, &br_ecdsa_i31_vrfy_asn1);
    br_ssl_engine_set_rsavrfy(engine, &br_rsa_i31_pkcs1_vrfy);
    br_ssl_engine_set_hash(engine, br_sha256_ID, &br_sha256_vtable);
    br_ssl_engine_set_hash(engine, br_sha384_ID, &br_sha384_vtable);
    br_ssl_engine_set_hash(engine, br_sha512_ID, &br_sha512_vtable);
    br_ssl_engine_set_prf_sha256(engine, &br_tls12_sha256_prf);
    br_ssl_engine_set_chapol(engine, &br_sslrec_in_chapol_vtable, &br_sslrec_out_chapol_vtable);
    br_ssl_engine_set_chacha20(engine, &br_chacha20_ct_run);
    br_ssl_engine_set_poly1305(engine, &br_poly1305_ctmul_run);
    br_ssl_engine_set_gcm(engine, &br_sslrec_in_gcm_vtable, &br_sslrec_out_gcm_vtable);
    br_ssl_engine_set_aes_ctr(engine, &br_aes_ct_ctr_vtable);
    br_ssl_engine_set_ghash(engine, &br_ghash_ctmul);
    br_ssl_engine_add_flags(engine, BR_OPT_NO_RENEGOTIATION);
}

static void choose_authorities(struct skr_tls_client *t, const struct skr_tls_trust *trust)
{
    br_x509_minimal_init(&t->minimal, &br_sha256_vtable, trust->anchors, trust->anchor_count);
    br_x509_minimal_set_rsa(&t->minimal, &br_rsa_i31_pkcs1_vrfy);
    br_x509_minimal_set_ecdsa(&t->minimal, &br_ec_all_m31, &br_ecdsa_i31_vrfy_asn1);
    br_x509_minimal_set_hash(&t->minimal, br_sha256_ID, &br_sha256_vtable);
    br_x509_minimal_set_hash(&t->minimal, br_sha384_ID, &br_sha384_vtable);
    br_x509_minimal_set_hash(&t->minimal, br_sha512_ID, &br_sha512_vtable);
    br_x509_minimal_set_time(&t->minimal, trust->days, trust->seconds);
    br_ssl_engine_set_x509(&t->client.eng, &t->minimal.vtable);
}

/* An address has colons, or nothing but digits and dots. */
static bool is_address(const char *host)
{
    bool digits = true;

    for (const char *p = host; *p != '\0'; p++) {
        if (*p == ':') {
            return true;
        }
        digits = digits && ((*p >= '0' && *p <= '9') || *p == '.');
    }
    return digits;
}

void skr_tls_client_open(struct skr_tls_client *t, const char *host, const struct skr_tls_trust *trust,
                         const uint8_t seed[SKR_TLS_SEED])
{
    bool by_authority = trust->pin == NULL && trust->anchor_count > 0;

    br_ssl_client_zero(&t->client);
    memset(&t->look, 0, sizeof t->look);
    t->look.vtable = &looks;
    t->look.pin = trust->pin;
    choose_ciphers(&t->client);
    if (by_authority) {
        choose_authorities(t, trust);
    } else {
        br_ssl_engine_set_x509(&t->client.eng, &t->look.vtable);
    }
    br_ssl_engine_set_buffers_bidi(&t->client.eng, t->in, sizeof t->in, t->out, sizeof t->out);
    br_ssl_engine_inject_entropy(&t->client.eng, seed, SKR_TLS_SEED);
    /* for an authority the name is needed: without one any certificate it has signed would do */
    (void)br_ssl_client_reset(&t->client, by_authority || !is_address(host) ? host : NULL, 0);
}

/* ---- Bytes ---- */

void *skr_tls_client_rx_room(struct skr_tls_client *t, size_t *room)
{
    *room = 0;
    return br_ssl_engine_recvrec_buf(&t->client.eng, room);
}

void skr_tls_client_rx_done(struct skr_tls_client *t, size_t n)
{
    if (n > 0) {
        br_ssl_engine_recvrec_ack(&t->client.eng, n);
    }
}

size_t skr_tls_client_tx(struct skr_tls_client *t, const void **bytes)
{
    size_t n = 0;

    *bytes = br_ssl_engine_sendrec_buf(&t->client.eng, &n);
    return *bytes != NULL ? n : 0;
}

void skr_tls_client_tx_done(struct skr_tls_client *t, size_t k)
{
    if (k > 0) {
        br_ssl_engine_sendrec_ack(&t->client.eng, k);
    }
}

bool skr_tls_client_ready(const struct skr_tls_client *t)
{
    return (br_ssl_engine_current_state(&t->client.eng) & (BR_SSL_SENDAPP | BR_SSL_RECVAPP)) != 0;
}

size_t skr_tls_client_get(struct skr_tls_client *t, void *to, size_t room)
{
    size_t n = 0;
    const void *from = br_ssl_engine_recvapp_buf(&t->client.eng, &n);

    n = from == NULL ? 0 : n < room ? n : room;
    if (n > 0) {
        memcpy(to, from, n);
        br_ssl_engine_recvapp_ack(&t->client.eng, n);
    }
    return n;
}

size_t skr_tls_client_put(struct skr_tls_client *t, const void *from, size_t n)
{
    size_t room = 0;
    void *to = br_ssl_engine_sendapp_buf(&t->client.eng, &room);

    n = to == NULL ? 0 : n < room ? n : room;
    if (n > 0) {
        memcpy(to, from, n);
        br_ssl_engine_sendapp_ack(&t->client.eng, n);
        br_ssl_engine_flush(&t->client.eng, 0);
    }
    return n;
}

bool skr_tls_client_finished(const struct skr_tls_client *t, int *error)
{
    *error = br_ssl_engine_last_error(&t->client.eng);
    return br_ssl_engine_current_state(&t->client.eng) == BR_SSL_CLOSED;
}
