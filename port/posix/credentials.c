/* credentials.c -- see credentials.h. BearSSL decodes PEM and certificates; mistakes in these files are reported
 * here, because a client would only report "handshake failure". */
#include "../carrier.h"

#if SKR_TLS

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "console.h"
#include "credentials.h"
#include "pem.h"
#include "posix_config.h"

#define MAKE_KEY "make one with: openssl ecparam -name prime256v1 -genkey -noout"
#define DAYS_BEFORE_1970 719528u /* BearSSL counts from the year 0 */

/* The key, and after it the certificates, as skr_tls_identity_read expects them. */
static struct {
    unsigned char bytes[POSIX_CREDENTIALS];
    size_t n;
} der;

/* One file being decoded. Only the wanted objects are kept; the decoder's callback cannot report an error. */
struct pem {
    const char *path;
    bool want_key;
    unsigned found;
    bool encrypted; /* a key that cannot be used */
};

static void append(void *none, const void *bytes, size_t n)
{
    (void)none;
    if (n <= sizeof der.bytes - der.n) {
        memcpy(der.bytes + der.n, bytes, n);
        der.n += n;
    } else {
        der.n = sizeof der.bytes; /* reported as full by read_pem */
    }
}

static bool is_wanted(struct pem *pem, const char *name)
{
    size_t n = strlen(name);
    bool key = n >= 11 && strcmp(name + n - 11, "PRIVATE KEY") == 0;

    if (pem->want_key && key && strcmp(name, "ENCRYPTED PRIVATE KEY") == 0) {
        pem->encrypted = true;
        return false;
    }
    return pem->want_key ? key && pem->found == 0 : strcmp(name, "CERTIFICATE") == 0;
}

/* False: the text between BEGIN and END is not base64. */
static bool decode(struct pem *pem, br_pem_decoder_context *decoder, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        size_t took = br_pem_decoder_push(decoder, bytes, n);
        bytes += took;
        n -= took;
        switch (br_pem_decoder_event(decoder)) {
        case BR_PEM_BEGIN_OBJ:
            if (is_wanted(pem, br_pem_decoder_name(decoder))) {
                br_pem_decoder_setdest(decoder, append, NULL);
                pem->found++;
            } else {
                br_pem_decoder_setdest(decoder, NULL, NULL);
            }
            break;
        case BR_PEM_ERROR: return false;
        default: break;
        }
    }
    return true;
}

static bool decode_file(struct pem *pem, int fd)
{
    static br_pem_decoder_context decoder;
    unsigned char piece[1024];
    ssize_t n;

    br_pem_decoder_init(&decoder);
    while ((n = read(fd, piece, sizeof piece)) > 0) {
        if (!decode(pem, &decoder, piece, host_pem_unify(piece, (size_t)n))) {
            host_log("%s: the text between BEGIN and END is not base64", pem->path);
            return false;
        }
    }
    if (n == 0) {
        (void)decode(pem, &decoder, (const unsigned char *)"\n", 1); /* the last line may lack its end */
        return true;
    }
    host_log("%s: %s", pem->path, strerror(errno));
    return false;
}

static void look_at_mode(const char *path, int fd)
{
    struct stat about;

    if (fstat(fd, &about) == 0 && (about.st_mode & (S_IRGRP | S_IROTH)) != 0) {
        host_log("warning: users other than its owner can read the private key in %s; chmod 600 %s", path, path);
    }
}

static bool read_pem(struct pem *pem)
{
    int fd = open(pem->path, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        host_log("%s: %s", pem->path, strerror(errno));
        return false;
    }
    if (pem->want_key) {
        look_at_mode(pem->path, fd);
    }
    bool decoded = decode_file(pem, fd);
    close(fd);
    if (!decoded) {
        return false;
    }
    if (der.n == sizeof der.bytes) {
        host_log("%s: more than %d bytes of keys and certificates; leave out the root", pem->path, POSIX_CREDENTIALS);
        return false;
    }
    if (pem->encrypted) {
        host_log("%s: the private key is encrypted; decrypt it with: openssl pkey -in %s", pem->path, pem->path);
        return false;
    }
    if (pem->found == 0) {
        host_log("%s: no %s in PEM (-----BEGIN %s-----)", pem->path, pem->want_key ? "private key" : "certificate",
                 pem->want_key ? "EC PRIVATE KEY" : "CERTIFICATE");
    }
    return pem->found > 0;
}

static bool check_result(enum skr_tls_wrong wrong, const char *cert, const char *key)
{
    switch (wrong) {
    case SKR_TLS_WELL: return true;
    case SKR_TLS_NO_KEY: host_log("%s: the private key is damaged", key); break;
    case SKR_TLS_KEY_RSA: host_log("%s: an RSA key; only EC keys on P-256 are supported; " MAKE_KEY, key); break;
    case SKR_TLS_KEY_CURVE: host_log("%s: the key is not EC on P-256; " MAKE_KEY, key); break;
    case SKR_TLS_NO_CERT: host_log("%s: the certificate is damaged", cert); break;
    case SKR_TLS_TOO_MANY_CERTS:
        host_log("%s: more than %d certificates; give the device's own and those that signed it, without the root",
                 cert, SKR_TLS_CHAIN);
        break;
    }
    return false;
}

/* ---- Do they belong together? ---- */

static void look_at_dates(const br_x509_decoder_context *decoder, const char *cert)
{
    uint64_t now = (uint64_t)time(NULL);
    uint64_t from = ((uint64_t)decoder->notbefore_days - DAYS_BEFORE_1970) * 86400u + decoder->notbefore_seconds;
    uint64_t to = ((uint64_t)decoder->notafter_days - DAYS_BEFORE_1970) * 86400u + decoder->notafter_seconds;

    if (decoder->notafter_days < DAYS_BEFORE_1970 || to < now) {
        host_log("warning: %s: the certificate has expired; clients will refuse it", cert);
    } else if (decoder->notbefore_days >= DAYS_BEFORE_1970 && from > now) {
        host_log("warning: %s: the certificate is not valid yet; clients will refuse it, or this clock is wrong", cert);
    }
}

static bool fit(const struct skr_tls_identity *identity, const char *cert, const char *key)
{
    static br_x509_decoder_context decoder;
    unsigned char point[BR_EC_KBUF_PUB_MAX_SIZE];
    br_ec_public_key ours;

    br_x509_decoder_init(&decoder, NULL, NULL);
    br_x509_decoder_push(&decoder, identity->chain[0].data, identity->chain[0].data_len);
    const br_x509_pkey *theirs = br_x509_decoder_get_pkey(&decoder);
    if (theirs == NULL) {
        host_log("%s: the certificate cannot be read (BearSSL says %d)", cert, br_x509_decoder_last_error(&decoder));
        return false;
    }
    if (theirs->key_type != BR_KEYTYPE_EC || theirs->key.ec.curve != BR_EC_secp256r1) {
        host_log("%s: the certificate is not for an EC key on P-256; " MAKE_KEY, cert);
        return false;
    }
    if (br_ec_compute_pub(&br_ec_p256_m31, &ours, point, &identity->key) != theirs->key.ec.qlen ||
        memcmp(ours.q, theirs->key.ec.q, theirs->key.ec.qlen) != 0) {
        host_log("%s does not belong to the first certificate in %s", key, cert);
        return false;
    }
    look_at_dates(&decoder, cert);
    return true;
}

bool posix_credentials_read(struct skr_tls_identity *identity, const char *cert, const char *key)
{
    struct pem key_file = {.path = key, .want_key = true}, cert_file = {.path = cert};

    der.n = 0;
    if (!read_pem(&key_file)) {
        return false;
    }
    /* The key first, alone: a truncated key would otherwise continue into the certificate. */
    enum skr_tls_wrong alone = skr_tls_identity_read(identity, der.bytes, der.n);
    if (alone != SKR_TLS_NO_CERT) {
        return check_result(alone != SKR_TLS_WELL ? alone : SKR_TLS_NO_KEY, cert, key);
    }
    if (!read_pem(&cert_file)) {
        return false;
    }
    return check_result(skr_tls_identity_read(identity, der.bytes, der.n), cert, key) && fit(identity, cert, key);
}

#endif
