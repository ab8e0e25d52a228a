/* tls_identity.c -- reads a private key and its certificates from DER. BearSSL has a decoder for all kinds of keys, but
 * it takes 2 KB of RAM to find 32 bytes; finding them here takes less code than calling it. */
#include <string.h>

#include "tls.h"

enum { INTEGER = 0x02, OCTETS = 0x04, OBJECT_ID = 0x06, SEQUENCE = 0x30, PARAMETERS = 0xA0 };

#define SCALAR 32u /* bytes of a private key of P-256 */

/* The bytes left to be read. */
struct der {
    const uint8_t *p;
    size_t n;
};

/* Removes an element of this type from the front; *content is its content. False: there is none, or it is truncated. */
static bool der_enter(struct der *from, uint8_t type, struct der *content)
{
    size_t length, head = 2;

    if (from->n < 2 || from->p[0] != type) {
        return false;
    }
    length = from->p[1];
    if (length >= 0x80) {
        size_t bytes = length - 0x80;
        if (bytes < 1 || bytes > 2 || from->n < 2 + bytes) {
            return false; /* nothing here is longer than 64 KB */
        }
        length = bytes == 1 ? from->p[2] : (size_t)from->p[2] << 8 | from->p[3];
        head += bytes;
    }
    if (length > from->n - head) {
        return false;
    }
    content->p = from->p + head;
    content->n = length;
    from->p += head + length;
    from->n -= head + length;
    return true;
}

static bool is(struct der what, const uint8_t *bytes, size_t n)
{
    return what.n == n && memcmp(what.p, bytes, n) == 0;
}

/* 1.2.840.113549.1.1.1, 1.2.840.10045.2.1 and 1.2.840.10045.3.1.7 */
static const uint8_t rsa[] = {0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01};
static const uint8_t elliptic[] = {0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01};
static const uint8_t p256[] = {0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07};

/* ECPrivateKey of RFC 5915: version, key, and optionally the curve. */
static enum skr_tls_wrong read_sec1(struct der body, struct skr_tls_identity *identity)
{
    struct der scalar, parameters, curve;

    if (!der_enter(&body, OCTETS, &scalar)) {
        return SKR_TLS_NO_KEY;
    }
    if (der_enter(&body, PARAMETERS, &parameters) &&
        !(der_enter(&parameters, OBJECT_ID, &curve) && is(curve, p256, sizeof p256))) {
        return SKR_TLS_KEY_CURVE;
    }
    if (scalar.n != SCALAR) {
        return SKR_TLS_KEY_CURVE;
    }
    /* The pointer in BearSSL's struct is not const, but BearSSL changes nothing through it. */
    identity->key.curve = BR_EC_secp256r1;
    identity->key.x = (unsigned char *)(uintptr_t)scalar.p;
    identity->key.xlen = scalar.n;
    return SKR_TLS_WELL;
}

/* PrivateKeyInfo of RFC 5208: version, algorithm, and the key in the algorithm's format. */
static enum skr_tls_wrong read_pkcs8(struct der body, struct der algorithm, struct skr_tls_identity *identity)
{
    struct der name, curve, wrapped, inner, version;

    if (!der_enter(&algorithm, OBJECT_ID, &name)) {
        return SKR_TLS_NO_KEY;
    }
    if (is(name, rsa, sizeof rsa)) {
        return SKR_TLS_KEY_RSA;
    }
    if (!is(name, elliptic, sizeof elliptic) || !der_enter(&algorithm, OBJECT_ID, &curve) ||
        !is(curve, p256, sizeof p256)) {
        return SKR_TLS_KEY_CURVE;
    }
    if (!der_enter(&body, OCTETS, &wrapped) || !der_enter(&wrapped, SEQUENCE, &inner) ||
        !der_enter(&inner, INTEGER, &version)) {
        return SKR_TLS_NO_KEY;
    }
    return read_sec1(inner, identity);
}

static enum skr_tls_wrong read_key(struct der body, struct skr_tls_identity *identity)
{
    struct der version, next;

    if (!der_enter(&body, INTEGER, &version) || version.n != 1) {
        return SKR_TLS_NO_KEY;
    }
    if (version.p[0] == 1) {
        return read_sec1(body, identity);
    }
    if (der_enter(&body, SEQUENCE, &next)) {
        return read_pkcs8(body, next, identity);
    }
    return der_enter(&body, INTEGER, &next) ? SKR_TLS_KEY_RSA : SKR_TLS_NO_KEY; /* PKCS#1 of RSA has a modulus next */
}

enum skr_tls_wrong skr_tls_identity_read(struct skr_tls_identity *identity, const void *bytes, size_t n)
{
    struct der rest = {bytes, n}, body;

    if (!der_enter(&rest, SEQUENCE, &body)) {
        return SKR_TLS_NO_KEY;
    }
    enum skr_tls_wrong wrong = read_key(body, identity);
    if (wrong != SKR_TLS_WELL) {
        return wrong;
    }
    identity->chain_count = 0;
    while (rest.n > 0 && rest.p[0] == SEQUENCE) {
        const uint8_t *from = rest.p;
        if (identity->chain_count == SKR_TLS_CHAIN) {
            return SKR_TLS_TOO_MANY_CERTS;
        }
        if (!der_enter(&rest, SEQUENCE, &body)) {
            return SKR_TLS_NO_CERT;
        }
        br_x509_certificate *certificate = &identity->chain[identity->chain_count++];
        certificate->data = (unsigned char *)(uintptr_t)from;
        certificate->data_len = (size_t)(rest.p - from);
    }
    return identity->chain_count > 0 ? SKR_TLS_WELL : SKR_TLS_NO_CERT;
}
