/* oauth_ec.c -- see oauth_ec.h. Nothing here is secret, so that any implementation of the curve would do: it is the one
 * that TLS uses, to have it in flash once. */
#include "oauth_ec.h"

#if SKR_OAUTH

#include "../tls/tls_config.h"
#include "bearssl.h"
#include "skr_text.h"

bool skr_oauth_is_point(const struct skr_oauth_key *key)
{
    static const unsigned char one[] = {1};
    unsigned char point[sizeof key->point];

    memcpy(point, key->point, sizeof point);
    return SKR_TLS_P256.mul(point, sizeof point, one, sizeof one, BR_EC_secp256r1) == 1;
}

bool skr_oauth_is_signature(const struct skr_oauth_key *key, const uint8_t sha256[32], const uint8_t signature[64])
{
    unsigned char point[sizeof key->point];
    br_ec_public_key public = {BR_EC_secp256r1, point, sizeof point};

    memcpy(point, key->point, sizeof point); /* BearSSL wants bytes that it may write to */
    return SKR_TLS_VERIFY(&SKR_TLS_P256, sha256, 32, &public, signature, 64) == 1;
}

#endif
