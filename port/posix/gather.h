/* gather.h -- a response's next spans, in the form that writev and sendmsg take. */
#ifndef SKR_GATHER_H
#define SKR_GATHER_H

#include <sys/uio.h>

#include "../carrier.h"

/* Fills pieces and, in *total, the sum of their lengths. Returns how many there are; 0 when there is nothing to send. In
 * eight bits, which fit whatever type a C library has for such a number. */
static inline uint8_t posix_gather(const struct skr_carrier *carrier, struct iovec pieces[SKR_TX_SPANS], size_t *total)
{
    struct skr_span spans[SKR_TX_SPANS];
    size_t count = skr_carrier_txv(carrier, spans, SKR_TX_SPANS);

    *total = 0;
    for (size_t i = 0; i < count; i++) {
        pieces[i].iov_base = (void *)(uintptr_t)spans[i].p; /* only read, though the type does not say so */
        pieces[i].iov_len = spans[i].n;
        *total += spans[i].n;
    }
    return (uint8_t)count;
}

#endif
