/* tcp.c -- see tcp.h. */
#include "tcp.h"

#include <string.h>

#include "clock.h"
#include "console.h"
#include "probe.h"

static struct transport_tcp *tcp_of(struct transport *t)
{
    return (struct transport_tcp *)(void *)t;
}

static const struct transport_tcp *const_self(const struct transport *t)
{
    return (const struct transport_tcp *)(const void *)t;
}

/* ---- Up and down ---- */

static void tcp_go_down(struct transport_tcp *l, uint64_t next_ms)
{
    bool was_up = l->base.state > TRANSPORT_PROBING;

    transport_connection_close(&l->connection);
    l->base.state = TRANSPORT_CLOSED;
    l->base.next_ms = next_ms;
    l->text_at = l->text_n = l->got_at = l->got_n = 0;
    transport_forget(&l->base);
    if (was_up) {
        l->base.on_down(l->base.owner);
    }
}

static void tcp_fail(struct transport_tcp *l, const char *why, uint64_t now_ms)
{
    l->base.refused |= l->is_program; /* only its owner can start it again */
    transport_report_outage(&l->base, why);
    tcp_go_down(l, now_ms + TRANSPORT_RETRY_MS);
}

static void tcp_go_up(struct transport_tcp *l)
{
    l->base.state = TRANSPORT_RELIABLE;
    l->base.sent = 0;
    l->base.outage_logged = false;
    if (!l->base.quiet) {
        host_log("%s: device found, lines over TCP", l->base.path);
    }
    l->base.on_up(l->base.owner);
}

static void open_connection(struct transport_tcp *l, uint64_t now_ms)
{
    const char *unknown = l->is_program ? NULL : transport_target_resolve(&l->target);

    if (unknown != NULL) {
        tcp_fail(l, unknown, now_ms + TRANSPORT_LOOKUP_MS);
        return;
    }
    if (l->is_program) {
        l->connection.fd = l->stream;
        l->connection.connected = l->connection.ready = l->stream >= 0;
        l->stream = -1;
    } else {
        transport_connection_open(&l->connection, &l->target, now_ms);
    }
    l->base.state = TRANSPORT_PROBING;
    l->probed_ms = now_ms;
    l->text_at = 0;
    l->text_n = strlen(transport_probe);
    memcpy(l->text, transport_probe, l->text_n);
    l->text[l->text_n++] = '\n';
}

/* ---- Moving bytes ---- */

static void end_message(struct transport_tcp *l, uint64_t now_ms)
{
    if (l->base.state != TRANSPORT_PROBING) {
        transport_end_message(&l->base);
        return;
    }
    bool responded = transport_probe_responded(&l->base, l->base.in_n);
    transport_forget(&l->base);
    if (responded && l->base.hasty && l->base.reason[0] != '\0') {
        l->base.refused = true;
        tcp_fail(l, l->base.reason, now_ms);
    } else if (responded) {
        tcp_go_up(l);
    } else {
        tcp_fail(l,
                 l->is_program ? "it writes something else than MCP messages to stdout; check the program"
                               : "it is not an MCP server with lines; if it is one over HTTP, use http://",
                 now_ms);
    }
}

/* Takes lines while there is a buffer for them. Each may use up the last. */
static void take_lines(struct transport_tcp *l, uint64_t now_ms)
{
    while (l->got_at < l->got_n && l->base.in != NULL) {
        const char *from = l->got + l->got_at, *end = memchr(from, '\n', l->got_n - l->got_at);
        size_t n = end != NULL ? (size_t)(end - from) : l->got_n - l->got_at;
        transport_put(&l->base, from, n);
        l->got_at += n + (end != NULL);
        if (end != NULL && l->base.in_n > 0) {
            end_message(l, now_ms);
        }
    }
}

/* False when the connection is over. */
static bool tcp_receive(struct transport_tcp *l, uint64_t now_ms)
{
    ssize_t n = 1;

    take_lines(l, now_ms);
    for (unsigned i = 0; i < 16 && n > 0 && l->connection.ready && l->base.in != NULL; i++) {
        n = transport_connection_read(&l->connection, l->got, sizeof l->got);
        if (n > 0) {
            l->base.heard_ms = now_ms;
            l->got_at = 0;
            l->got_n = (size_t)n;
            take_lines(l, now_ms);
        }
    }
    return n >= 0;
}

static bool tcp_send_bytes(struct transport_tcp *l)
{
    ssize_t n = 1;

    while (l->text_at < l->text_n && n > 0) {
        n = transport_connection_write(&l->connection, l->text + l->text_at, l->text_n - l->text_at);
        l->text_at += n > 0 ? (size_t)n : 0;
    }
    return n >= 0;
}

static const char *why_lost(const struct transport_tcp *l)
{
    return l->is_program                        ? "the program has ended; its log shows why"
           : l->base.state == TRANSPORT_PROBING ? transport_connection_why(&l->connection)
                                                : "the connection is gone";
}

static void tcp_turn(struct transport *t, uint64_t now_ms)
{
    struct transport_tcp *l = tcp_of(t);

    if (l->connection.fd < 0 && !t->refused && now_ms >= l->base.next_ms) {
        open_connection(l, now_ms);
    }
    if (t->state == TRANSPORT_CLOSED) {
        return;
    }
    if (!transport_connection_turn(&l->connection, &l->target, now_ms)) {
        tcp_fail(l, transport_connection_why(&l->connection), now_ms);
        return;
    }
    if (l->connection.ready && (!tcp_send_bytes(l) || !tcp_receive(l, now_ms)) && l->connection.fd >= 0) {
        tcp_fail(l, why_lost(l), now_ms);
    }
    if (t->state == TRANSPORT_PROBING && l->connection.ready && host_waited(now_ms, l->probed_ms, TRANSPORT_PROBE_MS)) {
        tcp_fail(l, "it does not respond; check that it is an MCP server with lines", now_ms);
    }
}

/* ---- For the owner ---- */

static bool tcp_can_send(const struct transport *t)
{
    return const_self(t)->text_at == const_self(t)->text_n;
}

static void tcp_send(struct transport *t, const struct skr_span parts[3])
{
    struct transport_tcp *l = tcp_of(t);

    l->text_at = l->text_n = 0;
    for (unsigned i = 0; i < 3; i++) {
        size_t room = sizeof l->text - 1 - l->text_n, n = parts[i].n < room ? parts[i].n : room;
        memcpy(l->text + l->text_n, parts[i].p, n);
        l->text_n += n;
    }
    l->text[l->text_n++] = '\n';
    (void)tcp_send_bytes(l); /* the next turn notices a failure */
}

static bool tcp_has_taken_all(const struct transport *t)
{
    return tcp_can_send(t);
}

static uint32_t tcp_wait_ms(const struct transport *t, uint64_t now_ms)
{
    const struct transport_tcp *l = const_self(t);

    if (t->in != NULL && l->got_at < l->got_n) {
        return 0;
    }
    if (t->state == TRANSPORT_CLOSED) {
        return l->base.next_ms > now_ms ? (uint32_t)(l->base.next_ms - now_ms) : 1;
    }
    return TRANSPORT_ALIVE_MS / 4;
}

static unsigned tcp_wants(const struct transport *t, int fds[TRANSPORT_FDS], short events[TRANSPORT_FDS])
{
    const struct transport_tcp *l = const_self(t);

    fds[0] = l->connection.fd;
    events[0] = transport_connection_events(&l->connection, t->in != NULL, !tcp_can_send(t));
    return 1;
}

static void tcp_restart(struct transport *t)
{
    tcp_go_down(tcp_of(t), host_clock_ms());
}

static void tcp_end(struct transport *t)
{
    transport_connection_close(&tcp_of(t)->connection);
}

static const struct transport_ops ops = {tcp_turn,    tcp_can_send, tcp_send,    tcp_has_taken_all,
                                         tcp_wait_ms, tcp_wants,    tcp_restart, tcp_end,
                                         NULL,        NULL,         NULL};

void transport_tcp_init(struct transport_tcp *l)
{
    transport_init(&l->base, &ops);
    l->connection.fd = -1;
}

void transport_tcp_init_stream(struct transport_tcp *l, int fd)
{
    transport_tcp_init(l);
    l->is_program = true;
    l->stream = fd;
}
