/* credentials.h -- a certificate and its private key out of files, as openssl writes them. */
#ifndef SKR_CREDENTIALS_H
#define SKR_CREDENTIALS_H

#include <stdbool.h>

struct skr_tls_identity;

/* Both in PEM. What they hold is kept in memory of this file, so one pair to a program. False when they cannot be
 * used, and the reason has been said with a way out; an expired certificate and a key that others may read are said
 * as well, and used. */
bool skr_credentials_read(struct skr_tls_identity *identity, const char *cert, const char *key);

#endif
