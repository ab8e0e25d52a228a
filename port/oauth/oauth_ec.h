/* oauth_ec.h -- the one thing that is done with BearSSL here. */
#ifndef SKR_OAUTH_EC_H
#define SKR_OAUTH_EC_H

#include "oauth.h"

/* True for a point of P-256. A signature by another "key" could be forged. */
bool skr_oauth_is_point(const struct skr_oauth_key *key);

/* True for the key's signature, r and s of 32 bytes each, of a text with this SHA-256. */
bool skr_oauth_is_signature(const struct skr_oauth_key *key, const uint8_t sha256[32], const uint8_t signature[64]);

#endif
