/* caller.c -- see caller.h. The loop around one way, and the messages on it. */
#include "mcp_client.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text/json.h"
#include "clock.h"
#include "console.h"
#include "json_edit.h"
#include "system.h"

#define HELLO                                                                                                          \
    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{\"form\":{},\"url\":{}}},"                 \
    "\"clientInfo\":{\"name\":\"skillrom call\",\"version\":\"" SKR_VERSION "\"}}"

static char buffers[2][BRIDGE_LARGE]; /* one has the last answer while the other receives */

/* ---- Messages ---- */

static void clear_progress(struct mcp_client *c)
{
    if (c->shown) {
        (void)host_write_all(STDERR_FILENO, "\r\033[K", 4);
        c->shown = false;
    }
}

static void show_progress(struct mcp_client *c, struct skr_span params)
{
    struct skr_span done = skr_scan_get(params, "progress"), all = skr_scan_get(params, "total");
    struct skr_span message = skr_scan_get(params, "message");
    char line[96];
    if (done.p == NULL || c->quiet || !isatty(STDERR_FILENO)) {
        return;
    }
    clear_progress(c);
    int n = snprintf(line, sizeof line, "%.*s%s%.*s ", (int)(done.n < 24 ? done.n : 24), done.p,
                     all.p != NULL ? " of " : "", (int)(all.n < 24 ? all.n : 24), all.p != NULL ? all.p : "");
    (void)host_write_all(STDERR_FILENO, line, (size_t)n);
    if (message.p != NULL && message.n < 80) {
        mcp_client_show(STDERR_FILENO, message);
    }
    c->shown = true;
}

static void on_question(struct mcp_client *c, struct skr_span method, struct skr_span params, struct skr_span id)
{
    static char result[BRIDGE_SMALL - 256];
    bool known = skr_scan_is(method, "elicitation/create");
    clear_progress(c);
    bool asked = known && mcp_client_question(params, c->signals, result, sizeof result);
    int n =
        snprintf(c->reply, sizeof c->reply, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,%s%s}", (int)(id.n < 64 ? id.n : 0), id.p,
                 !known  ? "\"error\":{\"code\":-32601,\"message\":\"This client can only be asked for input\"}"
                 : asked ? "\"result\":"
                         : "\"result\":{\"action\":\"cancel\"}",
                 asked ? result : "");
    c->reply_n = n > 0 && (size_t)n < sizeof c->reply ? (size_t)n : 0;
}

static void on_message(void *owner, size_t n)
{
    struct mcp_client *c = owner;
    struct skr_span message = {c->way->in, n};
    if (n == 0 || skr_json_check(message.p, n) != SKR_JSON_OK) {
        return;
    }
    message.n = bridge_json_compact(c->way->in, message);
    struct skr_span id = skr_scan_get(message, "id"), method = skr_scan_get(message, "method");
    struct skr_span params = skr_scan_get(message, "params");
    if (method.p != NULL && id.p != NULL) {
        on_question(c, method, params, id);
    } else if (method.p != NULL) {
        if (skr_scan_is(method, "notifications/progress")) {
            show_progress(c, params);
        }
    } else if (c->waits && id.n == strlen(c->id) && memcmp(id.p, c->id, id.n) == 0) {
        c->waits = false;
        c->answer = message;
        c->place = !c->place;
        c->way->in = buffers[c->place];
        clear_progress(c);
    }
}

static void on_up(void *owner)
{
    struct mcp_client *c = owner;
    c->shaken = false;
}

static void on_down(void *owner)
{
    struct mcp_client *c = owner;
    c->unsure = c->waits;
    c->shaken = false;
}

static void on_fate(void *owner, struct skr_span id, enum bridge_fate fate)
{
    struct mcp_client *c = owner;
    if (c->waits && id.n == strlen(c->id) && memcmp(id.p, c->id, id.n) == 0) {
        c->unsure |= fate == BRIDGE_FATE_UNKNOWN;
        c->again |= fate != BRIDGE_FATE_UNKNOWN;
        c->stranger |= fate == BRIDGE_FATE_STRANGER;
    }
}

static void on_refused(void *owner)
{
    (void)owner;
}

static size_t no_headers(void *owner, struct skr_span message, char *to, size_t room)
{
    (void)owner;
    (void)message;
    (void)to;
    (void)room;
    return 0;
}

static void prepare(struct mcp_client *c)
{
    struct bridge_transport *w = c->way;
    w->owner = c;
    w->hasty = true;
    w->on_up = on_up;
    w->on_down = on_down;
    w->on_message = on_message;
    w->on_fate = on_fate;
    w->on_refused = on_refused;
    w->headers = no_headers;
    w->in = buffers[0];
    w->in_size = sizeof buffers[0];
}

/* ---- The loop ---- */

static void turn(struct mcp_client *c)
{
    if (c->way->owner == NULL) {
        prepare(c);
    }
    bridge_transport_wait(c->way, c->signals, BRIDGE_TURN_MS);
    if (c->signals >= 0 && c->stopped == 0) {
        c->stopped = host_signals_next(c->signals);
    }
    if (c->reply_n > 0 && c->stopped == 0 && bridge_transport_can_send(c->way)) {
        bridge_transport_send(c->way, (struct skr_span){c->reply, c->reply_n}, (struct skr_span){"", 0},
                     (struct skr_span){"", 0});
        c->reply_n = 0;
    }
}

/* Waits until something can be sent. */
static bool wait_for_way(struct mcp_client *c)
{
    uint64_t since_ms = host_clock_ms();
    do {
        turn(c);
        if (c->way->refused || c->stopped != 0) {
            return false; /* the way has said why */
        }
        /* what is on a network and has been asked may be a bridge, which is about to say why its device is missing */
        bool asked = c->way->state == BRIDGE_TRANSPORT_PROBING && !c->way->steady;
        if (bridge_waited(host_clock_ms(), since_ms, c->wait_ms + (asked ? BRIDGE_PROBE_MS : 0))) {
            host_log("%s: %s", c->way->path, bridge_transport_remedy(c->way));
            return false;
        }
    } while (!bridge_transport_can_send(c->way) || c->reply_n > 0);
    return true;
}

/* The device is told that nobody waits for the request any more; otherwise it stays busy with it. */
static void cancel(struct mcp_client *c, const char *method)
{
    uint64_t since_ms = host_clock_ms();
    c->waits = false;
    c->reply_n = 0;
    clear_progress(c);
    while (!bridge_transport_cancel(c->way, c->id) && !bridge_waited(host_clock_ms(), since_ms, BRIDGE_LEAVE_MS)) {
        bridge_transport_wait(c->way, -1, BRIDGE_TURN_MS);
    }
    bool told = bridge_transport_flush(c->way, BRIDGE_LEAVE_MS);
    host_log("%s: %s %s", c->way->path, method,
            told ? "cancelled" : "could not be cancelled: the device does not answer; it may go on");
}

/* Sends a request once. True: its answer is there, or c->again or c->unsure says why not. */
static bool send_once(struct mcp_client *c, const char *method, const char *params, bool repeatable)
{
    char head[160];
    c->last++;
    (void)snprintf(c->id, sizeof c->id, "\"c%u\"", c->last);
    int n = snprintf(head, sizeof head, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":", c->id, method);
    c->waits = true;
    c->unsure = c->again = c->stranger = false;
    uint64_t since_ms = host_clock_ms();
    bridge_transport_send(c->way, (struct skr_span){head, (size_t)n}, (struct skr_span){params, strlen(params)},
                 (struct skr_span){"}", 1});
    while (c->waits && !c->unsure && !c->again) {
        turn(c);
        uint64_t heard_ms = c->way->heard_ms > since_ms ? c->way->heard_ms : since_ms;
        if (bridge_waited(host_clock_ms(), heard_ms, c->answer_ms)) {
            host_log("%s: no answer to %s within %u ms; whether it was done is not known; for a tool that takes longer, "
                    "use --answer-ms",
                    c->way->path, method, (unsigned)c->answer_ms);
            if (!repeatable) {
                cancel(c, method);
            }
            return false;
        }
        if (c->stopped != 0 && c->waits) {
            cancel(c, method);
            return false;
        }
    }
    return true;
}

/* Sends it until it is answered. */
static bool ask(struct mcp_client *c, const char *method, const char *params, bool repeatable)
{
    for (unsigned tries = 0; tries < BRIDGE_TRIES; tries++) {
        if (!wait_for_way(c) || !send_once(c, method, params, repeatable)) {
            return false;
        }
        if (!c->waits) {
            return true;
        }
        if (c->unsure && !repeatable) {
            host_log("%s: the connection broke while %s was under way; whether it was done is not known", c->way->path,
                    method);
            return false;
        }
        if (!c->shaken || c->stranger) {
            return true; /* the caller begins with the handshake */
        }
    }
    host_log("%s: the connection broke each time", c->way->path);
    return false;
}

static bool shake(struct mcp_client *c)
{
    static const char known[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    if (!ask(c, "initialize", HELLO, true)) {
        return false;
    }
    c->shaken = !c->waits;
    if (c->shaken && !c->way->headed && wait_for_way(c)) { /* over HTTP the way does it */
        bridge_transport_send(c->way, (struct skr_span){known, sizeof known - 1}, (struct skr_span){"", 0},
                     (struct skr_span){"", 0});
    }
    return true;
}

/* One line, of which the device has written the end. */
static void say_refused(const struct mcp_client *c, const char *method, struct skr_span message)
{
    char begin[512];
    int n = snprintf(begin, sizeof begin, "%s: %.300s: %s refused: ", host_log_name(), c->way->path, method);

    (void)host_write_all(STDERR_FILENO, begin, n < (int)sizeof begin ? (size_t)n : sizeof begin - 1);
    mcp_client_show(STDERR_FILENO, message);
    (void)host_write_all(STDERR_FILENO, "\n", 1);
}

bool mcp_client_ask(struct mcp_client *c, const char *method, const char *params, bool repeatable,
                    struct skr_span *result)
{
    bool first = strcmp(method, "initialize") == 0;
    for (unsigned tries = 0; tries < BRIDGE_TRIES; tries++) {
        if (!c->shaken && !shake(c)) {
            return false;
        }
        if (c->shaken && !first && !ask(c, method, params, repeatable)) {
            return false;
        }
        if (c->waits) {
            c->shaken &= !c->stranger;
            continue;
        }
        struct skr_span error = skr_scan_get(c->answer, "error"), message = skr_scan_get(error, "message");
        *result = skr_scan_get(c->answer, "result");
        struct skr_span code = skr_scan_get(error, "code");
        if (c->optional && code.n == 6 && memcmp(code.p, "-32601", 6) == 0) {
            *result = (struct skr_span){"{}", 2};
        } else if (result->p == NULL) {
            say_refused(c, method, message);
        }
        return result->p != NULL;
    }
    host_log("%s: the device does not keep the handshake", c->way->path);
    return false;
}
