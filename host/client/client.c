/* client.c -- see client.h. The loop around one transport, and the messages on it. */
#include "client.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../transport/tcp.h"
#include "client_devices.h"
#include "console.h"
#include "json_edit.h"
#include "system.h"
#include "text/json.h"

typedef char a_reply_fits_a_message[CLIENT_REPLY == TRANSPORT_SMALL ? 1 : -1];

static char buffers[2][TRANSPORT_LARGE]; /* one has the last response while the other receives */

/* ---- Messages ---- */

static void clear_progress(struct client *c)
{
    if (c->progress) {
        (void)host_write_all(STDERR_FILENO, "\r\033[K", 4);
        c->progress = false;
    }
}

static void show_progress(struct client *c, struct skr_span params)
{
    struct skr_span done = skr_scan_get(params, "progress"), total = skr_scan_get(params, "total");
    struct skr_span message = skr_scan_get(params, "message");
    char line[96];

    if (done.p == NULL || c->quiet || !isatty(STDERR_FILENO)) {
        return;
    }
    clear_progress(c);
    int n = snprintf(line, sizeof line, "%.*s%s%.*s ", (int)(done.n < 24 ? done.n : 24), done.p,
                     total.p != NULL ? " of " : "", (int)(total.n < 24 ? total.n : 24), total.p != NULL ? total.p : "");
    (void)host_write_all(STDERR_FILENO, line, (size_t)n);
    if (message.p != NULL && message.n < 80) {
        client_print_string(STDERR_FILENO, message);
    }
    c->progress = true;
}

/* Prepares the response to a client request; request_turn sends it. */
static void on_client_request(struct client *c, struct skr_span method, struct skr_span params, struct skr_span id)
{
    static char result[CLIENT_REPLY - 256];
    bool supported = (c->interactive || c->confirms) && skr_scan_is(method, "elicitation/create");

    clear_progress(c);
    bool accepted = supported && client_elicit(c, params, result, sizeof result);
    int n =
        snprintf(c->reply, sizeof c->reply, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,%s%s}", (int)(id.n < 64 ? id.n : 0), id.p,
                 !supported ? "\"error\":{\"code\":-32601,\"message\":\"This client does not have this method\"}"
                 : accepted ? "\"result\":"
                            : "\"result\":{\"action\":\"cancel\"}",
                 accepted ? result : "");
    c->reply_n = n > 0 && (size_t)n < sizeof c->reply ? (size_t)n : 0;
}

static bool is_pending(const struct client *c, struct skr_span id)
{
    return c->pending && skr_span_is(id, c->id);
}

static void on_message(void *owner, size_t n)
{
    struct client *c = owner;
    struct skr_span message = {c->transport->in, n};

    if (n == 0 || skr_json_check(message.p, n) != SKR_JSON_OK) {
        return;
    }
    message.n = host_json_compact(c->transport->in, message);
    struct skr_span id = skr_scan_get(message, "id"), method = skr_scan_get(message, "method");
    struct skr_span params = skr_scan_get(message, "params");
    if (method.p != NULL && id.p != NULL) {
        on_client_request(c, method, params, id);
    } else if (method.p != NULL) {
        if (skr_scan_is(method, "notifications/progress")) {
            show_progress(c, params);
        }
    } else if (is_pending(c, id)) {
        c->pending = false;
        c->response = message;
        c->receiver = !c->receiver;
        c->transport->in = buffers[c->receiver];
        clear_progress(c);
    }
}

static void on_up(void *owner)
{
    struct client *c = owner;

    c->initialized = false;
}

static void on_down(void *owner)
{
    struct client *c = owner;

    c->interrupted = c->pending;
    c->initialized = false;
}

static void on_fate(void *owner, struct skr_span id, enum transport_fate fate)
{
    struct client *c = owner;

    if (is_pending(c, id)) {
        c->interrupted |= fate == TRANSPORT_FATE_UNKNOWN;
        c->again |= fate != TRANSPORT_FATE_UNKNOWN;
        c->no_session |= fate == TRANSPORT_FATE_NO_SESSION;
    }
}

/* ---- Connections ---- */

static void client_attach(struct client *c, struct transport *t)
{
    c->transport = t;
    c->pending = c->initialized = false;
    t->owner = c;
    t->quiet = true;
    t->hasty = true;
    t->on_up = on_up;
    t->on_down = on_down;
    t->on_message = on_message;
    t->on_fate = on_fate;
    t->in = buffers[0];
    t->in_size = sizeof buffers[0];
}

void client_use(struct client *c, struct transport_devices *devices)
{
    devices->alone = true;
    c->wait_ms = devices->wait_ms;
    c->response_ms = devices->response_ms;
    c->quiet |= host_console.quiet;
    client_attach(c, transport_devices_open(devices, 0));
}

bool client_select_device(struct client *c, const char *device)
{
    static struct transport_devices devices;

    transport_devices_init(&devices);
    if (!transport_devices_add(&devices, device) || !transport_devices_check(&devices) ||
        !transport_devices_check_ports(&devices)) {
        return false;
    }
    devices.wait_ms = c->wait_ms;
    devices.response_ms = c->response_ms;
    client_use(c, &devices);
    return true;
}

void client_select_program(struct client *c, const char *name, int fd)
{
    static struct transport_tcp program;

    memset(&program, 0, sizeof program);
    program.base.path = program.base.label = name;
    transport_tcp_init_stream(&program, fd);
    client_attach(c, &program.base);
}

void client_close(struct client *c)
{
    transport_end(c->transport);
}

/* ---- One request ---- */

static void request_turn(struct client *c)
{
    transport_wait(c->transport, c->signals, TRANSPORT_TURN_MS);
    if (c->signals >= 0 && c->stopped == 0) {
        c->stopped = host_signals_next(c->signals);
    }
    if (c->reply_n > 0 && c->stopped == 0 && transport_can_send(c->transport)) {
        transport_send_text(c->transport, (struct skr_span){c->reply, c->reply_n});
        c->reply_n = 0;
    }
}

/* Waits until the transport can send. */
static bool wait_until_up(struct client *c)
{
    uint64_t since_ms = host_clock_ms();

    do {
        request_turn(c);
        if (c->transport->refused || c->stopped != 0) {
            return false; /* the transport has reported the reason */
        }
        /* A server on a network that has been probed may be a bridge that is about to report its missing device. */
        bool probed = c->transport->state == TRANSPORT_PROBING && !c->transport->steady;
        if (host_waited(host_clock_ms(), since_ms, c->wait_ms + (probed ? TRANSPORT_PROBE_MS : 0))) {
            host_log("%s: %s", c->transport->path, transport_remedy(c->transport));
            return false;
        }
    } while (!transport_can_send(c->transport) || c->reply_n > 0);
    return true;
}

/* Cancels the request; otherwise the device stays busy with it. */
static void request_cancel(struct client *c, const char *method)
{
    uint64_t since_ms = host_clock_ms();

    c->pending = false;
    c->reply_n = 0;
    clear_progress(c);
    while (!transport_cancel(c->transport, c->id) && !host_waited(host_clock_ms(), since_ms, TRANSPORT_LEAVE_MS)) {
        transport_wait(c->transport, -1, TRANSPORT_TURN_MS);
    }
    bool received = transport_flush(c->transport, TRANSPORT_LEAVE_MS);
    host_log("%s: %s %s", c->transport->path, method,
             received ? "cancelled" : "could not be cancelled: the device does not respond; it may still be running");
}

/* Sends the request once. If true, c->pending, c->again and c->interrupted are its outcome. */
static bool request_send(struct client *c, const char *method, const char *params, bool repeatable)
{
    char start[160];

    (void)snprintf(c->id, sizeof c->id, "\"c%u\"", ++c->last_id);
    int n =
        snprintf(start, sizeof start, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":", c->id, method);
    c->pending = true;
    c->interrupted = c->again = c->no_session = false;
    uint64_t since_ms = host_clock_ms();
    transport_send(c->transport, (struct skr_span){start, (size_t)n}, skr_span_of(params), (struct skr_span){"}", 1});
    while (c->pending && !c->interrupted && !c->again) {
        request_turn(c);
        uint64_t heard_ms = c->transport->heard_ms > since_ms ? c->transport->heard_ms : since_ms;
        if (host_waited(host_clock_ms(), heard_ms, c->response_ms)) {
            host_log("%s: no response to %s within %u ms; the device may have executed it; for a slower tool use "
                     "--response-timeout",
                     c->transport->path, method, (unsigned)c->response_ms);
            if (!repeatable) {
                request_cancel(c, method);
            }
            return false;
        }
        if (c->stopped != 0 && c->pending) {
            request_cancel(c, method);
            return false;
        }
    }
    return true;
}

/* Sends the request until it has a response, or until initialize has to be sent first: then it is still pending. */
static bool request_repeat(struct client *c, const char *method, const char *params, bool repeatable)
{
    for (unsigned tries = 0; tries < TRANSPORT_TRIES; tries++) {
        if (!wait_until_up(c) || !request_send(c, method, params, repeatable)) {
            return false;
        }
        if (!c->pending) {
            return true;
        }
        if (c->interrupted && !repeatable) {
            host_log("%s: the connection broke during %s; the device may have executed it", c->transport->path, method);
            return false;
        }
        if (!c->initialized || c->no_session) {
            return true;
        }
    }
    host_log("%s: the connection broke each time", c->transport->path);
    return false;
}

/* ---- Requests ---- */

static bool start_session(struct client *c)
{
    char params[256];

    (void)snprintf(params, sizeof params,
                   "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{%s},\"clientInfo\":{\"name\":\"%s\","
                   "\"version\":\"" SKR_VERSION "\"}}",
                   c->interactive ? "\"elicitation\":{\"form\":{},\"url\":{}}"
                   : c->confirms  ? "\"elicitation\":{\"form\":{}}"
                                  : "",
                   c->name);
    for (unsigned tries = 0; !c->initialized && tries < TRANSPORT_TRIES; tries++) {
        if (!request_repeat(c, "initialize", params, true)) {
            return false;
        }
        c->initialized = !c->pending;
        if (c->initialized && !c->transport->headed && wait_until_up(c)) { /* over HTTP the transport does it */
            transport_send_text(c->transport,
                                skr_span_of("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"));
        }
    }
    if (!c->initialized) {
        host_log("%s: the device does not keep its session; restart it", c->transport->path);
    }
    return c->initialized;
}

bool client_request(struct client *c, const char *method, const char *params, bool repeatable)
{
    for (unsigned tries = 0; tries < TRANSPORT_TRIES; tries++) {
        if (!start_session(c) || !request_repeat(c, method, params, repeatable)) {
            return false;
        }
        if (!c->pending) {
            return true;
        }
        c->initialized &= !c->no_session;
    }
    host_log("%s: the device does not keep its session; restart it", c->transport->path);
    return false;
}

/* Writes one line whose end, the message, comes from the device. */
static void log_error(const struct client *c, const char *method, struct skr_span message)
{
    char start[512];
    int n = snprintf(start, sizeof start, "%s: %.300s: %s refused: ", host_log_name(), c->transport->path, method);

    (void)host_write_all(STDERR_FILENO, start, n < (int)sizeof start ? (size_t)n : sizeof start - 1);
    client_print_string(STDERR_FILENO, message);
    (void)host_write_all(STDERR_FILENO, "\n", 1);
}

static bool take_result(struct client *c, const char *method, struct skr_span *result)
{
    struct skr_span error = skr_scan_get(c->response, "error");

    *result = skr_scan_get(c->response, "result");
    if (c->optional && host_json_int(skr_scan_get(error, "code")) == -32601) {
        *result = SPAN("{}");
    }
    if (result->p == NULL) {
        log_error(c, method, skr_scan_get(error, "message"));
    }
    return result->p != NULL;
}

bool client_initialize(struct client *c, struct skr_span *result)
{
    return start_session(c) && take_result(c, "initialize", result);
}

bool client_get(struct client *c, const char *method, const char *params, bool repeatable, struct skr_span *result)
{
    return client_request(c, method, params, repeatable) && take_result(c, method, result);
}
