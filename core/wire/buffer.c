/* buffer.c -- see buffer.h. */
#include "wire/buffer.h"

#include <string.h>

#include "text/assert.h"

void skri_buffer_compact(struct skr_conn *c, uint32_t to)
{
    SKR_ASSERT(to <= c->rx.start && c->rx.start <= c->rx.scanned && c->rx.start <= c->rx.fill);
    uint32_t by = c->rx.start - to;
    if (by > 0) {
        memmove(c->in + to, c->in + c->rx.start, c->rx.fill - c->rx.start);
        c->rx.start = to;
        c->rx.fill -= by;
        c->rx.scanned -= by; /* never before start */
    }
}
