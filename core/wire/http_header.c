/* http_header.c -- one header line at a time: which matter, and what they decide. */
#include "text/encode.h"
#include "text/number.h"
#include "text/plain.h"
#include "wire/http_types.h"

#if SKR_HTTP

/* ---- Values ---- */

static struct skr_span trim_spaces(struct skr_span s)
{
    const char *p = s.p, *end = s.p + s.n;

    while (p < end && (*p == ' ' || *p == '\t')) {
        p++;
    }
    while (end > p && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    return (struct skr_span){p, (size_t)(end - p)};
}

/* The next element of a comma-separated list, without its parameters. */
static bool next_of_list(struct skr_span *rest, struct skr_span *element)
{
    if (rest->n == 0) {
        return false;
    }
    const char *comma = memchr(rest->p, ',', rest->n);
    size_t n = comma != NULL ? (size_t)(comma - rest->p) : rest->n;
    struct skr_span whole = {rest->p, n};
    const char *parameters = memchr(whole.p, ';', whole.n);
    if (parameters != NULL) {
        whole.n = (size_t)(parameters - whole.p);
    }
    *element = trim_spaces(whole);
    *rest = skr_span_from(*rest, comma != NULL ? n + 1 : n);
    return true;
}

/* Keeps a value at the front of the buffer. Sets *twice when there is one already, and for bytes that no header may
 * have (HDR-06), which are replaced, so that they are not repeated to anyone. */
static void keep_header(struct skr_conn *c, struct skr_span *slot, struct skr_span value, bool *twice)
{
    struct skr_http *h = &c->http;

    if (slot->p != NULL) {
        *twice = true;
        return;
    }
    char *kept = c->in + h->keep;
    memmove(kept, value.p, value.n);
    for (size_t i = skr_plain_run(kept, value.n); i < value.n; i++) {
        unsigned char byte = (unsigned char)kept[i];
        if ((byte < 0x20 || byte > 0x7E) && byte != '\t') {
            kept[i] = '?';
            *twice = true;
        }
    }
    slot->p = kept;
    slot->n = value.n;
    h->keep += (uint32_t)value.n;
}

static void on_length(struct skr_conn *c, struct skr_span value)
{
    struct skr_http *h = &c->http;
    uint32_t length = 0;
    bool bad = value.n == 0, large = false;

    for (size_t i = 0; !bad && i < value.n; i++) {
        bad = value.p[i] < '0' || value.p[i] > '9';
        large |= length > 99999999; /* nine digits are far beyond any buffer; more would wrap */
        length = length * 10 + (uint32_t)(value.p[i] - '0');
    }
    if (bad || large || ((h->flags & HTTP_HAS_LENGTH) != 0 && h->left != length)) {
        skri_http_break(c, bad || !large ? SKR_HTTP_BAD_LENGTH : SKR_HTTP_BODY_LARGE);
        return;
    }
    h->flags |= HTTP_HAS_LENGTH;
    h->left = length;
}

static void on_accept(struct skr_conn *c, struct skr_span value)
{
    struct skr_span type;

    c->http.flags |= HTTP_HAS_ACCEPT;
    while (next_of_list(&value, &type)) {
        bool any = skr_span_eq(type, SPAN("*/*"));
        if (any || skr_span_eq_nocase(type, SPAN("application/json")) || skr_span_eq(type, SPAN("application/*"))) {
            c->http.flags |= HTTP_ACCEPTS_JSON;
        }
        if (any || skr_span_eq_nocase(type, SPAN("text/event-stream")) || skr_span_eq(type, SPAN("text/*"))) {
            c->http.flags |= HTTP_ACCEPTS_SSE;
            if ((c->http.flags & HTTP_ACCEPTS_JSON) == 0) {
                c->http.flags |= HTTP_PREFERS_SSE;
            }
        }
    }
}

static void on_connection(struct skr_conn *c, struct skr_span value)
{
    struct skr_span token;

    while (next_of_list(&value, &token)) {
        if (skr_span_eq_nocase(token, SPAN("close"))) {
            c->http.flags |= HTTP_CLOSE;
        } else if (skr_span_eq_nocase(token, SPAN("keep-alive")) && (c->http.flags & HTTP_OLD) != 0) {
            c->http.flags &= (uint16_t)~HTTP_CLOSE;
        }
    }
}

/* ---- The lines ---- */

static void on_protocol(struct skr_conn *c, struct skr_span value)
{
    keep_header(c, &c->http.headers.protocol, value, &c->http.headers.protocol_twice);
    if (skr_span_eq(value, SPAN("2026-07-28"))) {
        c->http.headers.modern = true;
    }
}

static void on_mcp_method(struct skr_conn *c, struct skr_span value)
{
    keep_header(c, &c->http.headers.mcp_method, value, &c->http.headers.method_twice);
}

static void on_mcp_name(struct skr_conn *c, struct skr_span value)
{
    keep_header(c, &c->http.headers.mcp_name, value, &c->http.headers.name_twice);
}

static void on_session(struct skr_conn *c, struct skr_span value)
{
    bool twice; /* the first counts */

    keep_header(c, &c->http.headers.session, value, &twice);
}

/* stream-event, as http_stream.c writes it. Behind no number of an event, all events of the stream follow. */
static void on_last_event(struct skr_conn *c, struct skr_span value)
{
    uint32_t stream, event;

    if (!skr_number_read(&value, &stream) || (value.n > 0 && *value.p != '-')) {
        return;
    }
    value = skr_span_from(value, value.n > 0 ? 1 : 0);
    bool read = skr_number_read(&value, &event) && value.n == 0;
    c->http.last_stream = stream;
    c->http.last_event = (uint16_t)(!read ? 0 : event < UINT16_MAX ? event : UINT16_MAX);
}

static void on_content_type(struct skr_conn *c, struct skr_span value)
{
    struct skr_span type;

    if (next_of_list(&value, &type) && skr_span_eq_nocase(type, SPAN("application/json"))) {
        c->http.flags |= HTTP_IS_JSON;
    }
}

static void on_encoding(struct skr_conn *c, struct skr_span value)
{
    if ((c->http.flags & HTTP_OLD) != 0) { /* has no chunks: another reader would look for the end elsewhere */
        skri_http_break(c, SKR_HTTP_BAD_HEADER);
    } else if (!skr_span_eq_nocase(value, SPAN("chunked")) || (c->http.flags & HTTP_CHUNKED) != 0) {
        skri_http_break(c, SKR_HTTP_ENCODING);
    }
    c->http.flags |= HTTP_CHUNKED;
}

/* Only gzip itself counts: a client that does not name it might show what it gets to a person. Responses to POST are
 * never compressed. */
static void on_accept_encoding(struct skr_conn *c, struct skr_span value)
{
    struct skr_span coding;

    while (c->http.method != HTTP_POST && next_of_list(&value, &coding)) {
        if (skr_span_eq_nocase(coding, SPAN("gzip"))) {
            c->http.flags |= HTTP_ACCEPTS_GZIP;
        }
    }
}

static void on_expect(struct skr_conn *c, struct skr_span value)
{
    if (skr_span_eq_nocase(value, SPAN("100-continue"))) {
        c->http.flags |= HTTP_EXPECTS;
    } else {
        skri_http_refuse(c, SKR_HTTP_EXPECT);
    }
}

#if SKR_PARAMS
/* The tool is not known yet, so as many are kept as there are slots for. */
static void on_param(struct skr_conn *c, struct skr_span name, struct skr_span value)
{
    struct skr_headers *h = &c->http.headers;

    if (h->param_count < SKR_PARAMS) {
        struct skr_http_param *param = &h->params[h->param_count++];
        param->name.p = param->value.p = NULL;
        keep_header(c, &param->name, name, &h->name_twice);
        keep_header(c, &param->value, value, &h->name_twice);
    }
}
#endif

/* Token characters only: in anything else, also in a folded line, which is no longer HTTP, another reader might see a
 * different header. A line with a NUL does not come here. */
static bool name_is_sound(struct skr_span name)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i], small = (char)(c | 0x20);
        bool plain = (small >= 'a' && small <= 'z') || c == '-';
        if (!plain && strchr("0123456789!#$%&'*+.^_`|~", c) == NULL) {
            return false;
        }
    }
    return name.n > 0;
}

typedef void header_handler(struct skr_conn *c, struct skr_span value);

/* NULL for a header on which nothing here depends. */
static header_handler *header_handler_of(struct skr_span name)
{
#define IS(header) skr_span_eq_nocase(name, SPAN(header))
    switch (name.n) {
    case 4: return IS("Host") ? skri_http_host : NULL;
    case 6: return IS("Accept") ? on_accept : IS("Origin") ? skri_http_origin : IS("Expect") ? on_expect : NULL;
    case 8: return IS("Mcp-Name") ? on_mcp_name : NULL;
    case 10: return IS("Connection") ? on_connection : IS("Mcp-Method") ? on_mcp_method : NULL;
    case 12: return IS("Content-Type") ? on_content_type : NULL;
    case 13:
        return SKR_AUTH && IS("Authorization")     ? skri_http_authorization
               : SKR_RESUME && IS("Last-Event-ID") ? on_last_event
                                                   : NULL;
    case 14: return IS("Content-Length") ? on_length : IS("Mcp-Session-Id") ? on_session : NULL;
    case 15: return SKR_WEB && IS("Accept-Encoding") ? on_accept_encoding : NULL;
    case 17: return IS("Transfer-Encoding") ? on_encoding : NULL;
    case 20: return IS("Mcp-Protocol-Version") ? on_protocol : NULL;
    default: return NULL;
    }
#undef IS
}

/* Others say the same with every request of a client. */
static bool is_about_one_message(header_handler *handle)
{
    return handle == on_length || handle == on_mcp_method || handle == on_mcp_name ||
           (SKR_AUTH && handle == skri_http_authorization);
}

void skri_http_header_line(struct skr_conn *c, struct skr_span line)
{
    const char *colon = memchr(line.p, ':', line.n);
    struct skr_span name = {line.p, colon != NULL ? (size_t)(colon - line.p) : 0};
    struct skr_span value = skr_span_from(line, colon != NULL ? name.n + 1 : 0);
    header_handler *handle = header_handler_of(name);

    if (SKR_HTTP_SAME && is_about_one_message(handle)) {
        skri_http_remember_head(c, line);
    }
    if (c->http.odd_line || (handle == NULL && !name_is_sound(name))) { /* a known name is sound */
        skri_http_break(c, SKR_HTTP_BAD_HEADER);
    } else if (handle != NULL) {
        value = trim_spaces(value);
        handle(c, value);
#if SKR_PARAMS
    } else if (skr_span_eq_nocase((struct skr_span){name.p, name.n < 10 ? name.n : 10}, SPAN("mcp-param-"))) {
        if (SKR_HTTP_SAME) {
            skri_http_remember_head(c, line); /* this header is also about one message */
        }
        on_param(c, skr_span_from(name, 10), trim_spaces(value));
#endif
    }
}

void skri_http_check_headers(struct skr_conn *c)
{
    struct skr_http *h = &c->http;

    if ((h->flags & HTTP_CHUNKED) != 0 && (h->flags & HTTP_HAS_LENGTH) != 0) {
        skri_http_break(c, SKR_HTTP_TWO_LENGTHS); /* two readers would disagree */
    }
    if ((h->flags & (HTTP_HAS_HOST | HTTP_OLD)) == 0) {
        skri_http_refuse(c, SKR_HTTP_NO_HOST);
    }
    if (h->document != HTTP_NO_DOCUMENT) { /* the same for all, and no secret: it needs no token */
        if (h->method != HTTP_GET && h->method != HTTP_HEAD) {
            skri_http_refuse(c, SKR_HTTP_METHOD);
        }
        return;
    }
    if (SKR_AUTH) {
        skri_http_check_token(c);
    }
    bool end = h->method == HTTP_DELETE && skri_http_has_delete(c);
    bool get = h->method == HTTP_GET && (skri_http_has_get(c) || skri_http_comes_back(c));
    if (h->method != HTTP_POST && !end && !get) {
        skri_http_refuse(c, SKR_HTTP_METHOD);
    }
    if (h->method == HTTP_POST && (h->flags & HTTP_IS_JSON) == 0) {
        skri_http_refuse(c, SKR_HTTP_TYPE);
    }
    h->headers.only_json = (h->flags & HTTP_HAS_ACCEPT) != 0 && (h->flags & HTTP_ACCEPTS_SSE) == 0;
    if (h->headers.only_json && (h->flags & HTTP_ACCEPTS_JSON) == 0 && h->method == HTTP_POST) {
        skri_http_refuse(c, SKR_HTTP_ACCEPT);
    }
}

#endif
