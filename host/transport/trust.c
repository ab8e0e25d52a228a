/* trust.c -- see trust.h. */
#include "trust.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "console.h"
#include "pem.h"
#include "sha256.h"
#include "text/json_string.h"
#include "transport_config.h"

#define DAYS_BEFORE_1970 719528 /* BearSSL counts from the year 0 */

/* ---- Pins ---- */

bool transport_trust_pin(struct skr_tls_trust *trust, const char *text)
{
    static uint8_t pin[SKR_TLS_PRINT];
    const char *p = strncmp(text, "sha256:", 7) == 0 ? text + 7 : "";
    size_t n = 0;

    for (; *p != '\0' && n < 2 * sizeof pin; p++) {
        int value = skr_hex_digit(*p);
        if (value < 0 && (*p != ':' || n % 2 != 0)) {
            break;
        }
        if (value >= 0) {
            pin[n / 2] = (uint8_t)(pin[n / 2] << 4 | value);
            n++;
        }
    }
    if (*p != '\0' || n != 2 * sizeof pin) {
        host_log("--pin %s: not a fingerprint; give sha256: and 64 hex digits, as the bridge prints them without --pin",
                 text);
        return false;
    }
    trust->pin = pin;
    return true;
}

/* ---- Authorities ---- */

/* The bytes that the anchors point to. */
static struct {
    unsigned char bytes[TRANSPORT_AUTHORITY_BYTES];
    size_t n;
} kept;

static br_x509_trust_anchor anchors[TRANSPORT_AUTHORITIES];

/* One certificate being read. */
static struct {
    unsigned char bytes[8192];
    size_t n;
} der;

static void add_der(void *none, const void *bytes, size_t n)
{
    (void)none;
    n = n <= sizeof der.bytes - der.n ? n : 0;
    memcpy(der.bytes + der.n, bytes, n);
    der.n += n;
}

static unsigned char *anchor_keep(const void *bytes, size_t n)
{
    unsigned char *to = kept.bytes + kept.n;

    if (n > sizeof kept.bytes - kept.n) {
        return NULL;
    }
    memcpy(to, bytes, n);
    kept.n += n;
    return to;
}

static void keep_name(void *none, const void *bytes, size_t n)
{
    (void)none;
    (void)anchor_keep(bytes, n);
}

/* False when there is no room. A certificate that cannot be read, or is not an authority's, is skipped. */
static bool add_anchor(size_t *count)
{
    static br_x509_decoder_context decoder;
    size_t before = kept.n;
    br_x509_trust_anchor *anchor = &anchors[*count];

    br_x509_decoder_init(&decoder, keep_name, NULL);
    br_x509_decoder_push(&decoder, der.bytes, der.n);
    const br_x509_pkey *key = br_x509_decoder_get_pkey(&decoder);
    if (key == NULL) {
        kept.n = before;
        return true;
    }
    anchor->dn.data = kept.bytes + before;
    anchor->dn.len = kept.n - before;
    anchor->flags = br_x509_decoder_isCA(&decoder) ? BR_X509_TA_CA : 0;
    anchor->pkey = *key;
    if (key->key_type == BR_KEYTYPE_RSA) {
        anchor->pkey.key.rsa.n = anchor_keep(key->key.rsa.n, key->key.rsa.nlen);
        anchor->pkey.key.rsa.e = anchor_keep(key->key.rsa.e, key->key.rsa.elen);
    } else {
        anchor->pkey.key.ec.q = anchor_keep(key->key.ec.q, key->key.ec.qlen);
    }
    ++*count;
    return *count < TRANSPORT_AUTHORITIES && kept.n + sizeof der.bytes < sizeof kept.bytes;
}

/* False when it is not PEM, or too much. */
static bool take_pem(br_pem_decoder_context *decoder, const char *bytes, size_t n, size_t *count)
{
    for (size_t took; n > 0; bytes += took, n -= took) {
        took = br_pem_decoder_push(decoder, bytes, n);
        switch (br_pem_decoder_event(decoder)) {
        case BR_PEM_BEGIN_OBJ:
            der.n = 0;
            br_pem_decoder_setdest(decoder, strcmp(br_pem_decoder_name(decoder), "CERTIFICATE") == 0 ? add_der : NULL,
                                   NULL);
            break;
        case BR_PEM_END_OBJ:
            if (der.n > 0 && !add_anchor(count)) {
                return false;
            }
            break;
        case BR_PEM_ERROR: return false;
        default: break;
        }
    }
    return true;
}

bool transport_trust_file(struct skr_tls_trust *trust, const char *path)
{
    static br_pem_decoder_context decoder;
    char piece[4096];
    bool good = true;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = -1;

    kept.n = 0;
    trust->anchor_count = 0;
    br_pem_decoder_init(&decoder);
    while (fd >= 0 && good && (n = read(fd, piece, sizeof piece)) > 0) {
        good = take_pem(&decoder, piece, host_pem_unify(piece, (size_t)n), &trust->anchor_count);
    }
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (n < 0) {
        host_log("--ca-file %s: %s", path, strerror(error));
        return false;
    }
    good = good && take_pem(&decoder, "\n", 1, &trust->anchor_count); /* the last line may lack its end */
    if (!good || trust->anchor_count == 0) {
        host_log("--ca-file %s: %s", path,
                 good ? "no certificate in PEM (-----BEGIN CERTIFICATE-----)" : "not PEM, or too many certificates");
        return false;
    }
    trust->anchors = anchors;
    return true;
}

void transport_trust_now(struct skr_tls_trust *trust)
{
    time_t now = time(NULL);

    trust->days = (uint32_t)(now / 86400 + DAYS_BEFORE_1970);
    trust->seconds = (uint32_t)(now % 86400);
}

/* ---- Reasons ---- */

const char *transport_trust_why(const struct skr_tls_trust *trust, int error, const uint8_t *print)
{
    static char text[256];
    char digits[2 * SKR_TLS_PRINT + 1] = "";

    if (print != NULL) {
        romfs_sha256_hex(print, SKR_TLS_PRINT, digits);
    }
    if (error == BR_ERR_X509_NOT_TRUSTED && trust->anchor_count == 0 && print != NULL) {
        (void)snprintf(
            text, sizeof text,
            trust->pin != NULL
                ? "its certificate is another than the pinned one: sha256:%s. Pin that only if the certificate was replaced"
                : "it is not known yet. If its certificate has this fingerprint, start again with --pin sha256:%s",
            digits);
        return text;
    }
    switch (error) {
    case BR_ERR_X509_NOT_TRUSTED: return "no authority of --ca-file has signed its certificate; use another, or --pin";
    case BR_ERR_X509_EXPIRED:
        return "its certificate is expired, or not valid yet; replace it, check the clock, or use --pin";
    case BR_ERR_X509_BAD_SERVER_NAME:
        return "its certificate is for another name; connect with a name that is in it, or use --pin";
    case BR_ERR_BAD_VERSION: return "it does not use TLS; try http://";
    case BR_ERR_RECV_FATAL_ALERT + 80: return "it is busy with other clients";
    default: break;
    }
    if (error >= BR_ERR_RECV_FATAL_ALERT && error < BR_ERR_RECV_FATAL_ALERT + 256) {
        (void)snprintf(text, sizeof text, "it refuses the TLS handshake (alert %d); it must support TLS 1.2 with ECDHE",
                       error - BR_ERR_RECV_FATAL_ALERT);
    } else {
        (void)snprintf(text, sizeof text,
                       "the TLS handshake has failed (BearSSL error %d); check that it is a TLS server", error);
    }
    return text;
}
