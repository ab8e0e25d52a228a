/* refusals.h -- tells the person who runs the server whose requests are refused for their Host, Origin or token, once for each
 * peer: one that tries again and again must not fill the log, nor any memory. */
#ifndef SKR_REFUSALS_H
#define SKR_REFUSALS_H

#include <stddef.h>

#include "address.h"
#include "posix_config.h"

struct skr_refusals {
    struct skr_address told[SKR_POSIX_REFUSALS];
    size_t count;
};

/* The value is the peer's: bytes that a terminal might act on are not repeated. */
void skr_refusals_tell(struct skr_refusals *refusals, const struct skr_address *peer, const char *header,
                       const char *value, size_t n);

#endif
