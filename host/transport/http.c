/* http.c -- see http.h. Connections, and the messages on them. */
#include "http.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "console.h"
#include "json_edit.h"
#include "probe.h"
#include "text/json.h"

static struct transport_http *http_of(struct transport *t)
{
    return (struct transport_http *)(void *)t;
}

static const struct transport_http *const_self(const struct transport *t)
{
    return (const struct transport_http *)(const void *)t;
}

/* ---- Up and down ---- */

void transport_exchange_drop(struct transport_http *h, struct transport_exchange *p)
{
    transport_connection_close(&p->connection);
    p->state = TRANSPORT_EXCHANGE_FREE;
    if (h->reader == p) {
        h->reader = NULL;
        transport_forget(&h->base);
    }
}

/* A server does not act on an incomplete request. */
enum transport_fate transport_exchange_fate(const struct transport_exchange *p)
{
    return p->state == TRANSPORT_EXCHANGE_SENDING ? TRANSPORT_FATE_NOT_DONE : TRANSPORT_FATE_UNKNOWN;
}

/* Requests that have not left completely are not lost; on_down handles the rest. */
static void http_go_down(struct transport_http *h, uint64_t next_ms)
{
    bool was_up = h->base.state > TRANSPORT_PROBING;

    TRANSPORT_EACH_EXCHANGE(p, h)
    {
        bool unsent =
            transport_exchange_is_busy(p) && transport_exchange_fate(p) == TRANSPORT_FATE_NOT_DONE && p->id[0] != '\0';
        transport_exchange_drop(h, p);
        if (was_up && unsent) {
            h->base.on_fate(h->base.owner, transport_exchange_id(p), TRANSPORT_FATE_NOT_DONE);
        }
    }
    h->base.state = TRANSPORT_CLOSED;
    h->session[0] = h->version[0] = '\0';
    h->owes_initialized = false;
    h->base.next_ms = next_ms;
    if (was_up) {
        h->base.on_down(h->base.owner);
    }
}

void transport_http_fail(struct transport_http *h, const char *why, uint64_t next_ms)
{
    transport_report_outage(&h->base, why);
    http_go_down(h, next_ms);
}

void transport_http_go_up(struct transport_http *h)
{
    h->base.state = TRANSPORT_RELIABLE;
    h->base.refused = false;
    h->base.sent = 0;
    h->base.outage_logged = false;
    h->hold_ms = 0;
    if (!h->base.quiet) {
        host_log("%s: device found", h->base.path);
    }
    h->base.on_up(h->base.owner);
}

/* ---- Sending ---- */

unsigned transport_http_open(const struct transport_http *h, bool busy)
{
    unsigned count = 0;

    for (size_t i = 0; i < TRANSPORT_CONNECTIONS; i++) {
        count += busy ? transport_exchange_is_busy(&h->at[i]) : h->at[i].state != TRANSPORT_EXCHANGE_FREE;
    }
    return count;
}

/* A connection for the next message: one that was kept, else a new one. */
static struct transport_exchange *take_exchange(struct transport_http *h, uint64_t now_ms)
{
    struct transport_exchange *spare = NULL;

    TRANSPORT_EACH_EXCHANGE(p, h)
    {
        if (p->state == TRANSPORT_EXCHANGE_KEPT) {
            return p;
        }
        spare = p->state == TRANSPORT_EXCHANGE_FREE ? p : spare;
    }
    spare->connection.tls = h->target.scheme == TRANSPORT_SCHEME_HTTPS ? &spare->tls : NULL;
    spare->connection.trust = h->trust;
    transport_connection_open(&spare->connection, &h->target, now_ms);
    return spare;
}

/* Sends the message of n bytes that is in the exchange's buffer. */
static void exchange_start(struct transport_http *h, struct transport_exchange *p, size_t n, uint64_t now_ms)
{
    p->owner = h;
    p->state = TRANSPORT_EXCHANGE_SENDING;
    p->since_ms = now_ms;
    transport_exchange_write(h, p, n);
    transport_exchange_expect(p);
}

static void send_text(struct transport_http *h, const char *text, uint64_t now_ms)
{
    struct transport_exchange *p = take_exchange(h, now_ms);
    size_t n = strlen(text);

    memcpy(p->out + TRANSPORT_HEAD, text, n);
    exchange_start(h, p, n, now_ms);
}

static void http_probe(struct transport_http *h, uint64_t now_ms)
{
    const char *unknown = transport_target_resolve(&h->target);

    if (unknown != NULL) {
        transport_http_fail(h, unknown, now_ms + TRANSPORT_LOOKUP_MS);
        return;
    }
    h->base.state = TRANSPORT_PROBING;
    send_text(h, transport_probe, now_ms);
}

static void http_send(struct transport *t, const struct skr_span parts[3])
{
    static char text[TRANSPORT_TEXT];
    struct transport_http *h = http_of(t);
    uint64_t now_ms = host_clock_ms();
    size_t n = 0;

    for (unsigned i = 0; i < 3; i++) {
        size_t room = sizeof text - n, k = parts[i].n < room ? parts[i].n : room;
        memcpy(text + n, parts[i].p, k);
        n += k;
    }
    struct transport_exchange *p = take_exchange(h, now_ms);
    memcpy(p->out + TRANSPORT_HEAD, text, n);
    exchange_start(h, p, n, now_ms);
}

/* ---- Moving bytes ---- */

static bool http_send_bytes(struct transport_exchange *p)
{
    ssize_t n = 1;

    while (p->out_at < p->out_n && n > 0) {
        n = transport_connection_write(&p->connection, p->out + p->out_at, p->out_n - p->out_at);
        p->out_at += n > 0 ? (size_t)n : 0;
    }
    if (p->out_at == p->out_n) {
        p->state = TRANSPORT_EXCHANGE_READING;
    }
    return n >= 0;
}

static bool may_read(const struct transport_http *h, const struct transport_exchange *p)
{
    return p->got_at == p->got_n && h->base.in != NULL && (h->reader == NULL || h->reader == p);
}

/* False when the connection is over, or its bytes are not HTTP. */
static bool http_receive(struct transport_http *h, struct transport_exchange *p, uint64_t now_ms)
{
    char bytes[sizeof p->got];

    for (unsigned i = 0; i < 64 && p->state == TRANSPORT_EXCHANGE_READING; i++) {
        if (transport_exchange_pass_on(h, p)) {
            transport_exchange_end(h, p, now_ms);
            return true;
        }
        if (p->state != TRANSPORT_EXCHANGE_READING || !may_read(h, p)) {
            return true;
        }
        ssize_t n = transport_connection_read(&p->connection, bytes, sizeof bytes);
        if (n == 0) {
            return true;
        }
        if (n > 0) {
            h->base.heard_ms = now_ms;
        }
        if (!transport_exchange_take(p, bytes, n > 0 ? (size_t)n : 0) || (n < 0 && !p->complete)) {
            return false;
        }
    }
    return true;
}

static void turn_busy(struct transport_http *h, struct transport_exchange *p, uint64_t now_ms)
{
    if (!transport_connection_turn(&p->connection, &h->target, now_ms)) {
        h->base.refused = transport_connection_is_distrusted(&p->connection);
        transport_exchange_lost(h, p, transport_connection_why(&p->connection), now_ms);
        return;
    }
    if (!p->connection.ready) {
        return;
    }
    if ((p->state == TRANSPORT_EXCHANGE_SENDING && !http_send_bytes(p)) || !http_receive(h, p, now_ms)) {
        bool odd = HTTP_PARSER_ERRNO(&p->parser) != HPE_OK && HTTP_PARSER_ERRNO(&p->parser) != HPE_PAUSED;
        const char *why = h->base.state != TRANSPORT_PROBING ? "the connection is gone"
                          : odd                              ? "it does not use HTTP; try tcp:// or https://"
                                                             : transport_connection_why(&p->connection);
        transport_exchange_lost(h, p, why, now_ms);
    } else if (h->base.state == TRANSPORT_PROBING && host_waited(now_ms, p->since_ms, TRANSPORT_PROBE_MS)) {
        transport_http_fail(h, "it does not respond; check that it is an MCP server", now_ms + TRANSPORT_RETRY_MS);
    }
}

/* A kept connection is closed when the server closes it, and before a server is likely to close it. */
static void turn_kept(struct transport_http *h, struct transport_exchange *p, uint64_t now_ms)
{
    char byte;

    if (host_waited(now_ms, p->since_ms, TRANSPORT_KEEP_MS) ||
        transport_connection_read(&p->connection, &byte, 1) != 0) {
        transport_exchange_drop(h, p);
    }
}

static void http_turn(struct transport *t, uint64_t now_ms)
{
    struct transport_http *h = http_of(t);

    if (t->state == TRANSPORT_CLOSED && now_ms >= h->base.next_ms) {
        http_probe(h, now_ms);
    }
    TRANSPORT_EACH_EXCHANGE(p, h)
    {
        if (transport_exchange_is_busy(p)) {
            turn_busy(h, p, now_ms);
        } else if (p->state == TRANSPORT_EXCHANGE_KEPT) {
            turn_kept(h, p, now_ms);
        }
    }
    if (h->owes_initialized && transport_can_send(t)) {
        h->owes_initialized = false;
        send_text(h, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", now_ms);
    }
    bool listens = false;
    TRANSPORT_EACH_EXCHANGE(p, h)
    {
        listens |= transport_exchange_is_busy(p) && p->listens;
    }
    unsigned others =
        1u + listens; /* a reply to a client request and the stream of notifications also need connections */
    t->most = h->limit > others ? h->limit - others : 1;
}

/* ---- For the owner ---- */

static bool http_can_send(const struct transport *t)
{
    const struct transport_http *h = const_self(t);

    return transport_http_open(h, true) < h->limit && host_clock_ms() >= h->hold_ms;
}

/* The connection may be open only on our side, and so may those that were kept. */
static bool http_give_up(struct transport *t, struct skr_span id)
{
    struct transport_http *h = http_of(t);
    bool found = false;

    TRANSPORT_EACH_EXCHANGE(p, h)
    {
        bool silent = p->state == TRANSPORT_EXCHANGE_READING && p->parser.status_code == 0 && id.n == strlen(p->id) &&
                      memcmp(id.p, p->id, id.n) == 0;
        if (silent || p->state == TRANSPORT_EXCHANGE_KEPT) {
            transport_exchange_drop(h, p);
        }
        found |= silent;
    }
    return found;
}

/* The stream of a cancelled request is closed: nothing more comes, and a device may have no other connection to spare.
 * That is the cancellation in 2026-07-28 (CAN-04); in the initialize era the notification is (CAN-05). */
static bool http_hang_up(struct transport *t, const char *id)
{
    struct transport_http *h = http_of(t);

    TRANSPORT_EACH_EXCHANGE(p, h)
    {
        if (transport_exchange_is_busy(p) && strcmp(p->id, id) == 0) {
            transport_exchange_drop(h, p);
            return p->modern;
        }
    }
    return false;
}

/* A notification or a reply has been received when its response is there. */
static bool http_has_taken_all(const struct transport *t)
{
    const struct transport_http *h = const_self(t);

    for (size_t i = 0; i < TRANSPORT_CONNECTIONS; i++) {
        if (transport_exchange_is_busy(&h->at[i]) && h->at[i].id[0] == '\0') {
            return false;
        }
    }
    return true;
}

static uint32_t http_wait_ms(const struct transport *t, uint64_t now_ms)
{
    const struct transport_http *h = const_self(t);

    for (size_t i = 0; i < TRANSPORT_CONNECTIONS; i++) {
        if (transport_exchange_is_busy(&h->at[i]) && h->at[i].got_at < h->at[i].got_n && t->in != NULL &&
            (h->reader == NULL || h->reader == &h->at[i])) {
            return 0; /* bytes have waited for a buffer, and there is one now */
        }
    }
    if (t->state == TRANSPORT_CLOSED) {
        return h->base.next_ms > now_ms ? (uint32_t)(h->base.next_ms - now_ms) : 1;
    }
    return TRANSPORT_ALIVE_MS / 4;
}

static unsigned http_wants(const struct transport *t, int fds[TRANSPORT_FDS], short events[TRANSPORT_FDS])
{
    const struct transport_http *h = const_self(t);
    unsigned n = 0;

    for (size_t i = 0; i < TRANSPORT_CONNECTIONS; i++) {
        const struct transport_exchange *p = &h->at[i];
        if (p->state != TRANSPORT_EXCHANGE_FREE) {
            fds[n] = p->connection.fd;
            events[n++] =
                transport_connection_events(&p->connection, p->state == TRANSPORT_EXCHANGE_KEPT || may_read(h, p),
                                            p->state == TRANSPORT_EXCHANGE_SENDING);
        }
    }
    return n;
}

static void http_restart(struct transport *t)
{
    http_go_down(http_of(t), host_clock_ms());
}

static void http_end(struct transport *t)
{
    struct transport_http *h = http_of(t);

    TRANSPORT_EACH_EXCHANGE(p, h)
    {
        transport_connection_close(&p->connection);
    }
}

static const struct transport_ops ops = {http_turn,    http_can_send, http_send,    http_has_taken_all,
                                         http_wait_ms, http_wants,    http_restart, http_end,
                                         NULL,         http_give_up,  http_hang_up};

void transport_http_init(struct transport_http *h)
{
    transport_init(&h->base, &ops);
    h->base.headed = true;
    h->limit = TRANSPORT_CONNECTIONS;
    TRANSPORT_EACH_EXCHANGE(p, h)
    {
        p->connection.fd = -1;
    }
}
