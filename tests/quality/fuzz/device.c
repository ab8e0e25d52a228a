/* device.c -- see device.h. The serial ports are real but for the port itself: serial_text.c separates messages from logs. tcp.c and http*.c
 * are real but for their connections: the linker's --wrap replaces the functions of connection.c. */
#define _GNU_SOURCE
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../wire/hostile/judge.h"
#include "http.h"
#include "serial.h"
#include "tcp.h"

#define SAID_MAX 65536 /* that waits to be read; a device that sends more at a time loses it */
#define DIALS TRANSPORT_CONNECTIONS

struct given device_given;
unsigned device_calls;

static struct transport_serial serial[DEVICES];
static struct transport_tcp lines;
static struct transport_http http;

static struct {
    enum device_kind kind;
    bool responds; /* the first question is still to be answered */
    uint8_t pace;
    unsigned last; /* the connection that was last written to */
} device;

/* A connection to the device: what it has said, and what it has received since the last whole message. */
static struct connection {
    const struct transport_connection *dial; /* NULL: not open */
    bool over;
    char *said, *heard;
    size_t said_n, heard_n, heard_room;
} connections[DIALS];

static void must(bool holds, const char *what, const char *bytes, size_t n)
{
    if (!holds) {
        fprintf(stderr, "bridge: it does not hold that %s\n%.*s\n", what, (int)(n < 4000 ? n : 4000), bytes);
        abort();
    }
}

/* ---- What the bridge says ---- */

static void hear(const char *message, size_t n)
{
    must(n > 0 && message[0] == '{' && judge_json(message, n) && memchr(message, '\n', n) == NULL,
         "a message to the device is JSON on one line", message, n);
    given_learn(&device_given, message, n);
    device_calls += memmem(message, n, "\"method\":\"tools/call\"", 21) != NULL;
}

/* The length of the first whole request of HTTP in it; 0: it is not whole. *head: of its head. */
static size_t request_length(const char *text, size_t n, size_t *head)
{
    const char *end = memmem(text, n, "\r\n\r\n", 4), *length = NULL;

    if (end == NULL) {
        return 0;
    }
    *head = (size_t)(end - text) + 4;
    must(strncmp(text, "POST /mcp HTTP/1.1\r\n", 20) == 0, "a request is a POST", text, n);
    for (const char *line = text + 20; line < end + 2;) {
        const char *stop = memmem(line, (size_t)(text + *head - line), "\r\n", 2),
                   *colon = memchr(line, ':', (size_t)(stop - line));
        must(colon != NULL && colon > line && colon[1] == ' ', "a header has a name and a value", text, n);
        for (const char *c = line; c < stop; c++) {
            must((unsigned char)*c >= ' ' && *c != 0x7F, "a header has no control characters", text, n);
        }
        if (strncmp(line, "Content-Length: ", 16) == 0) {
            must(length == NULL, "one header says how long the body is", text, n);
            length = line + 16;
        }
        line = stop + 2;
    }
    must(length != NULL, "a header says how long the body is", text, n);
    size_t all = *head + strtoul(length, NULL, 10);
    return all <= n ? all : 0;
}

static void respond_first(unsigned where)
{
    static const char result[] =
        "{\"jsonrpc\":\"2.0\",\"id\":\"probe\",\"result\":{\"supportedVersions\":[\"2026-07-28\"],"
        "\"capabilities\":{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true}}}}\n";

    device.responds = false;
    device_sends(0, where, RESPONSE_JSON, result, sizeof result - 1);
}

/* Whole messages in what a connection has received. */
static void hear_all(struct connection *c)
{
    size_t n = 0, head = 0;

    for (;; c->heard_n -= n, memmove(c->heard, c->heard + n, c->heard_n)) {
        if (device.kind == DEVICE_HTTP) {
            n = request_length(c->heard, c->heard_n, &head);
        } else {
            const char *end = memchr(c->heard, '\n', c->heard_n);
            n = end != NULL ? (size_t)(end - c->heard) + 1 : 0;
        }
        if (n == 0) {
            return;
        }
        hear(c->heard + head, n - head - (device.kind != DEVICE_HTTP));
        if (device.responds) {
            respond_first((unsigned)(c - connections));
        }
    }
}

/* ---- Connections (connection.h) ---- */

static struct connection *connection_of(const struct transport_connection *d)
{
    for (size_t i = 0; i < DIALS; i++) {
        if (connections[i].dial == d) {
            return &connections[i];
        }
    }
    return NULL;
}

void __wrap_transport_connection_open(struct transport_connection *d, const struct transport_target *t, uint64_t now_ms)
{
    struct connection *c = connection_of(NULL);

    (void)t;
    must(d->fd < 0 && c != NULL && connection_of(d) == NULL, "a connection is closed before it is opened again", "", 0);
    c->dial = d;
    c->over = false;
    c->said_n = c->heard_n = 0;
    d->fd = (int)(c - connections);
    d->ready = d->connected = true;
    d->error = 0;
    d->since_ms = now_ms;
}

bool __wrap_transport_connection_turn(struct transport_connection *d, const struct transport_target *t, uint64_t now_ms)
{
    (void)t;
    (void)now_ms;
    return d->fd >= 0;
}

static size_t at_once(size_t n)
{
    return device.pace > 0 && device.pace < n ? device.pace : n;
}

ssize_t __wrap_transport_connection_read(struct transport_connection *d, void *to, size_t room)
{
    struct connection *c = connection_of(d);

    must(d->fd >= 0 && c != NULL, "only an open connection is read", "", 0);
    size_t n = at_once(c->said_n < room ? c->said_n : room);
    if (n == 0) {
        return c->over ? -1 : 0;
    }
    memcpy(to, c->said, n);
    c->said_n -= n;
    memmove(c->said, c->said + n, c->said_n);
    return (ssize_t)n;
}

ssize_t __wrap_transport_connection_write(struct transport_connection *d, const void *from, size_t n)
{
    struct connection *c = connection_of(d);

    must(d->fd >= 0 && c != NULL, "only an open connection is written to", "", 0);
    if (c->over) {
        return -1;
    }
    n = at_once(n);
    if (c->heard_n + n > c->heard_room) {
        c->heard_room = 2 * (c->heard_n + n);
        c->heard = realloc(c->heard, c->heard_room);
    }
    memcpy(c->heard + c->heard_n, from, n);
    c->heard_n += n;
    device.last = (unsigned)(c - connections);
    hear_all(c);
    return (ssize_t)n;
}

void __wrap_transport_connection_close(struct transport_connection *d)
{
    struct connection *c = d->fd >= 0 ? connection_of(d) : NULL;

    if (c != NULL) {
        c->dial = NULL;
    }
    d->fd = -1;
    d->ready = d->connected = false;
}

const char *__wrap_transport_target_resolve(struct transport_target *t)
{
    (void)t;
    return NULL;
}

/* ---- Serial ports (serial.h) ---- */

static void serial_turn(struct transport *w, uint64_t now_ms)
{
    (void)w;
    (void)now_ms;
}

static bool serial_can_send(const struct transport *w)
{
    (void)w;
    return true;
}

static void serial_send(struct transport *w, const struct skr_span parts[3])
{
    static char text[TRANSPORT_TEXT];
    size_t n = 0;

    (void)w;
    for (int i = 0; i < 3; i++) {
        must(n + parts[i].n <= sizeof text, "a message has the length that transports have room for", parts[i].p,
             parts[i].n);
        memcpy(text + n, parts[i].p, parts[i].n);
        n += parts[i].n;
    }
    hear(text, n);
}

static void serial_end_line(struct transport *w)
{
    (void)w;
}

static bool serial_has_taken_all(const struct transport *w)
{
    (void)w;
    return true;
}

static uint32_t serial_wait_ms(const struct transport *w, uint64_t now_ms)
{
    (void)w;
    (void)now_ms;
    return 1000;
}

static void serial_down_and_up(struct transport_serial *c)
{
    enum transport_state state = c->base.state;

    c->base.state = TRANSPORT_CLOSED;
    transport_serial_text_reset(c);
    c->base.on_down(c->base.owner);
    c->base.state = state;
    c->base.on_up(c->base.owner);
}

static void serial_restart(struct transport *w)
{
    serial_down_and_up((struct transport_serial *)(void *)w);
}

static const struct transport_ops serial_kind = {.turn = serial_turn,
                                                 .can_send = serial_can_send,
                                                 .send = serial_send,
                                                 .end_line = serial_end_line,
                                                 .has_taken_all = serial_has_taken_all,
                                                 .wait_ms = serial_wait_ms,
                                                 .restart = serial_restart};

/* ---- What the device says ---- */

static void serial_prints(struct transport_serial *c, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n && c->base.in != NULL; i++) {
        if (device.kind == DEVICE_PLAIN) {
            transport_serial_text(c, (uint8_t)bytes[i]);
        } else {
            transport_serial_payload(c, (uint8_t)bytes[i]);
        }
    }
}

static void put(struct connection *c, const char *bytes, size_t n)
{
    n = n < SAID_MAX - c->said_n ? n : SAID_MAX - c->said_n;
    memcpy(c->said + c->said_n, bytes, n);
    c->said_n += n;
}

static void put_text(struct connection *c, const char *format, unsigned long number)
{
    char text[256];

    put(c, text, (size_t)snprintf(text, sizeof text, format, number));
}

static void put_http(struct connection *c, enum device_response how, const char *bytes, size_t n)
{
    static const unsigned statuses[] = {202, 400, 401, 404, 429, 503, 500, 302};

    switch (how) {
    case RESPONSE_JSON:
        put_text(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %lu\r\n\r\n", n);
        put(c, bytes, n);
        break;
    case RESPONSE_EVENTS:
        put_text(
            c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n%lx\r\ndata: ",
            n + 8);
        put(c, bytes, n);
        put_text(c, "\n\n\r\n", 0);
        break;
    case RESPONSE_STATUS:
        put_text(c, "HTTP/1.1 %lu Status\r\nContent-Type: application/json\r\nMcp-Session-Id: s-1\r\n",
                 statuses[n > 0 ? bytes[0] & 7 : 0]);
        put_text(c, "Content-Length: %lu\r\n\r\n", n);
        put(c, bytes, n);
        break;
    default: put(c, bytes, n); break;
    }
}

void device_sends(unsigned i, unsigned where, enum device_response how, const char *bytes, size_t n)
{
    struct connection *c = &connections[where < DIALS ? where : device.last];

    if (device.kind < DEVICE_LINES) {
        serial_prints(&serial[i], bytes, n);
    } else if (device.kind == DEVICE_LINES) {
        put(&connections[0], bytes, n);
    } else {
        put_http(c, how, bytes, n);
    }
}

void device_goes(unsigned i, unsigned where)
{
    if (device.kind < DEVICE_LINES) {
        serial_down_and_up(&serial[i]);
        return;
    }
    connections[device.kind == DEVICE_LINES ? 0 : where < DIALS ? where : device.last].over = true;
}

void device_pace(uint8_t n)
{
    device.pace = n;
}

/* ---- Start ---- */

struct transport *device_transport(unsigned i)
{
    return device.kind == DEVICE_LINES ? &lines.base : device.kind == DEVICE_HTTP ? &http.base : &serial[i].base;
}

static void start_cable(unsigned i, bool has_identity)
{
    struct transport_serial *c = &serial[i];

    memset(&c->base, 0, sizeof c->base);
    c->log_n = c->line = 0;
    c->base.ops = &serial_kind;
    c->base.most = TRANSPORT_IN_FLIGHT;
    c->base.steady = true;
    c->base.has_identity = has_identity;
    memset(c->base.identity, 3 + (int)i, sizeof c->base.identity);
    c->base.state = device.kind == DEVICE_PLAIN ? TRANSPORT_PLAIN : TRANSPORT_RELIABLE;
}

static void start_posts(void)
{
    TRANSPORT_EACH_EXCHANGE(p, &http)
    {
        p->state = TRANSPORT_EXCHANGE_FREE;
    }
    memset(&http, 0, offsetof(struct transport_http, at));
    http.token = "a-token";
    (void)transport_target_parse(&http.target, "http://127.0.0.1:1/mcp");
    transport_http_init(&http);
}

void device_start(enum device_kind kind, bool responds, bool has_identity)
{
    memset(&device_given, 0, sizeof device_given);
    device_calls = 0;
    device.kind = kind;
    device.responds = responds && kind >= DEVICE_LINES;
    device.pace = 0;
    device.last = 0;
    for (size_t i = 0; i < DIALS; i++) {
        connections[i].dial = NULL;
        connections[i].said = connections[i].said != NULL ? connections[i].said : malloc(SAID_MAX);
    }
    for (unsigned i = 0; i < DEVICES; i++) {
        start_cable(i, has_identity);
    }
    if (kind == DEVICE_LINES) {
        memset(&lines, 0, offsetof(struct transport_tcp, text));
        lines.got_at = lines.got_n = lines.text_at = lines.text_n = 0;
        (void)transport_target_parse(&lines.target, "tcp://127.0.0.1:1");
        transport_tcp_init(&lines);
    } else if (kind == DEVICE_HTTP) {
        start_posts();
    }
    for (unsigned i = 0; i < DEVICES; i++) {
        struct transport *w = device_transport(i);
        w->path = "/dev/ttyS1";
        w->label = "device";
    }
}
