/* post.c -- see post.h. Connections, and what becomes of the messages on them. */
#include "post.h"

#include <stdio.h>
#include <string.h>

#include "text/json.h"
#include "clock.h"
#include "probe.h"
#include "scan.h"
#include "say.h"

static struct skr_posts *of(struct skr_way *w)
{
    return (struct skr_posts *)(void *)w;
}

static const struct skr_posts *of_const(const struct skr_way *w)
{
    return (const struct skr_posts *)(const void *)w;
}

/* ---- Up and down ---- */

void skr_post_drop(struct skr_posts *h, struct skr_post *p)
{
    skr_dial_close(&p->dial);
    p->state = SKR_POST_FREE;
    if (h->reader == p) {
        h->reader = NULL;
        skr_way_forget(&h->way);
    }
}

/* Nobody acts on a request of which a part is missing. */
enum skr_fate skr_post_fate(const struct skr_post *p)
{
    return p->state == SKR_POST_SENDING ? SKR_FATE_NOT_DONE : SKR_FATE_UNKNOWN;
}

/* Whatever has not left is not lost; of the rest on_down takes care. */
static void go_down(struct skr_posts *h, uint64_t next_ms)
{
    bool was_up = h->way.state > SKR_WAY_PROBING;
    SKR_EACH_POST(p, h)
    {
        bool unsent = skr_post_is_busy(p) && skr_post_fate(p) == SKR_FATE_NOT_DONE && p->id[0] != '\0';
        skr_post_drop(h, p);
        if (was_up && unsent) {
            h->way.on_fate(h->way.owner, skr_post_id(p), SKR_FATE_NOT_DONE);
        }
    }
    h->way.state = SKR_WAY_CLOSED;
    h->session[0] = h->version[0] = '\0';
    h->greets = false;
    h->absence.next_ms = next_ms;
    if (was_up) {
        h->way.on_down(h->way.owner);
    }
}

void skr_posts_fail(struct skr_posts *h, const char *why, uint64_t next_ms)
{
    skr_absence_say(&h->absence, &h->way, why);
    go_down(h, next_ms);
}

void skr_posts_go_up(struct skr_posts *h)
{
    h->way.state = SKR_WAY_SOUND;
    h->way.refused = false;
    h->way.sent = 0;
    h->absence.said = false;
    h->hold_ms = 0;
    if (!h->way.quiet) {
        skr_say("%s: device found", h->way.path);
    }
    h->way.on_up(h->way.owner);
}

/* ---- Sending ---- */

unsigned skr_posts_open(const struct skr_posts *h, bool busy)
{
    unsigned count = 0;
    for (size_t i = 0; i < SKR_BRIDGE_CONNECTIONS; i++) {
        count += busy ? skr_post_is_busy(&h->at[i]) : h->at[i].state != SKR_POST_FREE;
    }
    return count;
}

/* A connection for the next message: one that was kept, else a new one. */
static struct skr_post *take_post(struct skr_posts *h, uint64_t now_ms)
{
    struct skr_post *spare = NULL;
    SKR_EACH_POST(p, h)
    {
        if (p->state == SKR_POST_KEPT) {
            return p;
        }
        spare = p->state == SKR_POST_FREE ? p : spare;
    }
    spare->dial.tls = h->target.scheme == SKR_SCHEME_HTTPS ? &spare->tls : NULL;
    spare->dial.trust = h->trust;
    skr_dial_open(&spare->dial, &h->target, now_ms);
    return spare;
}

/* Sends the message of n bytes that has been put into a post. */
static void start(struct skr_posts *h, struct skr_post *p, size_t n, uint64_t now_ms)
{
    p->owner = h;
    p->state = SKR_POST_SENDING;
    p->since_ms = now_ms;
    skr_post_write(h, p, n);
    skr_post_expect(p);
}

static void send_text(struct skr_posts *h, const char *text, uint64_t now_ms)
{
    struct skr_post *p = take_post(h, now_ms);
    size_t n = strlen(text);
    memcpy(p->out + SKR_BRIDGE_HEAD, text, n);
    start(h, p, n, now_ms);
}

static void probe(struct skr_posts *h, uint64_t now_ms)
{
    const char *unknown = skr_target_resolve(&h->target);
    if (unknown != NULL) {
        skr_posts_fail(h, unknown, now_ms + SKR_BRIDGE_LOOKUP_MS);
        return;
    }
    h->way.state = SKR_WAY_PROBING;
    send_text(h, skr_probe, now_ms);
}

static void send_message(struct skr_way *w, const struct skr_span parts[3])
{
    static char text[SKR_WAY_TEXT];
    struct skr_posts *h = of(w);
    uint64_t now_ms = skr_clock_ms();
    size_t n = 0;
    for (unsigned i = 0; i < 3; i++) {
        size_t room = sizeof text - n, k = parts[i].n < room ? parts[i].n : room;
        memcpy(text + n, parts[i].p, k);
        n += k;
    }
    struct skr_post *p = take_post(h, now_ms);
    memcpy(p->out + SKR_BRIDGE_HEAD, text, n);
    start(h, p, n, now_ms);
}

/* ---- Moving bytes ---- */

static bool send_bytes(struct skr_post *p)
{
    ssize_t n = 1;
    while (p->out_at < p->out_n && n > 0) {
        n = skr_dial_write(&p->dial, p->out + p->out_at, p->out_n - p->out_at);
        p->out_at += n > 0 ? (size_t)n : 0;
    }
    if (p->out_at == p->out_n) {
        p->state = SKR_POST_READING;
    }
    return n >= 0;
}

static bool may_read(const struct skr_posts *h, const struct skr_post *p)
{
    return p->got_at == p->got_n && h->way.in != NULL && (h->reader == NULL || h->reader == p);
}

/* False when the connection is over, or what came is not HTTP. */
static bool receive(struct skr_posts *h, struct skr_post *p, uint64_t now_ms)
{
    char bytes[sizeof p->got];
    for (unsigned i = 0; i < 64 && p->state == SKR_POST_READING; i++) {
        if (skr_post_pass_on(h, p)) {
            skr_post_end(h, p, now_ms);
            return true;
        }
        if (p->state != SKR_POST_READING || !may_read(h, p)) {
            return true;
        }
        ssize_t n = skr_dial_read(&p->dial, bytes, sizeof bytes);
        if (n == 0) {
            return true;
        }
        if (n > 0) {
            h->way.heard_ms = now_ms;
        }
        if (!skr_post_take(p, bytes, n > 0 ? (size_t)n : 0) || (n < 0 && !p->complete)) {
            return false;
        }
    }
    return true;
}

static void turn_busy(struct skr_posts *h, struct skr_post *p, uint64_t now_ms)
{
    if (!skr_dial_turn(&p->dial, &h->target, now_ms)) {
        h->way.refused = skr_dial_is_distrusted(&p->dial);
        skr_post_lost(h, p, skr_dial_why(&p->dial), now_ms);
        return;
    }
    if (!p->dial.ready) {
        return;
    }
    if ((p->state == SKR_POST_SENDING && !send_bytes(p)) || !receive(h, p, now_ms)) {
        bool odd = HTTP_PARSER_ERRNO(&p->parser) != HPE_OK && HTTP_PARSER_ERRNO(&p->parser) != HPE_PAUSED;
        const char *why = h->way.state != SKR_WAY_PROBING ? "the connection is gone"
                          : odd ? "what answers there does not speak HTTP; is it tcp:// or https://?"
                                : skr_dial_why(&p->dial);
        skr_post_lost(h, p, why, now_ms);
    } else if (h->way.state == SKR_WAY_PROBING && skr_waited(now_ms, p->since_ms, SKR_BRIDGE_PROBE_MS)) {
        skr_posts_fail(h, "it does not answer; is it an MCP server?", now_ms + SKR_BRIDGE_RETRY_MS);
    }
}

/* A kept connection is closed when the server closes it, and before a server would think of closing it. */
static void turn_kept(struct skr_posts *h, struct skr_post *p, uint64_t now_ms)
{
    char byte;
    if (skr_waited(now_ms, p->since_ms, SKR_BRIDGE_KEEP_MS) || skr_dial_read(&p->dial, &byte, 1) != 0) {
        skr_post_drop(h, p);
    }
}

static void turn(struct skr_way *w, uint64_t now_ms)
{
    struct skr_posts *h = of(w);
    if (w->state == SKR_WAY_CLOSED && now_ms >= h->absence.next_ms) {
        probe(h, now_ms);
    }
    SKR_EACH_POST(p, h)
    {
        if (skr_post_is_busy(p)) {
            turn_busy(h, p, now_ms);
        } else if (p->state == SKR_POST_KEPT) {
            turn_kept(h, p, now_ms);
        }
    }
    if (h->greets && skr_way_can_send(w)) {
        h->greets = false;
        send_text(h, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", now_ms);
    }
    bool listens = false;
    SKR_EACH_POST(p, h)
    {
        listens |= skr_post_is_busy(p) && p->listens;
    }
    unsigned others = 1u + listens; /* a reply to a question, and the stream of changes, need connections as well */
    w->most = h->limit > others ? h->limit - others : 1;
}

/* ---- For the owner ---- */

static bool can_send(const struct skr_way *w)
{
    const struct skr_posts *h = of_const(w);
    return skr_posts_open(h, true) < h->limit && skr_clock_ms() >= h->hold_ms;
}

/* The connection may be open only on our side, and so may those that were kept. */
static bool give_up(struct skr_way *w, struct skr_span id)
{
    struct skr_posts *h = of(w);
    bool found = false;
    SKR_EACH_POST(p, h)
    {
        bool silent = p->state == SKR_POST_READING && p->parser.status_code == 0 && id.n == strlen(p->id) &&
                      memcmp(id.p, p->id, id.n) == 0;
        if (silent || p->state == SKR_POST_KEPT) {
            skr_post_drop(h, p);
        }
        found |= silent;
    }
    return found;
}

/* The stream of a cancelled request is closed: nothing more comes, and a device may have no other connection to spare.
 * That is the cancellation in 2026-07-28 (CAN-04); in the initialize era the notification is (CAN-05). */
static bool hang_up(struct skr_way *w, const char *id)
{
    struct skr_posts *h = of(w);
    SKR_EACH_POST(p, h)
    {
        if (skr_post_is_busy(p) && strcmp(p->id, id) == 0) {
            skr_post_drop(h, p);
            return p->modern;
        }
    }
    return false;
}

/* A notification or a reply has been received when its response is there. */
static bool has_taken_all(const struct skr_way *w)
{
    const struct skr_posts *h = of_const(w);
    for (size_t i = 0; i < SKR_BRIDGE_CONNECTIONS; i++) {
        if (skr_post_is_busy(&h->at[i]) && h->at[i].id[0] == '\0') {
            return false;
        }
    }
    return true;
}

static uint32_t wait_ms(const struct skr_way *w, uint64_t now_ms)
{
    const struct skr_posts *h = of_const(w);
    for (size_t i = 0; i < SKR_BRIDGE_CONNECTIONS; i++) {
        if (skr_post_is_busy(&h->at[i]) && h->at[i].got_at < h->at[i].got_n && w->in != NULL &&
            (h->reader == NULL || h->reader == &h->at[i])) {
            return 0; /* it has waited for a buffer, and there is one now */
        }
    }
    if (w->state == SKR_WAY_CLOSED) {
        return h->absence.next_ms > now_ms ? (uint32_t)(h->absence.next_ms - now_ms) : 1;
    }
    return SKR_BRIDGE_ALIVE_MS / 4;
}

static unsigned wants(const struct skr_way *w, int fds[SKR_WAY_FDS], short events[SKR_WAY_FDS])
{
    const struct skr_posts *h = of_const(w);
    unsigned n = 0;
    for (size_t i = 0; i < SKR_BRIDGE_CONNECTIONS; i++) {
        const struct skr_post *p = &h->at[i];
        if (p->state != SKR_POST_FREE) {
            fds[n] = p->dial.fd;
            events[n++] =
                skr_dial_events(&p->dial, p->state == SKR_POST_KEPT || may_read(h, p), p->state == SKR_POST_SENDING);
        }
    }
    return n;
}

static const char *remedy(const struct skr_way *w)
{
    return of_const(w)->absence.remedy;
}

static void restart(struct skr_way *w, const char *why)
{
    skr_absence_note(&of(w)->absence, why);
    go_down(of(w), skr_clock_ms());
}

static void end(struct skr_way *w)
{
    struct skr_posts *h = of(w);
    SKR_EACH_POST(p, h)
    {
        skr_dial_close(&p->dial);
    }
}

static const struct skr_way_kind kind = {.turn = turn,
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

void skr_posts_init(struct skr_posts *h)
{
    h->way.kind = &kind;
    h->way.headed = true;
    h->way.most = SKR_BRIDGE_IN_FLIGHT;
    h->way.state = SKR_WAY_CLOSED;
    h->limit = SKR_BRIDGE_CONNECTIONS;
    skr_absence_note(&h->absence, "it has not answered yet");
    SKR_EACH_POST(p, h)
    {
        p->dial.fd = -1;
    }
}
