/* spans.c -- see spans.h. */
#include "wire/spans.h"

#include "response/response.h"
#include "text/assert.h"

/* Bytes that follow those of the last span join it. */
static void add_span(struct skr_conn *c, const char *p, size_t n)
{
    struct skr_span *next = &c->out[c->out_count];
    if (c->out_count > 0 && next[-1].p + next[-1].n == p) {
        next[-1].n += n;
        return;
    }
    *next = (struct skr_span){p, n};
    c->out_count++;
}

void skri_spans_make(struct skr_conn *c)
{
    const char *bytes;
#if SKR_HTTP
    c->http.head_waits = false;
#endif
    while (c->out_count < SKR_TX_SPANS) {
        size_t room = sizeof c->scratch - c->scratch_used;
        size_t n = skri_response_take(&c->answer, c->scratch + c->scratch_used, room, &bytes);
        SKR_ASSERT(bytes != NULL || n <= room);
        if (n == 0) {
            return;
        }
        if (bytes == NULL) {
            bytes = c->scratch + c->scratch_used;
            c->scratch_used += (uint32_t)n;
        }
        add_span(c, bytes, n);
    }
}
