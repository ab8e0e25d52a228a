/* http_get.c -- the responses to GET and HEAD on other paths than MCP's: documents that are the same for everybody.
 *
 * They need no token, and pass the checks of Host and Origin like any request. http_request.c has their paths. */
#include "response/response.h"
#include "wire/http_types.h"
#include "wire/page.h"

#if SKR_WEB || SKR_OAUTH

static bool render_head(struct skr_response *a)
{
    bool more = a->step++ == 0;
    if (more) {
        skri_push_text(a, skri_page_head);
    }
    return more;
}

static bool render_page(struct skr_response *a)
{
    bool more = render_head(a);
    if (more) {
        skri_push_bytes(a, SKR_RAW, (const char *)skri_page_bytes, skri_page_size);
    }
    return more;
}

/* The page for people. It is stored compressed, and its head was also written when it was made (core/wire/page/mkpage.c). */
static void send_page(struct skr_conn *c)
{
    uint32_t from = c->tx.scratch_used;
    if ((c->http.flags & HTTP_ACCEPTS_GZIP) == 0) {
        skri_http_send_error(c, SKR_HTTP_GZIP);
        return;
    }
    skri_http_send_nothing(c);
    c->answer.render = c->http.method == HTTP_HEAD ? render_head : render_page;
    skri_http_put(c, "HTTP/1.1 200 OK");
    skri_http_put(c, (c->http.flags & HTTP_CLOSE) != 0 ? "\r\nConnection: close" : "");
    skri_http_put_done(c, from);
}

#if SKR_OAUTH
static bool render_metadata(struct skr_response *a)
{
    bool more = a->step++ == 0;
    if (more) {
        skri_push(a, SKR_RAW, a->subject);
    }
    return more;
}

void skri_oauth_send_metadata(struct skr_conn *c)
{
    struct skr_span text = c->srv->http.authority->metadata;
    uint32_t from = c->tx.scratch_used;
    skri_http_send_nothing(c);
    if (c->http.method != HTTP_HEAD) {
        c->answer.render = render_metadata;
        c->answer.subject = text;
    }
    skri_http_put(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ");
    skri_http_put_number(c, (uint32_t)text.n, 10);
    skri_http_put(c, (c->http.flags & HTTP_CLOSE) != 0 ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n");
    skri_http_put_done(c, from);
}
#endif

void skri_http_send_document(struct skr_conn *c)
{
    if (SKR_OAUTH && c->http.document == HTTP_METADATA) {
        skri_oauth_send_metadata(c);
    } else if (SKR_WEB) {
        send_page(c);
    }
}

#endif
