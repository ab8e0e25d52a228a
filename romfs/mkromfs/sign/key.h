/* key.h -- keys that sign releases: P-256, in PEM files that openssl reads. Signing and verifying, with BearSSL. */
#ifndef MKROMFS_KEY_H
#define MKROMFS_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct key {
    bool is_private;
    uint8_t x[32];     /* the private half, if it is there */
    uint8_t point[64]; /* the public half, x and y */
};

/* Makes a new private key. False, after a message, when the system has no random bytes. */
bool key_make(struct key *key);

/* Reads a private key (EC PRIVATE KEY or PRIVATE KEY) or a public one (PUBLIC KEY). False, with the reason on stderr. */
bool key_read(const char *path, struct key *key);

/* Adds the key as PEM. */
void key_write_private(struct buf *out, const struct key *key);
void key_write_public(struct buf *out, const struct key *key);

/* ECDSA of a text with this SHA-256, r and s; the same key and text always give the same signature (RFC 6979). */
void key_sign(const struct key *key, const uint8_t sha256[32], uint8_t signature[64]);
bool key_has_signed(const struct key *key, const uint8_t sha256[32], const uint8_t signature[64]);

#endif
