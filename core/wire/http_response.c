/* http_response.c -- the head of an HTTP response, and its body: JSON or SSE. */
#include "mcp/session.h"
#include "subscription/notify.h"
#include "text/assert.h"
#include "text/number.h"
#include "wire/http_types.h"
#include "wire/spans.h"

#if SKR_HTTP

static const struct skr_framing framing_json = {{"", 0}, {"", 0}};

static const char *status_text(uint16_t status)
{
    switch (status) {
    case 200: return "200 OK";
    case 202: return "202 Accepted";
    case 400: return "400 Bad Request";
    case 401: return "401 Unauthorized";
    case 403: return "403 Forbidden";
    case 404: return "404 Not Found";
    case 405: return "405 Method Not Allowed";
    case 406: return "406 Not Acceptable";
    case 408: return "408 Request Timeout";
    case 413: return "413 Content Too Large";
    case 415: return "415 Unsupported Media Type";
    case 417: return "417 Expectation Failed";
    case 431: return "431 Request Header Fields Too Large";
    case 501: return "501 Not Implemented";
    case 503: return "503 Service Unavailable\r\nRetry-After: 5";
    case 505: return "505 HTTP Version Not Supported";
    default: return "500 Internal Server Error";
    }
}

/* ---- The head is written into the scratch buffer, in front of the body ---- */

static void put_head_bytes(struct skr_conn *c, const char *bytes, size_t n)
{
    SKR_ASSERT(n <=
               sizeof c->scratch - c->tx.scratch_used); /* the longest head has 230 bytes, and 256 more with a URL */
    memcpy(c->scratch + c->tx.scratch_used, bytes, n);
    c->tx.scratch_used += (uint32_t)n;
}

void skri_http_put(struct skr_conn *c, const char *text)
{
    put_head_bytes(c, text, strlen(text));
}

void skri_http_put_number(struct skr_conn *c, uint32_t value, unsigned base)
{
    char digits[SKR_NUMBER_DIGITS], *end = digits + sizeof digits;
    size_t n = skr_number_text(value, base, end);

    put_head_bytes(c, end - n, n);
}

static void put_session(struct skr_conn *c)
{
    if (c->http.session_new != 0) {
        skri_http_put(c, "\r\nMcp-Session-Id: ");
        SKR_ASSERT(c->http.session_new <= SKR_SESSIONS && sizeof c->scratch - c->tx.scratch_used >= 32);
        skri_session_text(c, c->http.session_new, c->scratch + c->tx.scratch_used);
        c->tx.scratch_used += 32;
    }
}

static void put_span(struct skr_conn *c, const char *bytes, size_t n)
{
    SKR_ASSERT(c->tx.count < SKR_TX_SPANS);
    c->tx.spans[c->tx.count++] = (struct skr_span){bytes, n};
}

/* Hands the bytes put since `from` over to be sent before the response. */
void skri_http_put_done(struct skr_conn *c, uint32_t from)
{
    c->responding = true;
    if (c->tx.scratch_used == from) {
        return;
    }
    c->http.head_waits = true;
    put_span(c, c->scratch + from, c->tx.scratch_used - from);
}

/* Puts the end of a head. */
static void put_head_end(struct skr_conn *c)
{
    skri_http_put(c, (c->http.flags & HTTP_CLOSE) != 0 ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n");
}

void skri_http_put_length(struct skr_conn *c, uint32_t length)
{
    skri_http_put(c, "\r\nContent-Length: ");
    skri_http_put_number(c, length, 10);
    put_head_end(c);
}

static void put_head(struct skr_conn *c, uint16_t status, const char *type, uint32_t length)
{
    skri_http_put(c, "HTTP/1.1 ");
    skri_http_put(c, status_text(status));
    skri_http_put(c, type);
    if (SKR_AUTH) {
        skri_http_put_challenge(c);
    }
    put_session(c);
    skri_http_put_length(c, length);
}

static void send_head(struct skr_conn *c, uint16_t status, const char *type, uint32_t length)
{
    uint32_t from = c->tx.scratch_used;

    put_head(c, status, type, length);
    skri_http_put_done(c, from);
}

#define SSE_TYPE "\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no"

/* A stream ends with its connection: nothing else is requested on it, so no chunks are needed to mark its end. */
void skri_http_put_stream_head(struct skr_conn *c)
{
    skri_http_put(c, "HTTP/1.1 200 OK" SSE_TYPE "\r\nConnection: close\r\n\r\n");
}

static bool wants_sse(const struct skr_conn *c)
{
    bool only_sse = (c->http.flags & HTTP_ACCEPTS_SSE) != 0 && (c->http.flags & HTTP_ACCEPTS_JSON) == 0;
    bool prefers = (c->http.flags & HTTP_PREFERS_SSE) != 0;

    return c->response.envelope.stream || ((only_sse || prefers) && c->response.envelope.status == 200);
}

static bool render_nothing(struct skr_response *a)
{
    (void)a;
    return false;
}

#define HEAD_ROOM 256                               /* of almost every head */
#define MADE_WHOLE (SKR_TX_SCRATCH > 4 * HEAD_ROOM) /* else a response hardly ever fits */

/* The head says how long the body is, so the body is made first, after the room for the head. False when one of them
 * does not fit, or the body is damaged: then it is to be made twice, the first time to count its bytes. */
static bool send_whole(struct skr_conn *c, const char *type)
{
    struct skr_response *a = &c->response;
    uint32_t from = c->tx.scratch_used, length = 0;
    uint8_t first = c->tx.count;

    if (first == SKR_TX_SPANS || sizeof c->scratch - from < HEAD_ROOM) {
        return false;
    }
    skri_response_rewind(a);
    c->tx.scratch_used += HEAD_ROOM;
    c->tx.spans[c->tx.count++] = (struct skr_span){c->scratch + c->tx.scratch_used, 0}; /* the body may join it there */
    skri_spans_make(c);
    uint32_t end = c->tx.scratch_used;
    c->tx.scratch_used = from;
    if (c->tx.count == SKR_TX_SPANS || sizeof c->scratch - end < SKR_RESPONSE_ROOM || a->damaged) {
        c->tx.count = first;
        return false;
    }
    for (unsigned i = first; i < c->tx.count; i++) {
        length += (uint32_t)c->tx.spans[i].n;
    }
    put_head(c, a->envelope.status, type, length);
    struct skr_span *span = &c->tx.spans[first];
    size_t n = c->tx.scratch_used - from;
    if (n > HEAD_ROOM) { /* a challenge with a long URL: the head is where the body was */
        c->tx.scratch_used = from;
        c->tx.count = first;
        return false;
    }
    span->p -= n;
    span->n += n;
    memmove(c->scratch + from + HEAD_ROOM - n, c->scratch + from, n);
    c->tx.scratch_used = end;
    c->responding = true;
    return true;
}

void skri_http_send_response(struct skr_conn *c)
{
    struct skr_response *a = &c->response;
    bool sse = wants_sse(c);

#if SKR_AUTH
    a->envelope.guarded = c->http.who != NULL;
#endif
    if (a->envelope.stream && c->http.headers.only_json) {
        if (SKR_CHANGES) {
            skri_notify_close(c); /* should it be one that stays open */
        }
        skri_rpc_refuse(c, a->envelope.id, SKR_STREAM_ONLY);
        sse = false;
    }
    a->framing = sse ? &skri_framing_sse : &framing_json;
    if (SKR_CHANGES && a->envelope.open) {
        uint32_t from = c->tx.scratch_used;
        skri_http_put_stream_head(c);
        skri_http_put_done(c, from);
        return;
    }
    const char *type = sse ? SSE_TYPE : "\r\nContent-Type: application/json";
    if (MADE_WHOLE && c->http.method != HTTP_HEAD && send_whole(c, type)) {
        return;
    }
    send_head(c, a->envelope.status, type, skri_response_length(a));
    if (c->http.method == HTTP_HEAD) {
        a->render = render_nothing; /* the head of it is the whole response */
    }
}

static const char *allow_header(const struct skr_conn *c)
{
    if (c->http.document != HTTP_NO_DOCUMENT) {
        return "\r\nAllow: GET, HEAD";
    }
    if (!skri_http_has_delete(c)) {
        return "\r\nAllow: POST";
    }
    return skri_http_has_get(c) ? "\r\nAllow: POST, GET, DELETE" : "\r\nAllow: POST, DELETE";
}

void skri_http_send_status(struct skr_conn *c, uint16_t status)
{
    skri_response_result(&c->response, NULL);
    c->response.render = render_nothing;
    c->response.damaged = false;
#if SKR_REQUEST_LOG
    c->response.envelope.status = status;
    c->response.envelope.error = SKR_NO_ERROR;
    c->response.outcome.failed = false;
#if SKR_JOBS
    c->response.envelope.code = 0;
#endif
#endif
    send_head(c, status, status == 405 ? allow_header(c) : "", 0);
}

void skri_http_send_nothing(struct skr_conn *c)
{
    skri_rpc_begin(c);
    skri_response_result(&c->response, NULL);
    c->response.render = render_nothing;
    c->responding = true;
}

void skri_http_send_stream(struct skr_conn *c)
{
    uint32_t from = c->tx.scratch_used;

    skri_http_send_nothing(c);
    skri_http_put_stream_head(c);
    skri_http_put_done(c, from);
}

void skri_http_send_error(struct skr_conn *c, enum skr_rpc_error error)
{
    if (skri_error_row(error)->message == NULL) {
        skri_http_send_status(c, skri_error_status(error, false));
        return;
    }
    skri_rpc_refuse(c, NOTHING, error);
    skri_http_send_response(c);
}

void skri_http_send_continue(struct skr_conn *c)
{
    static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";

    put_span(c, text, sizeof text - 1);
}

/* ---- Batches ---- */

static const struct skr_framing framing_first = {{"[", 1}, {"", 0}};
static const struct skr_framing framing_more = {{",", 1}, {"", 0}};
static const struct skr_framing framing_last = {{"", 0}, {"\r\n0\r\n\r\n", 7}};

/* HTTP/1.0 has no chunks: there the end of the connection ends the responses. */
static bool is_chunked(const struct skr_conn *c)
{
    return (c->http.flags & HTTP_OLD) == 0;
}

static void put_batch_head(struct skr_conn *c)
{
    skri_http_put(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json");
    if (is_chunked(c)) {
        skri_http_put(c, "\r\nTransfer-Encoding: chunked");
    } else {
        c->http.flags |= HTTP_CLOSE;
    }
    put_head_end(c);
}

void skri_http_send_batch_part(struct skr_conn *c, bool first)
{
    uint32_t from = c->tx.scratch_used;

    c->response.framing = first ? &framing_first : &framing_more;
    if (first) {
        put_batch_head(c);
    }
    if (is_chunked(c)) {
        skri_http_put(c, first ? "" : "\r\n"); /* the end of the chunk before */
        skri_http_put_number(c, skri_response_length(&c->response), 16);
        skri_http_put(c, "\r\n");
    }
    skri_http_put_done(c, from);
}

void skri_http_send_batch_end(struct skr_conn *c, bool has_responses)
{
    uint32_t from = c->tx.scratch_used;

    if (!has_responses) {
        skri_http_send_status(c, 202);
        return;
    }
    c->response.framing = is_chunked(c) ? &framing_last : &framing_json;
    skri_http_put(c, is_chunked(c) ? "\r\n1\r\n" : ""); /* a chunk of one byte: the bracket */
    skri_http_put_done(c, from);
}

#endif
