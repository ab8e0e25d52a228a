/* update_ec.h -- verifies signatures with BearSSL (update_ec.c). */
#ifndef SKR_UPDATE_EC_H
#define SKR_UPDATE_EC_H

#include <stdbool.h>
#include <stdint.h>

/* For is_signed of struct skr_update_config: ECDSA with P-256, r and s. The key is a point, x and y; the verification
 * fails if it is not on the curve. */
bool skr_update_is_signed(const uint8_t key[64], const uint8_t sha256[32], const uint8_t signature[64]);

#endif
