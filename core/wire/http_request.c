/* http_request.c -- the request line, Host and Origin: which requests are accepted; and how one is refused. */
#include "response/backend.h"
#include "wire/http_types.h"

#if SKR_HTTP

void skri_http_refuse(struct skr_conn *c, enum skr_rpc_error error)
{
    if (c->http.refuse == SKR_NO_ERROR) {
        c->http.refuse = (uint8_t)error;
    }
}

void skri_http_break(struct skr_conn *c, enum skr_rpc_error error)
{
    skri_http_refuse(c, error);
    c->http.flags |= HTTP_CLOSE;
    c->http.left = 0;
}

/* ---- Origin and Host: where requests may come from (ORG-01 to ORG-04) ---- */

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
    struct skr_span wanted = skr_span_of(name), host = {authority.p, wanted.n};

    return authority.n >= wanted.n && skr_span_eq_nocase(host, wanted) && is_port(skr_span_from(authority, wanted.n));
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

/* Length of the four dotted numbers of an IPv4 address at the front; 0: it is something else. */
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

/* Likewise for an IPv6 address in brackets: no name looks like that, so its digits need no check. */
static size_t bracket_length(struct skr_span s)
{
    size_t i = 1;

    for (; i < s.n && s.p[i] != ']'; i++) {
        char c = skr_lower(s.p[i]);
        if (c != ':' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'f')) {
            return 0;
        }
    }
    return i > 2 && i < s.n ? i + 1 : 0;
}

/* A request for an address was not led here by DNS rebinding: that is all that Host can tell. */
static bool is_address(struct skr_span authority)
{
    size_t n = authority.n > 0 && authority.p[0] == '[' ? bracket_length(authority) : dotted_length(authority);

    return n > 0 && is_port(skr_span_from(authority, n));
}

void skri_http_log_refused(const struct skr_conn *c, const char *header, struct skr_span value)
{
    if (c->srv->http.refused != NULL) {
        c->srv->http.refused(c, header, value);
    }
}

static void check_host(struct skr_conn *c, struct skr_span authority)
{
    if (!is_address(authority) && !host_allowed(&c->srv->http, authority)) {
        skri_http_refuse(c, SKR_HTTP_HOST);
        skri_http_log_refused(c, "Host", authority);
    }
}

void skri_http_host(struct skr_conn *c, struct skr_span value)
{
    if ((c->http.flags & HTTP_HAS_HOST) != 0) {
        skri_http_break(c, SKR_HTTP_TWO_HOSTS);
    }
    check_host(c, value);
    c->http.flags |= HTTP_HAS_HOST;
}

/* The text after http:// or https://; p is NULL if there is none. */
static struct skr_span after_scheme(struct skr_span uri)
{
    static const struct skr_span schemes[] = {{"http://", 7}, {"https://", 8}};
    struct skr_span rest = {NULL, 0};

    for (unsigned i = 0; i < 2; i++) {
        struct skr_span start = {uri.p, schemes[i].n};
        if (uri.n > start.n && skr_span_eq_nocase(start, schemes[i])) {
            rest = skr_span_from(uri, start.n);
        }
    }
    return rest;
}

void skri_http_origin(struct skr_conn *c, struct skr_span value)
{
    struct skr_span authority = after_scheme(value);

    if (authority.p == NULL || !host_allowed(&c->srv->http, authority)) {
        c->http.refuse = SKR_HTTP_ORIGIN; /* overrides any other reason */
        skri_http_log_refused(c, "Origin", value);
    }
}

/* ---- The request line ---- */

static enum http_method method_of(struct skr_span word)
{
    if (skr_span_eq(word, SPAN("POST"))) {
        return HTTP_POST;
    }
    if (skr_span_eq(word, SPAN("GET"))) {
        return HTTP_GET;
    }
    if (skr_span_eq(word, SPAN("DELETE"))) {
        return HTTP_DELETE;
    }
    return skr_span_eq(word, SPAN("HEAD")) ? HTTP_HEAD : HTTP_OTHER;
}

static unsigned document_at(const struct skr_conn *c, struct skr_span path)
{
    const struct skr_document *row = SKR_DOCUMENTS ? c->srv->backend->documents : NULL;

    for (unsigned i = HTTP_OF_BACKEND; row != NULL && row->path != NULL; i++, row++) {
        if (skr_span_is(path, row->path)) {
            return i;
        }
    }
    if (SKR_OAUTH && skri_oauth_is_metadata(c, path)) {
        return HTTP_METADATA;
    }
    return SKR_WEB && skr_span_eq(path, SPAN("/")) ? HTTP_PAGE : HTTP_NO_DOCUMENT;
}

void skri_http_request_line(struct skr_conn *c, struct skr_span line)
{
    struct skr_http *h = &c->http;
    const char *first = memchr(line.p, ' ', line.n), *end = line.p + line.n;
    const char *second = first != NULL ? memchr(first + 1, ' ', (size_t)(end - first - 1)) : NULL;

    if (second == NULL || h->odd_line) {
        skri_http_break(c, SKR_HTTP_BAD_REQUEST);
        return;
    }
    struct skr_span method = {line.p, (size_t)(first - line.p)};
    struct skr_span path = {first + 1, (size_t)(second - first - 1)};
    struct skr_span version = {second + 1, (size_t)(end - second - 1)};
    if (skr_span_eq(version, SPAN("HTTP/1.0"))) {
        h->flags |= HTTP_OLD | HTTP_CLOSE;
    } else if (!skr_span_eq(version, SPAN("HTTP/1.1"))) {
        skri_http_break(c, SKR_HTTP_VERSION);
        return;
    }
    h->method = (uint8_t)method_of(method);
    struct skr_span authority = after_scheme(path);
    if (authority.p != NULL) { /* a whole URI: its host is checked like Host */
        const char *slash = memchr(authority.p, '/', authority.n);
        path = skr_span_from(authority, slash != NULL ? (size_t)(slash - authority.p) : authority.n);
        authority.n -= path.n;
        check_host(c, authority);
    }
    if (!skr_span_is(path, c->srv->http.path != NULL ? c->srv->http.path : "/mcp")) {
        h->document = (uint8_t)document_at(c, path);
        if (h->document == HTTP_NO_DOCUMENT) {
            skri_http_refuse(c, SKR_HTTP_PATH);
        }
    }
}

#endif
