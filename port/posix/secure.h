/* secure.h -- TLS for --https: a certificate and a key from files. Built without TLS (SKR_TLS 0), --https is refused with a
 * message. */
#ifndef SKR_SECURE_H
#define SKR_SECURE_H

#include "options.h"

/* Reads --cert and --key, once. False, after a message, when they cannot be used (posix_credentials_read). */
bool posix_secure_load(const struct posix_options *options);

#if SKR_TLS
/* For listeners over TLS. */
extern const struct skr_sockets_tls posix_secure;
#endif

#endif
