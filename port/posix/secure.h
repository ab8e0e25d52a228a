/* secure.h -- TLS for --https: a certificate and a key from files, and a struct skr_tls for each slot. Built without
 * TLS (SKR_TLS 0), --https is refused with a message. */
#ifndef SKR_SECURE_H
#define SKR_SECURE_H

#include "../carrier.h"
#include "options.h"

/* Reads --cert and --key, once. False, after a message, when they cannot be used (posix_credentials_read). */
bool posix_secure_load(const struct posix_options *options);

/* Puts TLS between the link in this slot and its connection, which has just been opened. */
void posix_secure_open(struct skr_carrier *carrier, size_t slot);

#endif
