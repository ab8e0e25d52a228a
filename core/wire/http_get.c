/* http_get.c -- the responses to GET and HEAD on other paths than MCP's: documents that are the same for everybody.
 *
 * They need no token, and pass the checks of Host and Origin like any request. http_request.c has their paths. */
#include "response/backend.h"
#include "response/lease.h"
#include "response/response.h"
#include "wire/http_types.h"
#include "wire/page.h"

#if HTTP_HAS_DOCUMENTS

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

/* The page for people. It is stored compressed, and its head was also written when it was made
 * (core/wire/page/mkpage.c). */
static void send_page(struct skr_conn *c)
{
    uint32_t from = c->tx.scratch_used;

    if ((c->http.flags & HTTP_ACCEPTS_GZIP) == 0) {
        skri_http_send_error(c, SKR_HTTP_GZIP);
        return;
    }
    skri_http_send_nothing(c);
    c->response.render = c->http.method == HTTP_HEAD ? render_head : render_page;
    skri_http_put(c, "HTTP/1.1 200 OK");
    skri_http_put(c, (c->http.flags & HTTP_CLOSE) != 0 ? "\r\nConnection: close" : "");
    skri_http_put_done(c, from);
}

static bool render_text(struct skr_response *a)
{
    bool more = a->step++ == 0;

    if (more) {
        skri_push(a, SKR_RAW, a->subject);
    }
    return more;
}

static void send_text(struct skr_conn *c, const char *status, const char *type, struct skr_span text)
{
    uint32_t from = c->tx.scratch_used;

    if (c->http.method != HTTP_HEAD) {
        c->response.render = render_text;
        c->response.subject = text;
    }
    skri_http_put(c, status);
    skri_http_put(c, "\r\nContent-Type: ");
    skri_http_put(c, type);
    skri_http_put_length(c, (uint32_t)text.n);
    skri_http_put_done(c, from);
}

/* The text stays in conn->output until it has been sent: the next one may differ. */
static void send_of_backend(struct skr_conn *c)
{
    const struct skr_document *document = &c->srv->backend->documents[c->http.document - HTTP_OF_BACKEND];

    skri_http_send_nothing(c);
    char *to = skri_lease(c, SKR_DOCUMENT_TEXT);
    size_t n = 0;
    bool good = document->write(to, sizeof c->output, &n);
    send_text(c, good ? "HTTP/1.1 200 OK" : "HTTP/1.1 503 Service Unavailable", document->type,
              (struct skr_span){to, n});
}

#if SKR_OAUTH
void skri_oauth_send_metadata(struct skr_conn *c)
{
    skri_http_send_nothing(c);
    send_text(c, "HTTP/1.1 200 OK", "application/json", c->srv->http.authority->metadata);
}
#endif

void skri_http_send_document(struct skr_conn *c)
{
    if (SKR_DOCUMENTS && c->http.document >= HTTP_OF_BACKEND) {
        send_of_backend(c);
    } else if (SKR_OAUTH && c->http.document == HTTP_METADATA) {
        skri_oauth_send_metadata(c);
    } else if (SKR_WEB) {
        send_page(c);
    }
}

#endif
