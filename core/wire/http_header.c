/* http_header.c -- one header line at a time: which matter, and what they decide. */
#include "text/encode.h"
#include "text/plain.h"
#include "wire/http_types.h"

#if SKR_HTTP

void skri_http_refuse(struct skr_conn *c, enum skr_fault fault)
{
    if (c->http.refuse == SKR_NO_FAULT) {
        c->http.refuse = (uint8_t)fault;
    }
}

void skri_http_break(struct skr_conn *c, enum skr_fault fault)
{
    skri_http_refuse(c, fault);
    c->http.flags |= HTTP_CLOSE;
    c->http.left = 0;
}

/* ---- Values ---- */

static struct skr_span trim(struct skr_span s)
{
    while (s.n > 0 && (s.p[0] == ' ' || s.p[0] == '\t')) {
        s = skri_span_from(s, 1);
    }
    while (s.n > 0 && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t')) {
        s.n--;
    }
    return s;
}

/* The next element of a comma-separated list, without its parameters. */
static bool next_element(struct skr_span *rest, struct skr_span *element)
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
    *element = trim(whole);
    *rest = skri_span_from(*rest, comma != NULL ? n + 1 : n);
    return true;
}

/* Keeps a value at the front of the buffer. A second one is noted by `twice`; so is one
 * with bytes that no header may have (HDR-06), which are not repeated to anyone. */
static void keep(struct skr_conn *c, struct skr_span *slot, struct skr_span value, bool *twice)
{
    struct skr_http *h = &c->http;
    if (slot->p != NULL) {
        *twice = true;
        return;
    }
    char *kept = c->in + h->keep;
    memmove(kept, value.p, value.n);
    for (size_t i = skri_plain_run(kept, value.n); i < value.n; i++) {
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
    while (next_element(&value, &type)) {
        bool any = skri_span_eq(type, SPAN("*/*"));
        if (any || skri_span_eq_nocase(type, SPAN("application/json")) || skri_span_eq(type, SPAN("application/*"))) {
            c->http.flags |= HTTP_ACCEPTS_JSON;
        }
        if (any || skri_span_eq_nocase(type, SPAN("text/event-stream")) || skri_span_eq(type, SPAN("text/*"))) {
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
    while (next_element(&value, &token)) {
        if (skri_span_eq_nocase(token, SPAN("close"))) {
            c->http.flags |= HTTP_CLOSE;
        } else if (skri_span_eq_nocase(token, SPAN("keep-alive")) && (c->http.flags & HTTP_OLD) != 0) {
            c->http.flags &= (uint16_t)~HTTP_CLOSE;
        }
    }
}

/* ---- Origin and Host: who may ask (ORG-01 to ORG-04) ---- */

static bool is_port(struct skr_span s)
{
    if (s.n < 2 || s.n > 6 || s.p[0] != ':') {
        return s.n == 0;
    }
    for (size_t i = 1; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9') {
            return false;
        }
    }
    return true;
}

static bool host_is(struct skr_span authority, const char *name)
{
    struct skr_span wanted = skri_span_of(name), host = {authority.p, wanted.n};
    return authority.n >= wanted.n && skri_span_eq_nocase(host, wanted) && is_port(skri_span_from(authority, wanted.n));
}

static bool host_allowed(const struct skr_http_config *config, struct skr_span authority)
{
    static const char *const loopback[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; config->loopback && i < 3; i++) {
        if (host_is(authority, loopback[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < config->host_count; i++) {
        if (host_is(authority, config->hosts[i])) {
            return true;
        }
    }
    return false;
}

/* How many bytes at the front are four numbers with dots between; 0: it is something else. */
static size_t dotted_length(struct skr_span s)
{
    unsigned numbers = 0, digits = 0;
    size_t i = 0;
    for (; i < s.n && (s.p[i] == '.' || (s.p[i] >= '0' && s.p[i] <= '9')); i++) {
        bool digit = s.p[i] != '.';
        if (digit ? digits == 3 : digits == 0) {
            return 0;
        }
        numbers += !digit;
        digits = digit ? digits + 1 : 0;
    }
    return numbers == 3 && digits > 0 ? i : 0;
}

/* The same of brackets with an IPv6 address in them: that is what no name can be, whatever its figures are. */
static size_t bracket_length(struct skr_span s)
{
    size_t i = 1;
    for (; i < s.n && s.p[i] != ']'; i++) {
        char c = skri_lower(s.p[i]);
        if (c != ':' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'f')) {
            return 0;
        }
    }
    return i > 2 && i < s.n ? i + 1 : 0;
}

/* Who asks by an address was not led here by a name that was bent to point here: that is all that Host can tell. */
static bool is_address(struct skr_span authority)
{
    size_t n = authority.n > 0 && authority.p[0] == '[' ? bracket_length(authority) : dotted_length(authority);
    return n > 0 && is_port(skri_span_from(authority, n));
}

static void tell_refused(const struct skr_conn *c, const char *header, struct skr_span value)
{
    if (c->srv->http.refused != NULL) {
        c->srv->http.refused(c, header, value);
    }
}

static void check_host(struct skr_conn *c, struct skr_span authority)
{
    if (!is_address(authority) && !host_allowed(&c->srv->http, authority)) {
        skri_http_refuse(c, SKR_HTTP_HOST);
        tell_refused(c, "Host", authority);
    }
}

static void on_host(struct skr_conn *c, struct skr_span value)
{
    if ((c->http.flags & HTTP_HAS_HOST) != 0) {
        skri_http_break(c, SKR_HTTP_TWO_HOSTS);
    }
    check_host(c, value);
    c->http.flags |= HTTP_HAS_HOST;
}

/* What stands behind http:// or https://; nowhere when nothing does. */
static struct skr_span behind_scheme(struct skr_span uri)
{
    static const struct skr_span schemes[] = {{"http://", 7}, {"https://", 8}};
    struct skr_span rest = {NULL, 0};
    for (unsigned i = 0; i < 2; i++) {
        struct skr_span start = {uri.p, schemes[i].n};
        if (uri.n > start.n && skri_span_eq_nocase(start, schemes[i])) {
            rest = skri_span_from(uri, start.n);
        }
    }
    return rest;
}

static void on_origin(struct skr_conn *c, struct skr_span value)
{
    struct skr_span authority = behind_scheme(value);
    if (authority.p == NULL || !host_allowed(&c->srv->http, authority)) {
        c->http.refuse = SKR_HTTP_ORIGIN; /* before any other reason */
        tell_refused(c, "Origin", value);
    }
}

/* ---- The request line ---- */

static enum http_method method_of(struct skr_span word)
{
    if (skri_span_eq(word, SPAN("POST"))) {
        return HTTP_POST;
    }
    if (skri_span_eq(word, SPAN("GET"))) {
        return HTTP_GET;
    }
    if (skri_span_eq(word, SPAN("DELETE"))) {
        return HTTP_DELETE;
    }
    return skri_span_eq(word, SPAN("HEAD")) ? HTTP_HEAD : HTTP_OTHER;
}

void skri_http_request_line(struct skr_conn *c, struct skr_span line)
{
    struct skr_http *h = &c->http;
    const char *first = memchr(line.p, ' ', line.n), *end = line.p + line.n;
    const char *second = first != NULL ? memchr(first + 1, ' ', (size_t)(end - first - 1)) : NULL;
    if (second == NULL) {
        skri_http_break(c, SKR_HTTP_BAD_REQUEST);
        return;
    }
    struct skr_span method = {line.p, (size_t)(first - line.p)};
    struct skr_span path = {first + 1, (size_t)(second - first - 1)};
    struct skr_span version = {second + 1, (size_t)(end - second - 1)};
    if (skri_span_eq(version, SPAN("HTTP/1.0"))) {
        h->flags |= HTTP_OLD | HTTP_CLOSE;
    } else if (!skri_span_eq(version, SPAN("HTTP/1.1"))) {
        skri_http_break(c, SKR_HTTP_VERSION);
        return;
    }
    h->method = (uint8_t)method_of(method);
    struct skr_span authority = behind_scheme(path);
    if (authority.p != NULL) { /* the whole URI: its host is looked at as Host is */
        const char *slash = memchr(authority.p, '/', authority.n);
        path = skri_span_from(authority, slash != NULL ? (size_t)(slash - authority.p) : authority.n);
        authority.n -= path.n;
        check_host(c, authority);
    }
    if (!skri_span_is(path, c->srv->http.path)) {
        skri_http_refuse(c, SKR_HTTP_PATH);
    }
}

/* ---- The lines ---- */

static void on_protocol(struct skr_conn *c, struct skr_span value)
{
    keep(c, &c->http.headers.protocol, value, &c->http.headers.protocol_twice);
    if (skri_span_eq(value, SPAN("2026-07-28"))) {
        c->http.headers.modern = true;
    }
}

static void on_mcp_method(struct skr_conn *c, struct skr_span value)
{
    keep(c, &c->http.headers.mcp_method, value, &c->http.headers.method_twice);
}

static void on_mcp_name(struct skr_conn *c, struct skr_span value)
{
    keep(c, &c->http.headers.mcp_name, value, &c->http.headers.name_twice);
}

static void on_session(struct skr_conn *c, struct skr_span value)
{
    bool twice; /* the first counts */
    keep(c, &c->http.headers.session, value, &twice);
}

#if SKR_RESUME
/* A decimal number; 0 when there is anything else, or too much. */
static uint32_t number_of(struct skr_span text)
{
    uint32_t value = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9' || i == 9) {
            return 0;
        }
        value = value * 10 + (uint32_t)(text.p[i] - '0');
    }
    return value;
}

/* stream-event, as http_stream.c writes it. */
static void on_last_event(struct skr_conn *c, struct skr_span value)
{
    const char *dash = memchr(value.p, '-', value.n);
    size_t n = dash != NULL ? (size_t)(dash - value.p) : value.n;
    uint32_t event = dash != NULL ? number_of(skri_span_from(value, n + 1)) : 0;
    c->http.last_stream = number_of((struct skr_span){value.p, n});
    c->http.last_event = (uint16_t)(event < UINT16_MAX ? event : UINT16_MAX);
}
#endif

static void on_content_type(struct skr_conn *c, struct skr_span value)
{
    struct skr_span type;
    if (next_element(&value, &type) && skri_span_eq_nocase(type, SPAN("application/json"))) {
        c->http.flags |= HTTP_IS_JSON;
    }
}

static void on_encoding(struct skr_conn *c, struct skr_span value)
{
    if (!skri_span_eq_nocase(value, SPAN("chunked")) || (c->http.flags & HTTP_CHUNKED) != 0) {
        skri_http_break(c, SKR_HTTP_ENCODING);
    }
    c->http.flags |= HTTP_CHUNKED;
}

static void on_expect(struct skr_conn *c, struct skr_span value)
{
    if (skri_span_eq_nocase(value, SPAN("100-continue"))) {
        c->http.flags |= HTTP_EXPECTS;
    } else {
        skri_http_refuse(c, SKR_HTTP_EXPECT);
    }
}

#if SKR_PARAMS
/* Which tool it is for is not known yet, so all are kept for which there is a place. */
static void on_param(struct skr_conn *c, struct skr_span name, struct skr_span value)
{
    struct skr_headers *h = &c->http.headers;
    if (h->param_count < SKR_PARAMS) {
        struct skr_http_param *param = &h->params[h->param_count++];
        param->name.p = param->value.p = NULL;
        keep(c, &param->name, name, &h->name_twice);
        keep(c, &param->value, value, &h->name_twice);
    }
}
#endif

/* A name of token characters only, and a value without NUL or a bare CR: in anything else another reader might see
 * another header (also in a folded line, no longer HTTP). */
static bool name_is_sound(struct skr_span name)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i], small = (char)(c | 0x20);
        bool plain = (small >= 'a' && small <= 'z') || c == '-';
        if (!plain && (c == '\0' || strchr("0123456789!#$%&'*+.^_`|~", c) == NULL)) {
            return false;
        }
    }
    return name.n > 0;
}

static bool value_is_sound(struct skr_span value)
{
    return memchr(value.p, '\0', value.n) == NULL && memchr(value.p, '\r', value.n) == NULL;
}

struct header {
    struct skr_span name; /* as it is mostly spelled */
    void (*handle)(struct skr_conn *c, struct skr_span value);
};

/* NULL: nothing here depends on it. */
static const struct header *find_header(struct skr_span name)
{
    static const struct header known[] = {
        /* by length, and the last longer than any */
        {{"Host", 4}, on_host},
        {{"Accept", 6}, on_accept},
        {{"Expect", 6}, on_expect},
        {{"Origin", 6}, on_origin},
        {{"Mcp-Name", 8}, on_mcp_name},
        {{"Connection", 10}, on_connection},
        {{"Mcp-Method", 10}, on_mcp_method},
        {{"Content-Type", 12}, on_content_type},
#if SKR_RESUME
        {{"Last-Event-ID", 13}, on_last_event},
#endif
        {{"Content-Length", 14}, on_length},
        {{"Mcp-Session-Id", 14}, on_session},
        {{"Transfer-Encoding", 17}, on_encoding},
        {{"Mcp-Protocol-Version", 20}, on_protocol},
        {{"", SIZE_MAX}, NULL},
    };
    const struct header *h = known;
    while (h->name.n < name.n) {
        h++;
    }
    for (; h->name.n == name.n; h++) {
        if (skri_span_eq_nocase(name, h->name)) {
            return h;
        }
    }
    return NULL;
}

void skri_http_header_line(struct skr_conn *c, struct skr_span line)
{
    const char *colon = memchr(line.p, ':', line.n);
    struct skr_span name = {line.p, colon != NULL ? (size_t)(colon - line.p) : 0};
    struct skr_span value = skri_span_from(line, colon != NULL ? name.n + 1 : 0);
    const struct header *known = find_header(name);
    if (!value_is_sound(value) || (known == NULL && !name_is_sound(name))) { /* a known name is sound */
        skri_http_break(c, SKR_HTTP_BAD_HEADER);
    } else if (known != NULL) {
        known->handle(c, trim(value));
#if SKR_PARAMS
    } else if (skri_span_eq_nocase((struct skr_span){name.p, name.n < 10 ? name.n : 10}, SPAN("mcp-param-"))) {
        on_param(c, skri_span_from(name, 10), trim(value));
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
    bool modern_delete = h->method == HTTP_DELETE && h->headers.modern; /* HTTP-12 */
    bool get = h->method == HTTP_GET && (skri_http_has_get(c) || skri_http_comes_back(c));
    if ((h->method != HTTP_POST && h->method != HTTP_DELETE && !get) || modern_delete) {
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
