/* buffer.c -- see buffer.h. */
#include "wire/buffer.h"

#include <string.h>

void skr_buffer_compact(struct skr_conn *c, uint32_t to)
{
    uint32_t by = c->start - to;
    if (by > 0) {
        memmove(c->in + to, c->in + c->start, c->fill - c->start);
        c->start = to;
        c->fill -= by;
        c->scanned -= by; /* never before start */
    }
}
