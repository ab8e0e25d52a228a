/* http.c -- MCP Streamable HTTP/1.1: from bytes to one message at a time.
 *
 * Layout of the connection's buffer while a request is read:
 *
 *     0        keep          start            fill
 *     | kept   | chunked body | not yet read   |
 *     | header | gathered     |                |
 *     | values | so far       |                |
 *
 * Header lines are read one by one; of each only a value that some rule needs is
 * moved to the front, so long headers cost no room. A body of known length is
 * handled in place, a chunked one is gathered after the values. */
#include "wire/http.h"

#include "handler/job.h"
#include "mcp/rpc.h"
#include "mcp/session.h"
#include "response/log.h"
#include "subscription/notify.h"
#include "text/plain.h"
#include "wire/batch.h"
#include "wire/buffer.h"
#include "wire/http_types.h"

#if SKR_HTTP

void skr_server_http(struct skr_server *s, const struct skr_http_config *config)
{
    s->http = *config;
    skr_server_seed(s, config->seed);
    skri_session_start(s);
}

/* ---- A complete request ---- */

static void handle_message(struct skr_conn *c, char *text, size_t n)
{
    struct skr_http *h = &c->http;
    bool modern = h->headers.modern, sessions = !c->srv->http.sessionless;

    c->legacy.version = SKR_V_NONE;
    c->srv->session.requests++;
    enum skr_rpc_outcome outcome = skri_rpc_handle(c, text, n);
    if (SKR_EXTRAS && outcome == SKR_RPC_BATCH) {
        skri_batch_start(c, text, n);
        return;
    }
    if (outcome == SKR_RPC_LATER) {
        return; /* the connection waits, and the headers with it */
    }
    if (outcome == SKR_RPC_RESPOND) {
        if (c->legacy.version != SKR_V_NONE && sessions) { /* initialize has agreed on one */
            h->session_new = skri_session_new(c->srv, c->legacy);
        }
        skri_http_send_response(c);
    } else if (outcome == SKR_RPC_RESPONSE && modern) { /* HTTP-09 */
        skri_http_send_error(c, SKR_NOT_ASKED);
    } else if (!modern && sessions && h->headers.session.p != NULL && h->headers.session_slot == 0) { /* SESS-03 */
        skri_http_send_error(c, SKR_SESSION_UNKNOWN);
    } else {
        skri_http_send_status(c, 202);
    }
}

static void end_session(struct skr_conn *c)
{
    struct skr_http *h = &c->http;
    uint16_t session = h->headers.session_slot;

    if (session == 0) {
        skri_http_send_error(c, skri_session_error(h->headers.session));
        return;
    }
    skri_session_end(c->srv, session);
    skri_http_send_status(c, 200);
}

static void on_get(struct skr_conn *c)
{
    if (SKR_RESUME && skri_stream_resume(c)) {
        return;
    }
    if (SKR_CHANGES && skri_http_has_get(c)) {
        skri_http_open_session_stream(c);
        return;
    }
    skri_http_send_error(c, SKR_HTTP_METHOD);
}

static void begin_log(struct skr_conn *c)
{
    static const char *const names[] = {
        [HTTP_OTHER] = "", [HTTP_POST] = "POST", [HTTP_GET] = "GET", [HTTP_DELETE] = "DELETE", [HTTP_HEAD] = "HEAD"};

    skri_log_begin(c, names[c->http.method]);
}

/* The request is complete; its body is text[0..n). */
static void request_complete(struct skr_conn *c, char *text, size_t n)
{
    struct skr_http *h = &c->http;

    begin_log(c);
    c->rx.used = c->rx.start;
    if (h->refuse != SKR_NO_ERROR) {
        skri_http_send_error(c, (enum skr_rpc_error)h->refuse);
        return;
    }
    if (HTTP_HAS_DOCUMENTS && h->document != HTTP_NO_DOCUMENT) {
        skri_http_send_document(c);
        return;
    }
    if (!h->headers.modern && !c->srv->http.sessionless) {
        h->headers.session_slot = skri_session_find(c, h->headers.session);
        c->last_session.slot = h->headers.session_slot;
    }
    if (h->method == HTTP_DELETE) {
        end_session(c);
    } else if (h->method == HTTP_GET) {
        on_get(c);
    } else {
        handle_message(c, text, n);
    }
}

void skri_http_response_sent(struct skr_conn *c)
{
    if ((c->http.flags & HTTP_CLOSE) != 0 || c->response.damaged) {
        c->finished = true;
    }
    memset(&c->http, 0, HTTP_BUT_PARAMS);
    skri_buffer_compact(c, 0);
    c->rx.scanned = 0;
    if (skri_notify_is_stream(c)) {
        c->http.state = HTTP_STREAM;
    }
}

void skri_http_timed_out(struct skr_conn *c, bool idle)
{
    if (idle) {
        c->finished = true;
        return;
    }
    begin_log(c);
    skri_http_break(c, SKR_HTTP_SLOW);
    c->rx.used = c->rx.fill;
    skri_http_send_error(c, SKR_HTTP_SLOW);
}

/* ---- Reading ---- */

/* Where the LF of the line is; NULL: it has not come yet. On the way it notices a NUL, or a CR that ends no line: in a
 * line with either another reader might see something else. */
static const char *find_line_end(struct skr_conn *c)
{
    const char *p = c->in + c->rx.scanned, *end = c->in + c->rx.fill;

    for (; (p += skr_print_run(p, (size_t)(end - p))) < end; p++) {
        if (*p == '\n') {
            return p;
        }
        if (*p == '\r') {
            if (p + 1 == end) {
                break; /* whether an LF follows is not known yet */
            }
            if (p[1] == '\n') {
                return p + 1;
            }
        }
        c->http.odd_line |= *p == '\r' || *p == '\0';
    }
    c->rx.scanned = (uint32_t)(p - c->in);
    return NULL;
}

/* The next line, without its line end. False when it is not complete yet; a line
 * that does not even fit the empty buffer breaks the connection. */
static bool next_line(struct skr_conn *c, struct skr_span *line)
{
    struct skr_http *h = &c->http;
    const char *end = find_line_end(c);

    if (end == NULL) {
        if (c->rx.fill == sizeof c->in) {
            skri_buffer_compact(c, h->keep + h->body);
            if (c->rx.fill == sizeof c->in) {
                skri_http_break(c, SKR_HTTP_LINE_LONG);
                request_complete(c, NULL, 0);
            }
        }
        return false;
    }
    line->p = c->in + c->rx.start;
    line->n = (size_t)(end - line->p);
    h->header_bytes += (uint32_t)line->n + 1;
    c->rx.start = c->rx.scanned = (uint32_t)(end - c->in) + 1;
    if (line->n > 0 && line->p[line->n - 1] == '\r') {
        line->n--;
    }
    if (h->header_bytes > SKR_HTTP_HEADER_MAX) {
        skri_http_break(c, SKR_HTTP_HEADERS_LONG);
    }
    return true;
}

/* True when the request is refused and nothing follows it, so that the rest of it need not come. */
static bool is_broken(const struct skr_conn *c)
{
    return (c->http.flags & HTTP_CLOSE) != 0 && c->http.refuse != SKR_NO_ERROR;
}

static enum http_state on_idle(struct skr_conn *c)
{
    struct skr_span line;

    if (SKR_HTTP_SAME && c->http.header_bytes == 0 && skri_http_same_head(c)) {
        return HTTP_HEADERS;
    }
    if (!next_line(c, &line)) {
        return HTTP_IDLE;
    }
    if (line.n == 0) {
        return HTTP_IDLE; /* a stray line end between requests is allowed */
    }
    skri_http_request_line(c, line);
    return HTTP_HEADERS;
}

/* The headers are over: what kind of body follows? */
static enum http_state start_body(struct skr_conn *c)
{
    struct skr_http *h = &c->http;

    skri_http_check_headers(c);
    if ((h->flags & HTTP_CHUNKED) == 0 && h->left > sizeof c->in - h->keep) {
        skri_http_refuse(c, SKR_HTTP_BODY_LARGE);
    }
    if (h->refuse != SKR_NO_ERROR) {
        if ((h->flags & HTTP_EXPECTS) != 0) {
            skri_http_break(c, (enum skr_rpc_error)h->refuse); /* the client has not sent the body, and need not */
        }
        if ((h->flags & HTTP_CLOSE) == 0 && (h->flags & HTTP_CHUNKED) != 0) {
            return HTTP_CHUNK_SIZE;
        }
        return HTTP_SKIP;
    }
    bool chunked = (h->flags & HTTP_CHUNKED) != 0;
    if ((h->flags & HTTP_EXPECTS) != 0 && (chunked ? c->rx.fill == c->rx.start : c->rx.fill - c->rx.start < h->left)) {
        skri_http_send_continue(c);
    }
    if (chunked) {
        return HTTP_CHUNK_SIZE;
    }
    if (c->rx.start + h->left > sizeof c->in) {
        skri_buffer_compact(c, h->keep);
    }
    return HTTP_BODY;
}

static enum http_state on_headers(struct skr_conn *c)
{
    struct skr_span line;

    while (next_line(c, &line)) {
        if (line.n == 0 || is_broken(c)) {
            return start_body(c);
        }
        skri_http_header_line(c, line);
    }
    return c->responding ? HTTP_IDLE : HTTP_HEADERS;
}

static enum http_state on_body(struct skr_conn *c)
{
    uint32_t n = c->http.left;

    if (c->rx.fill - c->rx.start < n) {
        return HTTP_BODY;
    }
    char *text = c->in + c->rx.start;
    c->rx.start += n;
    request_complete(c, text, n);
    return HTTP_IDLE;
}

static enum http_state on_skip(struct skr_conn *c)
{
    struct skr_http *h = &c->http;
    uint32_t n = c->rx.fill - c->rx.start;

    n = n < h->left ? n : h->left;
    h->left -= n;
    c->rx.start += n;
    if (h->left > 0) {
        c->rx.start = c->rx.fill = c->rx.scanned = h->keep;
        return HTTP_SKIP;
    }
    request_complete(c, NULL, 0);
    return HTTP_IDLE;
}

/* ---- Chunks ---- */

#define CHUNK_LINE_ROOM 32 /* the gathered body leaves this much for the lines between chunks */

/* Hex digits, then nothing but spaces and an extension. */
static bool chunk_size(struct skr_span line, uint32_t *size)
{
    uint32_t value = 0;
    size_t i = 0;

    for (; i < line.n && i < 7; i++) { /* 7 digits: far beyond any buffer */
        char c = skr_lower(line.p[i]);
        bool digit = c >= '0' && c <= '9';
        if (!digit && (c < 'a' || c > 'f')) {
            break;
        }
        value = value << 4 | (uint32_t)(digit ? c - '0' : c - 'a' + 10);
    }
    *size = value;
    bool digits = i > 0;
    while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t')) {
        i++;
    }
    return digits && (i == line.n || line.p[i] == ';');
}

/* The next line between chunks. Unlike a header line it must end in CR LF, or another reader might split the chunks
 * differently. */
static bool next_chunk_line(struct skr_conn *c, struct skr_span *line)
{
    if (!next_line(c, line)) {
        return false;
    }
    if (line->p[line->n] != '\r' || c->http.odd_line) {
        skri_http_break(c, SKR_HTTP_BAD_CHUNK);
    }
    return true;
}

static enum http_state on_chunk_size(struct skr_conn *c)
{
    struct skr_http *h = &c->http;
    struct skr_span line;

    if (!next_chunk_line(c, &line)) {
        return c->responding ? HTTP_IDLE : HTTP_CHUNK_SIZE;
    }
    if (!chunk_size(line, &h->left)) {
        skri_http_break(c, SKR_HTTP_BAD_CHUNK);
    }
    if (is_broken(c)) {
        return HTTP_SKIP;
    }
    h->header_bytes = 0;
    if (h->left + CHUNK_LINE_ROOM > sizeof c->in - h->keep - h->body) {
        skri_http_refuse(c, SKR_HTTP_BODY_LARGE);
    }
    return h->left > 0 ? HTTP_CHUNK_DATA : HTTP_TRAILERS;
}

static enum http_state on_chunk_data(struct skr_conn *c)
{
    struct skr_http *h = &c->http;
    uint32_t n = c->rx.fill - c->rx.start;

    n = n < h->left ? n : h->left;
    if (h->refuse == SKR_NO_ERROR) {
        memmove(c->in + h->keep + h->body, c->in + c->rx.start, n);
        h->body += n;
    }
    h->left -= n;
    c->rx.start += n;
    c->rx.scanned = c->rx.start;
    if (c->rx.start == c->rx.fill) {
        c->rx.start = c->rx.fill = c->rx.scanned = h->keep + h->body;
    }
    return h->left > 0 ? HTTP_CHUNK_DATA : HTTP_CHUNK_END;
}

static enum http_state on_chunk_end(struct skr_conn *c)
{
    struct skr_span line;

    if (!next_chunk_line(c, &line)) {
        return c->responding ? HTTP_IDLE : HTTP_CHUNK_END;
    }
    if (line.n > 0) {
        skri_http_break(c, SKR_HTTP_BAD_CHUNK);
    }
    return is_broken(c) ? HTTP_SKIP : HTTP_CHUNK_SIZE;
}

static enum http_state on_trailers(struct skr_conn *c)
{
    struct skr_span line;

    if (!next_chunk_line(c, &line)) {
        return c->responding ? HTTP_IDLE : HTTP_TRAILERS;
    }
    if (is_broken(c)) {
        return HTTP_SKIP;
    }
    if (line.n > 0) {
        return HTTP_TRAILERS;
    }
    request_complete(c, c->in + c->http.keep, c->http.body);
    return HTTP_IDLE;
}

static enum http_state on_stream(struct skr_conn *c)
{
    c->rx.start = c->rx.fill = c->rx.scanned = 0;
    return HTTP_STREAM;
}

static enum http_state http_step(struct skr_conn *c)
{
    switch ((enum http_state)c->http.state) {
    case HTTP_HEADERS: return on_headers(c);
    case HTTP_BODY: return on_body(c);
    case HTTP_SKIP: return on_skip(c);
    case HTTP_CHUNK_SIZE: return on_chunk_size(c);
    case HTTP_CHUNK_DATA: return on_chunk_data(c);
    case HTTP_CHUNK_END: return on_chunk_end(c);
    case HTTP_TRAILERS: return on_trailers(c);
    case HTTP_STREAM: return on_stream(c);
    default: return on_idle(c);
    }
}

void skri_http_advance(struct skr_conn *c)
{
    if (c->rx.fill == 0) {
        return; /* as after most responses: no state goes on without a byte */
    }
    while (!c->responding && !c->finished && !skri_job_holds(c)) {
        uint8_t state = c->http.state;
        uint32_t start = c->rx.start, fill = c->rx.fill;
        c->http.state = (uint8_t)http_step(c);
        if (c->http.state == state && c->rx.start == start && c->rx.fill == fill) {
            return; /* nothing moved: more bytes are needed */
        }
    }
}

#endif
