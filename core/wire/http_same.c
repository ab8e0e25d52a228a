/* http_same.c -- what a client says again with every request.
 *
 * Most of a head is the same each time: the request line, Host, what the client accepts and calls itself. So the lines
 * before the first that is about one message alone are remembered, with what they said. When the next request begins
 * with the same bytes, they are not read again. They can say nothing else: what a line means depends on those before it
 * and on the server's configuration, which does not change. "Authorization" counts as about one message, because a
 * token may have expired meanwhile, and "Mcp-Param-*" is about one, an argument of its call. Lines that were refused
 * are read again, so that they are reported again. */
#include "wire/http_types.h"

#if SKR_HTTP_SAME

bool skri_http_same_head(struct skr_conn *c)
{
    struct skr_same *same = &c->same;
    uint32_t there = c->rx.fill - c->rx.start;
    const char *from = c->in + c->rx.start;

    if (there < same->size) {
        return false; /* too little to tell: it is read line by line */
    }
    if (same->size > 0 && memcmp(from, same->bytes, same->size) == 0) {
        memcpy(&c->http, &same->said, HTTP_BUT_PARAMS);
        memcpy(c->in, same->bytes + same->size, c->http.keep);
        c->rx.start = c->rx.scanned = c->rx.start + same->size;
        return true;
    }
    same->size = 0;
    same->copied = there < sizeof same->bytes ? there : (uint32_t)sizeof same->bytes;
    memcpy(same->bytes, from, same->copied); /* now: values that are kept will be put over it */
    return false;
}

void skri_http_forget_head(struct skr_conn *c)
{
    c->same.size = 0;
}

void skri_http_remember_head(struct skr_conn *c, struct skr_span line)
{
    struct skr_same *same = &c->same;
    const struct skr_http *h = &c->http;
    uint32_t line_size = c->rx.start - (uint32_t)(line.p - c->in), size = h->header_bytes - line_size;

    if (same->size > 0 || size > same->copied || h->keep > sizeof same->bytes - size || h->refuse != SKR_NO_ERROR) {
        return;
    }
    same->size = size;
    same->said = *h;
    same->said.header_bytes = size;
    memcpy(same->bytes + size, c->in, h->keep);
}

#endif
