/* issuer.c -- see issuer.h. */
#include "issuer.h"

#include <stdio.h>
#include <string.h>

#include "bearssl.h"
#include "sha256.h"
#include "text/encode.h"
#include "unity.h"

/* The key of the server; any number below the order of the curve will do. */
static unsigned char secret[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const br_ec_private_key private_key = {BR_EC_secp256r1, secret, sizeof secret};

/* base64url, with a NUL after it. */
static char *encode(const void *bytes, size_t n, char *out)
{
    struct skr_encoding e = {.from = bytes, .n = n, .out = out, .room = 2 * n + 8, .url = true};
    struct skr_carry carry = {.n = 0};

    skr_encode_base64(&e, &carry, true);
    out[e.made] = '\0';
    return out + e.made;
}

/* A JSON Web Key with these members before its point. */
const char *issuer_key(const char *members)
{
    static char text[512];
    unsigned char point[BR_EC_KBUF_PUB_MAX_SIZE];
    char x[100], y[100];
    br_ec_public_key key;

    TEST_ASSERT_EQUAL(65, br_ec_compute_pub(&br_ec_p256_m31, &key, point, &private_key));
    encode(point + 1, 32, x);
    encode(point + 33, 32, y);
    snprintf(text, sizeof text, "{%s\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"}", members, x, y);
    return text;
}

const char *issuer_set(const char *first, const char *second)
{
    static char text[1200];

    snprintf(text, sizeof text, "\n{\"keys\": [%s%s%s]}\n", first, *second != '\0' ? "," : "", second);
    return text;
}

/* A token of these two parts, signed by the server whatever they say. */
char *issuer_token(const char *header, const char *claims)
{
    static char token[6000];
    unsigned char hash[32], signature[64];
    char *end = encode(header, strlen(header), token);

    *end++ = '.';
    end = encode(claims, strlen(claims), end);
    romfs_sha256_of(token, (size_t)(end - token), hash);
    TEST_ASSERT_EQUAL(64, br_ecdsa_i31_sign_raw(&br_ec_p256_m31, &br_sha256_vtable, hash, &private_key, signature));
    *end++ = '.';
    encode(signature, sizeof signature, end);
    return token;
}
