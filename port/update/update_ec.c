/* update_ec.c -- see update_ec.h. Nothing here is secret, so any implementation of the curve is suitable. Firmware with
 * TLS or OAuth has a fast one in flash already; other firmware gets the smallest, which takes twice as long. */
#include "update_ec.h"

#include <string.h>

#include "../tls/tls_config.h"
#include "bearssl.h"

#ifndef SKR_UPDATE_SMALL_CURVE
#if (defined(SKR_TLS) && SKR_TLS) || SKR_OAUTH
#define SKR_UPDATE_SMALL_CURVE 0
#else
#define SKR_UPDATE_SMALL_CURVE 1
#endif
#endif

/* The small curve is as large with multiplications of 31 bits, and three times as fast where they are one
 * instruction. */
#if SKR_UPDATE_SMALL_CURVE && (defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__))
#define CURVE br_ec_prime_i15
#define VERIFY br_ecdsa_i15_vrfy_raw
#elif SKR_UPDATE_SMALL_CURVE
#define CURVE br_ec_prime_i31
#define VERIFY br_ecdsa_i31_vrfy_raw
#else
#define CURVE SKR_TLS_P256
#define VERIFY SKR_TLS_VERIFY
#endif

bool skr_update_is_signed(const uint8_t key[64], const uint8_t sha256[32], const uint8_t signature[64])
{
    unsigned char point[65] = {4}; /* uncompressed */
    br_ec_public_key public = {BR_EC_secp256r1, point, sizeof point};

    memcpy(point + 1, key, 64);
    return VERIFY(&CURVE, sha256, 32, &public, signature, 64) == 1;
}
