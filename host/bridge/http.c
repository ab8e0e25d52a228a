/* post.c -- see post.h. Connections, and what becomes of the messages on them. */
#include "http.h"

#include <stdio.h>
#include <string.h>

#include "text/json.h"
#include "clock.h"
#include "probe.h"
#include "json_edit.h"
#include "console.h"

static struct bridge_http *of(struct bridge_transport *w)
{
    return (struct bridge_http *)(void *)w;
}

static const struct bridge_http *of_const(const struct bridge_transport *w)
{
    return (const struct bridge_http *)(const void *)w;
}

/* ---- Up and down ---- */

void bridge_exchange_drop(struct bridge_http *h, struct bridge_exchange *p)
{
    bridge_connection_close(&p->dial);
    p->state = BRIDGE_EXCHANGE_FREE;
    if (h->reader == p) {
        h->reader = NULL;
        bridge_transport_forget(&h->way);
    }
}

/* Nobody acts on a request of which a part is missing. */
enum bridge_fate bridge_exchange_fate(const struct bridge_exchange *p)
{
    return p->state == BRIDGE_EXCHANGE_SENDING ? BRIDGE_FATE_NOT_DONE : BRIDGE_FATE_UNKNOWN;
}

/* Whatever has not left is not lost; of the rest on_down takes care. */
static void go_down(struct bridge_http *h, uint64_t next_ms)
{
    bool was_up = h->way.state > BRIDGE_TRANSPORT_PROBING;
    BRIDGE_EACH_EXCHANGE(p, h)
    {
        bool unsent = bridge_exchange_is_busy(p) && bridge_exchange_fate(p) == BRIDGE_FATE_NOT_DONE && p->id[0] != '\0';
        bridge_exchange_drop(h, p);
        if (was_up && unsent) {
            h->way.on_fate(h->way.owner, bridge_exchange_id(p), BRIDGE_FATE_NOT_DONE);
        }
    }
    h->way.state = BRIDGE_TRANSPORT_CLOSED;
    h->session[0] = h->version[0] = '\0';
    h->greets = false;
    h->absence.next_ms = next_ms;
    if (was_up) {
        h->way.on_down(h->way.owner);
    }
}

void bridge_http_fail(struct bridge_http *h, const char *why, uint64_t next_ms)
{
    bridge_outage_say(&h->absence, &h->way, why);
    go_down(h, next_ms);
}

void bridge_http_go_up(struct bridge_http *h)
{
    h->way.state = BRIDGE_TRANSPORT_SOUND;
    h->way.refused = false;
    h->way.sent = 0;
    h->absence.said = false;
    h->hold_ms = 0;
    if (!h->way.quiet) {
        host_log("%s: device found", h->way.path);
    }
    h->way.on_up(h->way.owner);
}

/* ---- Sending ---- */

unsigned bridge_http_open(const struct bridge_http *h, bool busy)
{
    unsigned count = 0;
    for (size_t i = 0; i < BRIDGE_CONNECTIONS; i++) {
        count += busy ? bridge_exchange_is_busy(&h->at[i]) : h->at[i].state != BRIDGE_EXCHANGE_FREE;
    }
    return count;
}

/* A connection for the next message: one that was kept, else a new one. */
static struct bridge_exchange *take_post(struct bridge_http *h, uint64_t now_ms)
{
    struct bridge_exchange *spare = NULL;
    BRIDGE_EACH_EXCHANGE(p, h)
    {
        if (p->state == BRIDGE_EXCHANGE_KEPT) {
            return p;
        }
        spare = p->state == BRIDGE_EXCHANGE_FREE ? p : spare;
    }
    spare->dial.tls = h->target.scheme == BRIDGE_SCHEME_HTTPS ? &spare->tls : NULL;
    spare->dial.trust = h->trust;
    bridge_connection_open(&spare->dial, &h->target, now_ms);
    return spare;
}

/* Sends the message of n bytes that has been put into a post. */
static void start(struct bridge_http *h, struct bridge_exchange *p, size_t n, uint64_t now_ms)
{
    p->owner = h;
    p->state = BRIDGE_EXCHANGE_SENDING;
    p->since_ms = now_ms;
    bridge_exchange_write(h, p, n);
    bridge_exchange_expect(p);
}

static void send_text(struct bridge_http *h, const char *text, uint64_t now_ms)
{
    struct bridge_exchange *p = take_post(h, now_ms);
    size_t n = strlen(text);
    memcpy(p->out + BRIDGE_HEAD, text, n);
    start(h, p, n, now_ms);
}

static void probe(struct bridge_http *h, uint64_t now_ms)
{
    const char *unknown = bridge_target_resolve(&h->target);
    if (unknown != NULL) {
        bridge_http_fail(h, unknown, now_ms + BRIDGE_LOOKUP_MS);
        return;
    }
    h->way.state = BRIDGE_TRANSPORT_PROBING;
    send_text(h, bridge_probe, now_ms);
}

static void send_message(struct bridge_transport *w, const struct skr_span parts[3])
{
    static char text[BRIDGE_TRANSPORT_TEXT];
    struct bridge_http *h = of(w);
    uint64_t now_ms = host_clock_ms();
    size_t n = 0;
    for (unsigned i = 0; i < 3; i++) {
        size_t room = sizeof text - n, k = parts[i].n < room ? parts[i].n : room;
        memcpy(text + n, parts[i].p, k);
        n += k;
    }
    struct bridge_exchange *p = take_post(h, now_ms);
    memcpy(p->out + BRIDGE_HEAD, text, n);
    start(h, p, n, now_ms);
}

/* ---- Moving bytes ---- */

static bool send_bytes(struct bridge_exchange *p)
{
    ssize_t n = 1;
    while (p->out_at < p->out_n && n > 0) {
        n = bridge_connection_write(&p->dial, p->out + p->out_at, p->out_n - p->out_at);
        p->out_at += n > 0 ? (size_t)n : 0;
    }
    if (p->out_at == p->out_n) {
        p->state = BRIDGE_EXCHANGE_READING;
    }
    return n >= 0;
}

static bool may_read(const struct bridge_http *h, const struct bridge_exchange *p)
{
    return p->got_at == p->got_n && h->way.in != NULL && (h->reader == NULL || h->reader == p);
}

/* False when the connection is over, or what came is not HTTP. */
static bool receive(struct bridge_http *h, struct bridge_exchange *p, uint64_t now_ms)
{
    char bytes[sizeof p->got];
    for (unsigned i = 0; i < 64 && p->state == BRIDGE_EXCHANGE_READING; i++) {
        if (bridge_exchange_pass_on(h, p)) {
            bridge_exchange_end(h, p, now_ms);
            return true;
        }
        if (p->state != BRIDGE_EXCHANGE_READING || !may_read(h, p)) {
            return true;
        }
        ssize_t n = bridge_connection_read(&p->dial, bytes, sizeof bytes);
        if (n == 0) {
            return true;
        }
        if (n > 0) {
            h->way.heard_ms = now_ms;
        }
        if (!bridge_exchange_take(p, bytes, n > 0 ? (size_t)n : 0) || (n < 0 && !p->complete)) {
            return false;
        }
    }
    return true;
}

static void turn_busy(struct bridge_http *h, struct bridge_exchange *p, uint64_t now_ms)
{
    if (!bridge_connection_turn(&p->dial, &h->target, now_ms)) {
        h->way.refused = bridge_connection_is_distrusted(&p->dial);
        bridge_exchange_lost(h, p, bridge_connection_why(&p->dial), now_ms);
        return;
    }
    if (!p->dial.ready) {
        return;
    }
    if ((p->state == BRIDGE_EXCHANGE_SENDING && !send_bytes(p)) || !receive(h, p, now_ms)) {
        bool odd = HTTP_PARSER_ERRNO(&p->parser) != HPE_OK && HTTP_PARSER_ERRNO(&p->parser) != HPE_PAUSED;
        const char *why = h->way.state != BRIDGE_TRANSPORT_PROBING ? "the connection is gone"
                          : odd ? "what answers there does not speak HTTP; is it tcp:// or https://?"
                                : bridge_connection_why(&p->dial);
        bridge_exchange_lost(h, p, why, now_ms);
    } else if (h->way.state == BRIDGE_TRANSPORT_PROBING && bridge_waited(now_ms, p->since_ms, BRIDGE_PROBE_MS)) {
        bridge_http_fail(h, "it does not answer; is it an MCP server?", now_ms + BRIDGE_RETRY_MS);
    }
}

/* A kept connection is closed when the server closes it, and before a server would think of closing it. */
static void turn_kept(struct bridge_http *h, struct bridge_exchange *p, uint64_t now_ms)
{
    char byte;
    if (bridge_waited(now_ms, p->since_ms, BRIDGE_KEEP_MS) || bridge_connection_read(&p->dial, &byte, 1) != 0) {
        bridge_exchange_drop(h, p);
    }
}

static void turn(struct bridge_transport *w, uint64_t now_ms)
{
    struct bridge_http *h = of(w);
    if (w->state == BRIDGE_TRANSPORT_CLOSED && now_ms >= h->absence.next_ms) {
        probe(h, now_ms);
    }
    BRIDGE_EACH_EXCHANGE(p, h)
    {
        if (bridge_exchange_is_busy(p)) {
            turn_busy(h, p, now_ms);
        } else if (p->state == BRIDGE_EXCHANGE_KEPT) {
            turn_kept(h, p, now_ms);
        }
    }
    if (h->greets && bridge_transport_can_send(w)) {
        h->greets = false;
        send_text(h, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", now_ms);
    }
    bool listens = false;
    BRIDGE_EACH_EXCHANGE(p, h)
    {
        listens |= bridge_exchange_is_busy(p) && p->listens;
    }
    unsigned others = 1u + listens; /* a reply to a question, and the stream of changes, need connections as well */
    w->most = h->limit > others ? h->limit - others : 1;
}

/* ---- For the owner ---- */

static bool can_send(const struct bridge_transport *w)
{
    const struct bridge_http *h = of_const(w);
    return bridge_http_open(h, true) < h->limit && host_clock_ms() >= h->hold_ms;
}

/* The connection may be open only on our side, and so may those that were kept. */
static bool give_up(struct bridge_transport *w, struct skr_span id)
{
    struct bridge_http *h = of(w);
    bool found = false;
    BRIDGE_EACH_EXCHANGE(p, h)
    {
        bool silent = p->state == BRIDGE_EXCHANGE_READING && p->parser.status_code == 0 && id.n == strlen(p->id) &&
                      memcmp(id.p, p->id, id.n) == 0;
        if (silent || p->state == BRIDGE_EXCHANGE_KEPT) {
            bridge_exchange_drop(h, p);
        }
        found |= silent;
    }
    return found;
}

/* The stream of a cancelled request is closed: nothing more comes, and a device may have no other connection to spare.
 * That is the cancellation in 2026-07-28 (CAN-04); in the initialize era the notification is (CAN-05). */
static bool hang_up(struct bridge_transport *w, const char *id)
{
    struct bridge_http *h = of(w);
    BRIDGE_EACH_EXCHANGE(p, h)
    {
        if (bridge_exchange_is_busy(p) && strcmp(p->id, id) == 0) {
            bridge_exchange_drop(h, p);
            return p->modern;
        }
    }
    return false;
}

/* A notification or a reply has been received when its response is there. */
static bool has_taken_all(const struct bridge_transport *w)
{
    const struct bridge_http *h = of_const(w);
    for (size_t i = 0; i < BRIDGE_CONNECTIONS; i++) {
        if (bridge_exchange_is_busy(&h->at[i]) && h->at[i].id[0] == '\0') {
            return false;
        }
    }
    return true;
}

static uint32_t wait_ms(const struct bridge_transport *w, uint64_t now_ms)
{
    const struct bridge_http *h = of_const(w);
    for (size_t i = 0; i < BRIDGE_CONNECTIONS; i++) {
        if (bridge_exchange_is_busy(&h->at[i]) && h->at[i].got_at < h->at[i].got_n && w->in != NULL &&
            (h->reader == NULL || h->reader == &h->at[i])) {
            return 0; /* it has waited for a buffer, and there is one now */
        }
    }
    if (w->state == BRIDGE_TRANSPORT_CLOSED) {
        return h->absence.next_ms > now_ms ? (uint32_t)(h->absence.next_ms - now_ms) : 1;
    }
    return BRIDGE_ALIVE_MS / 4;
}

static unsigned wants(const struct bridge_transport *w, int fds[BRIDGE_TRANSPORT_FDS], short events[BRIDGE_TRANSPORT_FDS])
{
    const struct bridge_http *h = of_const(w);
    unsigned n = 0;
    for (size_t i = 0; i < BRIDGE_CONNECTIONS; i++) {
        const struct bridge_exchange *p = &h->at[i];
        if (p->state != BRIDGE_EXCHANGE_FREE) {
            fds[n] = p->dial.fd;
            events[n++] =
                bridge_connection_events(&p->dial, p->state == BRIDGE_EXCHANGE_KEPT || may_read(h, p), p->state == BRIDGE_EXCHANGE_SENDING);
        }
    }
    return n;
}

static const char *remedy(const struct bridge_transport *w)
{
    return of_const(w)->absence.remedy;
}

static void restart(struct bridge_transport *w, const char *why)
{
    bridge_outage_note(&of(w)->absence, why);
    go_down(of(w), host_clock_ms());
}

static void end(struct bridge_transport *w)
{
    struct bridge_http *h = of(w);
    BRIDGE_EACH_EXCHANGE(p, h)
    {
        bridge_connection_close(&p->dial);
    }
}

static const struct bridge_transport_ops kind = {.turn = turn,
                                         .can_send = can_send,
                                         .send = send_message,
                                         .give_up = give_up,
                                         .hang_up = hang_up,
                                         .has_taken_all = has_taken_all,
                                         .wait_ms = wait_ms,
                                         .wants = wants,
                                         .remedy = remedy,
                                         .restart = restart,
                                         .end = end};

void bridge_http_init(struct bridge_http *h)
{
    h->way.kind = &kind;
    h->way.headed = true;
    h->way.most = BRIDGE_IN_FLIGHT;
    h->way.state = BRIDGE_TRANSPORT_CLOSED;
    h->limit = BRIDGE_CONNECTIONS;
    bridge_outage_note(&h->absence, "it has not answered yet");
    BRIDGE_EACH_EXCHANGE(p, h)
    {
        p->dial.fd = -1;
    }
}
