/* buffer.c -- see buffer.h. */
#include "wire/buffer.h"

#include <string.h>

#include "text/assert.h"

void skri_buffer_compact(struct skr_conn *c, uint32_t to)
{
    SKR_ASSERT(to <= c->start && c->start <= c->scanned && c->start <= c->fill);
    uint32_t by = c->start - to;
    if (by > 0) {
        memmove(c->in + to, c->in + c->start, c->fill - c->start);
        c->start = to;
        c->fill -= by;
        c->scanned -= by; /* never before start */
    }
}
