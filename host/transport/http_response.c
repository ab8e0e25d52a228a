/* http_response.c -- responses of an HTTP server: their headers, and the messages in their bodies. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "http.h"
#include "json_edit.h"
#include "text/json.h"

/* ---- Headers ---- */

static bool text_starts(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

static void end_header(struct transport_exchange *p)
{
    p->field[p->field_n] = p->value[p->value_n] = '\0';
    if (strcasecmp(p->field, "Content-Type") == 0) {
        p->json = text_starts(p->value, "application/json");
        p->events = text_starts(p->value, "text/event-stream");
    } else if (strcasecmp(p->field, "Mcp-Session-Id") == 0) {
        memcpy(p->session, p->value, sizeof p->session);
    }
    p->field_n = p->value_n = 0;
    p->in_value = false;
}

/* A name or value that does not fit loses its end: no header that is needed is that long. */
static void text_add(char *to, size_t room, size_t *n, const char *at, size_t length)
{
    size_t left = room - 1 - *n;

    length = length < left ? length : left;
    memcpy(to + *n, at, length);
    *n += length;
}

static int on_field(http_parser *parser, const char *at, size_t n)
{
    struct transport_exchange *p = parser->data;

    if (p->in_value) {
        end_header(p);
    }
    text_add(p->field, sizeof p->field, &p->field_n, at, n);
    return 0;
}

static int on_value(http_parser *parser, const char *at, size_t n)
{
    struct transport_exchange *p = parser->data;

    p->in_value = true;
    text_add(p->value, sizeof p->value, &p->value_n, at, n);
    return 0;
}

static int on_headers(http_parser *parser)
{
    end_header(parser->data);
    return 0;
}

/* The body is never longer than the bytes it came in. */
static int on_body(http_parser *parser, const char *at, size_t n)
{
    struct transport_exchange *p = parser->data;

    memcpy(p->got + p->got_n, at, n);
    p->got_n += n;
    return 0;
}

/* A server must not send more before the next request, so bytes that follow are an error. */
static int on_complete(http_parser *parser)
{
    struct transport_exchange *p = parser->data;

    if (parser->status_code >= 200) {
        p->complete = true;
        http_parser_pause(parser, 1);
    }
    return 0;
}

void transport_exchange_expect(struct transport_exchange *p)
{
    http_parser_init(&p->parser, HTTP_RESPONSE);
    p->parser.data = p;
    p->field_n = p->value_n = p->got_at = p->got_n = p->name_n = 0;
    p->in_value = p->json = p->events = p->complete = p->responded = p->has_data = p->after_cr = false;
    p->session[0] = '\0';
    p->part = TRANSPORT_EVENT_NAME;
}

bool transport_exchange_take(struct transport_exchange *p, const char *bytes, size_t n)
{
    static const http_parser_settings settings = {.on_header_field = on_field,
                                                  .on_header_value = on_value,
                                                  .on_headers_complete = on_headers,
                                                  .on_body = on_body,
                                                  .on_message_complete = on_complete};

    p->got_at = p->got_n = 0;
    size_t took = http_parser_execute(&p->parser, &settings, bytes, n);
    return p->complete ? took + 1 >= n : took == n && HTTP_PARSER_ERRNO(&p->parser) == HPE_OK;
}

/* ---- Messages ---- */

/* Reads a message before it is passed on: is it the response, and does it begin a session? */
static void inspect_message(struct transport_http *h, struct transport_exchange *p)
{
    struct skr_span message = {h->base.in, h->base.in_n};

    if (h->base.in_lost || message.n == 0 || skr_json_check(message.p, message.n) != SKR_JSON_OK) {
        return;
    }
    struct skr_span id = skr_scan_get(message, "id"), result = skr_scan_get(message, "result");
    bool ours = skr_scan_get(message, "method").p == NULL && id.n > 0 && id.n == strlen(p->id) &&
                memcmp(id.p, p->id, id.n) == 0;
    p->responded |= ours;
    if (ours && p->first && result.p != NULL) {
        struct skr_span version = skr_scan_inside(skr_scan_get(result, "protocolVersion"));
        memcpy(h->session, p->session, sizeof h->session);
        (void)snprintf(h->version, sizeof h->version, "%.*s", (int)version.n, version.n > 0 ? version.p : "");
        h->owes_initialized = true;
    }
}

static void end_message(struct transport_http *h, struct transport_exchange *p)
{
    h->reader = NULL;
    inspect_message(h, p);
    h->base.stream = transport_exchange_id(p);
    transport_end_message(&h->base);
    h->base.stream = (struct skr_span){NULL, 0};
}

void transport_exchange_end_json(struct transport_http *h, struct transport_exchange *p)
{
    inspect_message(h, p);
    if (p->responded || h->base.in_lost) {
        h->reader = NULL;
        transport_end_message(&h->base);
    }
}

static void body_put(struct transport_http *h, struct transport_exchange *p, const char *bytes, size_t n)
{
    h->reader = p;
    transport_put(&h->base, bytes, n);
}

/* A line of a stream of events has ended. */
static void end_line(struct transport_http *h, struct transport_exchange *p)
{
    bool empty = p->part == TRANSPORT_EVENT_NAME && p->name_n == 0;

    p->part = TRANSPORT_EVENT_NAME;
    p->name_n = 0;
    if (empty && p->has_data) {
        p->has_data = false;
        end_message(h, p);
    }
}

static void begin_value(struct transport_http *h, struct transport_exchange *p)
{
    bool data = p->name_n == 4 && memcmp(p->name, "data", 4) == 0;

    p->part = data ? TRANSPORT_EVENT_SPACE : TRANSPORT_EVENT_OTHER;
    if (data && p->has_data) {
        body_put(h, p, "\n", 1);
    }
    p->has_data |= data;
}

static void take_event_byte(struct transport_http *h, struct transport_exchange *p, char c)
{
    bool second = c == '\n' && p->after_cr;

    p->after_cr = c == '\r';
    if (second) {
        return;
    }
    if (c == '\n' || c == '\r') {
        end_line(h, p);
    } else if (p->part == TRANSPORT_EVENT_NAME && c == ':') {
        begin_value(h, p);
    } else if (p->part == TRANSPORT_EVENT_NAME) {
        p->name[p->name_n < sizeof p->name - 1 ? p->name_n++ : p->name_n] = c;
    } else if (p->part == TRANSPORT_EVENT_SPACE && c == ' ') {
        p->part = TRANSPORT_EVENT_DATA;
    } else if (p->part != TRANSPORT_EVENT_OTHER) {
        p->part = TRANSPORT_EVENT_DATA;
        body_put(h, p, &c, 1);
    }
}

/* Takes the rest of a value in one piece, as most of a large response arrives. */
static void take_events(struct transport_http *h, struct transport_exchange *p)
{
    const char *from = p->got + p->got_at;
    size_t left = p->got_n - p->got_at, n = 0;

    while (p->part == TRANSPORT_EVENT_DATA && n < left && from[n] != '\n' && from[n] != '\r') {
        n++;
    }
    if (n > 0) {
        body_put(h, p, from, n);
        p->got_at += n;
    } else {
        p->got_at++;
        take_event_byte(h, p, *from);
    }
}

bool transport_exchange_pass_on(struct transport_http *h, struct transport_exchange *p)
{
    while (p->got_at < p->got_n && (h->reader == NULL || h->reader == p) && h->base.in != NULL) {
        if (p->events) {
            take_events(h, p);
        } else if (p->json) {
            body_put(h, p, p->got + p->got_at, p->got_n - p->got_at);
            p->got_at = p->got_n;
        } else {
            p->got_at = p->got_n; /* text for users, of a server that is not MCP */
        }
    }
    return p->complete && p->got_at == p->got_n;
}
