/* update_key.h -- public keys that sign updates, from PEM files (update_key.c). */
#ifndef SKR_UPDATE_KEY_H
#define SKR_UPDATE_KEY_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a public key of P-256, as `skillrom keys public` and openssl write it. False, after a message. */
bool posix_update_key_read(const char *path, uint8_t key[64]);

#endif
