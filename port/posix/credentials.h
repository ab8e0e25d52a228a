/* credentials.h -- reads a certificate and its private key from files as openssl writes them. */
#ifndef SKR_CREDENTIALS_H
#define SKR_CREDENTIALS_H

#include <stdbool.h>

struct skr_tls_identity;

/* Both in PEM. Their content is kept in static memory, so a program has one pair. False, after a message with the reason
 * and a remedy, when they cannot be used. An expired certificate and a key that others may read get a warning, and are
 * used. */
bool posix_credentials_read(struct skr_tls_identity *identity, const char *cert, const char *key);

#endif
