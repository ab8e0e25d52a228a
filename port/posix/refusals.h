/* refusals.h -- reports peers whose requests are refused because of their Host or Origin, once for each: a peer that
 * keeps trying must not fill the log or memory. */
#ifndef SKR_REFUSALS_H
#define SKR_REFUSALS_H

#include <stddef.h>

#include "address.h"
#include "posix_config.h"

struct skr_refusals {
    struct skr_address told[SKR_POSIX_REFUSALS];
    size_t count;
};

/* The value comes from the peer: bytes that a terminal might interpret are replaced. */
void skr_refusals_tell(struct skr_refusals *refusals, const struct skr_address *peer, const char *header,
                       const char *value, size_t n);

#endif
