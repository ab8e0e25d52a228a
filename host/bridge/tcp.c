/* lines.c -- see lines.h. */
#include "tcp.h"

#include <string.h>

#include "clock.h"
#include "probe.h"
#include "console.h"

static struct bridge_tcp *of(struct bridge_transport *w)
{
    return (struct bridge_tcp *)(void *)w;
}

static const struct bridge_tcp *of_const(const struct bridge_transport *w)
{
    return (const struct bridge_tcp *)(const void *)w;
}

/* ---- Up and down ---- */

static void go_down(struct bridge_tcp *l, uint64_t next_ms)
{
    bool was_up = l->way.state > BRIDGE_TRANSPORT_PROBING;
    bridge_connection_close(&l->dial);
    l->way.state = BRIDGE_TRANSPORT_CLOSED;
    l->absence.next_ms = next_ms;
    l->text_at = l->text_n = l->got_at = l->got_n = 0;
    bridge_transport_forget(&l->way);
    if (was_up) {
        l->way.on_down(l->way.owner);
    }
}

static void fail(struct bridge_tcp *l, const char *why, uint64_t now_ms)
{
    bridge_outage_say(&l->absence, &l->way, why);
    go_down(l, now_ms + BRIDGE_RETRY_MS);
}

static void go_up(struct bridge_tcp *l)
{
    l->way.state = BRIDGE_TRANSPORT_SOUND;
    l->way.sent = 0;
    l->absence.said = false;
    if (!l->way.quiet) {
        host_log("%s: device found, lines over TCP", l->way.path);
    }
    l->way.on_up(l->way.owner);
}

static void dial(struct bridge_tcp *l, uint64_t now_ms)
{
    const char *unknown = bridge_target_resolve(&l->target);
    if (unknown != NULL) {
        fail(l, unknown, now_ms + BRIDGE_LOOKUP_MS);
        return;
    }
    bridge_connection_open(&l->dial, &l->target, now_ms);
    l->way.state = BRIDGE_TRANSPORT_PROBING;
    l->asked_ms = now_ms;
    l->text_at = 0;
    l->text_n = strlen(bridge_probe);
    memcpy(l->text, bridge_probe, l->text_n);
    l->text[l->text_n++] = '\n';
}

/* ---- Moving bytes ---- */

static void end_message(struct bridge_tcp *l, uint64_t now_ms)
{
    if (l->way.state != BRIDGE_TRANSPORT_PROBING) {
        bridge_transport_end_message(&l->way);
        return;
    }
    bool known = bridge_probe_answered(&l->way, l->way.in_n);
    bridge_transport_forget(&l->way);
    if (known && l->way.hasty && l->way.reason[0] != '\0') {
        l->way.refused = true;
        fail(l, l->way.reason, now_ms);
    } else if (known) {
        go_up(l);
    } else {
        fail(l, "what answers there is not an MCP server with lines; is it one with http://?", now_ms);
    }
}

/* Takes lines while there is a buffer for them. Each may use up the last. */
static void take_lines(struct bridge_tcp *l, uint64_t now_ms)
{
    while (l->got_at < l->got_n && l->way.in != NULL) {
        const char *from = l->got + l->got_at, *end = memchr(from, '\n', l->got_n - l->got_at);
        size_t n = end != NULL ? (size_t)(end - from) : l->got_n - l->got_at;
        bridge_transport_put(&l->way, from, n);
        l->got_at += n + (end != NULL);
        if (end != NULL && l->way.in_n > 0) {
            end_message(l, now_ms);
        }
    }
}

/* False when the connection is over. */
static bool receive(struct bridge_tcp *l, uint64_t now_ms)
{
    ssize_t n = 1;
    take_lines(l, now_ms);
    for (unsigned i = 0; i < 16 && n > 0 && l->dial.ready && l->way.in != NULL; i++) {
        n = bridge_connection_read(&l->dial, l->got, sizeof l->got);
        if (n > 0) {
            l->way.heard_ms = now_ms;
            l->got_at = 0;
            l->got_n = (size_t)n;
            take_lines(l, now_ms);
        }
    }
    return n >= 0;
}

static bool send_bytes(struct bridge_tcp *l)
{
    ssize_t n = 1;
    while (l->text_at < l->text_n && n > 0) {
        n = bridge_connection_write(&l->dial, l->text + l->text_at, l->text_n - l->text_at);
        l->text_at += n > 0 ? (size_t)n : 0;
    }
    return n >= 0;
}

static void turn(struct bridge_transport *w, uint64_t now_ms)
{
    struct bridge_tcp *l = of(w);
    if (l->dial.fd < 0 && now_ms >= l->absence.next_ms) {
        dial(l, now_ms);
    }
    if (w->state == BRIDGE_TRANSPORT_CLOSED) {
        return;
    }
    if (!bridge_connection_turn(&l->dial, &l->target, now_ms)) {
        fail(l, bridge_connection_why(&l->dial), now_ms);
        return;
    }
    if (l->dial.ready && (!send_bytes(l) || !receive(l, now_ms)) && l->dial.fd >= 0) {
        fail(l, w->state == BRIDGE_TRANSPORT_PROBING ? bridge_connection_why(&l->dial) : "the connection is gone", now_ms);
    }
    if (w->state == BRIDGE_TRANSPORT_PROBING && l->dial.ready && bridge_waited(now_ms, l->asked_ms, BRIDGE_PROBE_MS)) {
        fail(l, "it does not answer; is it an MCP server with lines?", now_ms);
    }
}

/* ---- For the owner ---- */

static bool can_send(const struct bridge_transport *w)
{
    return of_const(w)->text_at == of_const(w)->text_n;
}

static void send_message(struct bridge_transport *w, const struct skr_span parts[3])
{
    struct bridge_tcp *l = of(w);
    l->text_at = l->text_n = 0;
    for (unsigned i = 0; i < 3; i++) {
        size_t room = sizeof l->text - 1 - l->text_n, n = parts[i].n < room ? parts[i].n : room;
        memcpy(l->text + l->text_n, parts[i].p, n);
        l->text_n += n;
    }
    l->text[l->text_n++] = '\n';
    (void)send_bytes(l); /* the next turn notices a failure */
}

static bool has_taken_all(const struct bridge_transport *w)
{
    return can_send(w);
}

static uint32_t wait_ms(const struct bridge_transport *w, uint64_t now_ms)
{
    const struct bridge_tcp *l = of_const(w);
    if (w->in != NULL && l->got_at < l->got_n) {
        return 0;
    }
    if (w->state == BRIDGE_TRANSPORT_CLOSED) {
        return l->absence.next_ms > now_ms ? (uint32_t)(l->absence.next_ms - now_ms) : 1;
    }
    return BRIDGE_ALIVE_MS / 4;
}

static unsigned wants(const struct bridge_transport *w, int fds[BRIDGE_TRANSPORT_FDS], short events[BRIDGE_TRANSPORT_FDS])
{
    const struct bridge_tcp *l = of_const(w);
    fds[0] = l->dial.fd;
    events[0] = bridge_connection_events(&l->dial, w->in != NULL, !can_send(w));
    return 1;
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
    bridge_connection_close(&of(w)->dial);
}

static const struct bridge_transport_ops kind = {.turn = turn,
                                         .can_send = can_send,
                                         .send = send_message,
                                         .has_taken_all = has_taken_all,
                                         .wait_ms = wait_ms,
                                         .wants = wants,
                                         .remedy = remedy,
                                         .restart = restart,
                                         .end = end};

void bridge_tcp_init(struct bridge_tcp *l)
{
    l->way.kind = &kind;
    l->way.most = BRIDGE_IN_FLIGHT;
    l->way.state = BRIDGE_TRANSPORT_CLOSED;
    l->dial.fd = -1;
    bridge_outage_note(&l->absence, "it has not answered yet");
}
