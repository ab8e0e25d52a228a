/* spans.c -- see spans.h. */
#include "wire/spans.h"

#include "response/response.h"
#include "text/assert.h"
#include "wire/http_types.h"

/* Bytes that follow those of the last span join it. */
static void add_span(struct skr_conn *c, const char *p, size_t n)
{
    struct skr_span *next = &c->tx.spans[c->tx.count];

    if (c->tx.count > 0 && next[-1].p + next[-1].n == p) {
        next[-1].n += n;
        return;
    }
    *next = (struct skr_span){p, n};
    c->tx.count++;
}

void skri_spans_make(struct skr_conn *c)
{
    const char *bytes;

    if (SKR_HTTP) {
        skri_http_of(c)->head_waits = false;
    }
    while (c->tx.count < SKR_TX_SPANS) {
        size_t room = sizeof c->scratch - c->tx.scratch_used;
        size_t n = skri_response_take(&c->response, c->scratch + c->tx.scratch_used, room, &bytes);
        SKR_ASSERT(bytes != NULL || n <= room);
        if (n == 0) {
            return;
        }
        if (bytes == NULL) {
            bytes = c->scratch + c->tx.scratch_used;
            c->tx.scratch_used += (uint32_t)n;
        }
        add_span(c, bytes, n);
    }
}
