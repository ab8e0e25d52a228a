/* authority.h -- the authorization server of --oauth-issuer. */
#ifndef SKR_POSIX_AUTHORITY_H
#define SKR_POSIX_AUTHORITY_H

#include "options.h"

struct skr_authority;

/* Reads the server's keys. The result is valid until the process ends; call it once. False, after a message, when the
 * options or the keys cannot be used, or the program was built without BearSSL. */
bool posix_authority_load(const struct posix_options *options, const struct skr_authority **authority);

#endif
