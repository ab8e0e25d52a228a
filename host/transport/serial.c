/* serial.c -- see serial.h. */
#include "serial.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../port/posix/serve.h"
#include "../../port/posix/tty.h"
#include "clock.h"
#include "console.h"
#include "random.h"
#include "share.h"

static const uint32_t usual[] = {115200, 921600, 9600, 57600, 230400, 19200, 38400, 460800, 1000000};

#define USUAL (sizeof usual / sizeof usual[0])
#define TRIES_A_SPEED 2 /* probes without a response */

static struct transport_serial *serial_of(struct transport *t)
{
    return (struct transport_serial *)(void *)t;
}

static const struct transport_serial *const_self(const struct transport *t)
{
    return (const struct transport_serial *)(const void *)t;
}

/* ---- Up and down ---- */

static void forget_line(struct transport_serial *c)
{
    c->text_at = c->text_n = 0;
    c->out_at = c->out_n = 0;
    transport_serial_text_reset(c);
}

static void serial_go_up(struct transport_serial *c, enum transport_state state)
{
    c->base.state = state;
    c->reported_gone = false;
    forget_line(c);
    c->base.sent = 0;
    c->base.has_identity = state == TRANSPORT_RELIABLE;
    if (state != TRANSPORT_SHARED && !c->base.quiet) {
        host_log("%s: device found, %s, %u baud", c->base.path,
                 state == TRANSPORT_RELIABLE ? "reliable mode" : "plain lines", (unsigned)c->base.at_baud);
    }
    c->base.on_up(c->base.owner);
}

/* The device may be another one from now on. */
static void serial_go_down(struct transport_serial *c, enum transport_state state)
{
    bool was_up = c->base.state > TRANSPORT_PROBING;

    c->base.state = state;
    c->tries = 0;
    c->plain_heard = false;
    c->base.next_ms = 0;
    forget_line(c);
    skr_frame_leave(&c->frame, false);
    if (was_up) {
        c->base.on_down(c->base.owner);
    }
}

static void close_port(struct transport_serial *c)
{
    if (c->fd >= 0) {
        posix_tty_close(c->fd);
    }
    if (c->listener >= 0) {
        close(c->listener);
    }
    c->fd = c->listener = -1;
    transport_serial_set_error(c, ENOENT);
    c->got_at = c->got_n = 0;
    serial_go_down(c, TRANSPORT_CLOSED);
    c->base.next_ms = host_clock_ms() + TRANSPORT_RETRY_MS / 4;
}

static void serial_restart(struct transport *t)
{
    struct transport_serial *c = serial_of(t);

    transport_serial_set_error(c, c->open_error); /* the remedy is that of the port */
    if (c->base.state == TRANSPORT_SHARED) {
        close_port(c);
    } else {
        serial_go_down(c, TRANSPORT_PROBING);
    }
}

/* ---- Opening ---- */

static bool open_shared(struct transport_serial *c)
{
    c->fd = transport_share_connect(c->base.path);
    if (c->fd < 0) {
        return false;
    }
    host_log("%s: another bridge has this port; sharing its connection", c->base.path);
    serial_go_up(c, TRANSPORT_SHARED);
    return true;
}

static void report_gone(struct transport_serial *c)
{
    if (!c->reported_gone) {
        host_log("%s: %s; waiting for it", c->base.path, transport_serial_error(c));
        c->reported_gone = true;
    }
}

static void open_port(struct transport_serial *c, uint64_t now_ms)
{
    c->base.next_ms = now_ms + TRANSPORT_RETRY_MS;
    c->base.at_baud = c->baud != 0 ? c->baud : usual[c->speed];
    int fd = posix_tty_open(c->base.path, c->base.at_baud);
    if (fd < 0) {
        bool changed = c->open_error != errno;
        transport_serial_set_error(c, errno);
        c->reported_gone &= !changed;
        if (c->open_error != EBUSY || !open_shared(c)) {
            report_gone(c);
        }
        return;
    }
    transport_serial_set_error(c, 0);
    posix_tty_exclude(fd);
    c->listener = c->alone ? -1 : transport_share_listen(c->base.path);
    c->fd = fd;
    c->base.state = TRANSPORT_PROBING;
    c->tries = 0;
    c->base.next_ms = now_ms;
    skr_frame_leave(&c->frame, false);
}

/* ---- Probing ---- */

/* Twice the time that this many bytes take on the line. */
static uint32_t line_ms(const struct transport_serial *c, uint32_t bytes)
{
    return bytes * 20000u / c->base.at_baud;
}

static void next_speed(struct transport_serial *c)
{
    c->tries = 0;
    if (c->baud == 0) {
        c->speed = (c->speed + 1) % USUAL;
        c->base.at_baud = usual[c->speed];
        if (!posix_tty_set_baud(c->fd, c->base.at_baud)) {
            close_port(c);
        }
    }
    if (c->fd >= 0 && c->speed == 0) {
        report_gone(c);
    }
}

/* Sends a hello for devices with frames and a ping for all. The newline before each separates it from earlier bytes. */
static void serial_probe(struct transport_serial *c, uint64_t now_ms)
{
    if (c->plain_heard && (c->plain || c->tries >= TRANSPORT_HELLOS)) {
        serial_go_up(c, TRANSPORT_PLAIN);
        return;
    }
    if (!c->plain_heard && c->tries >= TRIES_A_SPEED) {
        next_speed(c);
        if (c->fd < 0) {
            return;
        }
    }
    c->tries++;
    c->nonce++;
    c->base.ping_open = true;
    if (c->plain) {
        skr_frame_leave(&c->frame, true);
    } else {
        skr_frame_hello(&c->frame, c->nonce, (uint16_t)(100 + line_ms(c, 512)));
    }
    size_t n = 0;
    c->out_at = 0;
    c->out[n++] = '\n';
    n += skr_frame_tx(&c->frame, c->out + n, sizeof c->out - n);
    n += (size_t)snprintf((char *)c->out + n, sizeof c->out - n,
                          "\n{\"jsonrpc\":\"2.0\",\"id\":\"probe-%04x\",\"method\":\"ping\"}\n", (unsigned)c->nonce);
    c->out_n = n;
    c->sent_ms = now_ms;
    c->base.next_ms = now_ms + TRANSPORT_HELLO_MS + line_ms(c, 256);
}

/* ---- Moving bytes ---- */

static void on_event(struct transport_serial *c, enum skr_frame_event event)
{
    switch (event) {
    case SKR_FRAME_WELCOMED:
        if (skr_frame_accept(&c->frame, c->base.identity)) {
            serial_go_up(c, TRANSPORT_RELIABLE);
        }
        break;
    case SKR_FRAME_ENDED:
        if (c->base.state == TRANSPORT_RELIABLE) {
            transport_restart(&c->base, "the device was reset");
        }
        break;
    case SKR_FRAME_LOST: transport_restart(&c->base, "the device no longer responds"); break;
    default: break;
    }
}

/* Each message may take the last free buffer. Bytes that then stay in the frame keep the device from sending more. */
static void take_payload(struct transport_serial *c)
{
    const uint8_t *payload;
    size_t n;

    while (c->base.state == TRANSPORT_RELIABLE && c->base.in != NULL &&
           (n = skr_frame_payload(&c->frame, &payload)) > 0) {
        size_t taken = 0;
        while (taken < n && c->base.in != NULL) {
            transport_serial_payload(c, payload[taken++]);
        }
        skr_frame_taken(&c->frame, taken);
    }
}

/* True when the port should be watched for bytes. Without a buffer for messages a plain line is not read. A line with
 * frames is read all the same: frames make the device wait, and it gives up on a host that does not respond. */
static bool device_listens(const struct transport_serial *c)
{
    return c->base.in != NULL || (c->base.state != TRANSPORT_PLAIN && c->base.state != TRANSPORT_SHARED);
}

static void take_bytes(struct transport_serial *c)
{
    while (c->got_at < c->got_n && device_listens(c)) {
        uint8_t byte = c->got[c->got_at++];
        enum skr_frame_event event = c->base.state == TRANSPORT_SHARED ? SKR_FRAME_TEXT : skr_frame_rx(&c->frame, byte);
        if (event == SKR_FRAME_TEXT) {
            transport_serial_text(c, byte);
        } else {
            on_event(c, event);
        }
        take_payload(c);
    }
}

/* False when the port is gone. */
static bool serial_receive(struct transport_serial *c, uint64_t now_ms)
{
    take_payload(c);
    for (unsigned i = 0; i < 16 && c->fd >= 0 && device_listens(c); i++) {
        if (c->got_at == c->got_n) {
            ssize_t n = read(c->fd, c->got, sizeof c->got);
            if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
                return true;
            }
            if (n <= 0) {
                return false;
            }
            c->got_at = 0;
            c->got_n = (size_t)n;
        }
        c->base.heard_ms = now_ms;
        take_bytes(c);
    }
    return true;
}

/* Gets the next bytes for the port. */
static void fill_out(struct transport_serial *c)
{
    size_t left = c->text_n - c->text_at;

    c->out_at = c->out_n = 0;
    if (c->base.state == TRANSPORT_RELIABLE) {
        c->text_at += skr_frame_put(&c->frame, c->text + c->text_at, left);
        c->out_n = skr_frame_tx(&c->frame, c->out, sizeof c->out);
    } else {
        c->out_n = left < sizeof c->out ? left : sizeof c->out;
        memcpy(c->out, c->text + c->text_at, c->out_n);
        c->text_at += c->out_n;
    }
}

/* False when the port is gone. */
static bool serial_send_bytes(struct transport_serial *c, uint64_t now_ms)
{
    for (;;) {
        if (c->out_at == c->out_n) {
            if (c->base.state <= TRANSPORT_PROBING) {
                return true;
            }
            fill_out(c);
            if (c->out_n == 0) {
                return true;
            }
        }
        ssize_t n = write(c->fd, c->out + c->out_at, c->out_n - c->out_at);
        if (n < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
        c->out_at += (size_t)n;
        c->sent_ms = now_ms;
    }
}

static bool has_hung_up(int fd)
{
    struct pollfd end = {.fd = fd, .events = 0};

    return poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

static void accept_bridges(struct transport_serial *c)
{
    int fd = c->listener >= 0 ? transport_share_accept(c->listener) : -1;

    if (fd >= 0 && posix_net_adopt(fd, "another bridge")) {
        host_log("%s: shared with another bridge", c->base.path);
    }
}

static void serial_turn(struct transport *t, uint64_t now_ms)
{
    struct transport_serial *c = serial_of(t);

    accept_bridges(c);
    on_event(c, skr_frame_tick(&c->frame, (uint32_t)now_ms));
    if (c->fd < 0 && now_ms >= c->base.next_ms) {
        open_port(c, now_ms);
    }
    if (c->fd < 0) {
        return;
    }
    if (c->base.state == TRANSPORT_PROBING && now_ms >= c->base.next_ms) {
        serial_probe(c, now_ms);
    }
    bool silent = host_waited(now_ms, c->base.heard_ms, TRANSPORT_ALIVE_MS) &&
                  host_waited(now_ms, c->sent_ms, TRANSPORT_ALIVE_MS);
    if (c->base.state == TRANSPORT_RELIABLE && silent && !c->frame.polling) {
        skr_frame_poll(&c->frame);
    }
    if (c->fd >= 0 &&
        (!serial_receive(c, now_ms) || (c->fd >= 0 && (!serial_send_bytes(c, now_ms) || has_hung_up(c->fd))))) {
        bool shared = c->base.state == TRANSPORT_SHARED;
        host_log("%s: %s", c->base.path, shared ? "the other bridge has ended" : "the port is gone; waiting for it");
        c->reported_gone = !shared;
        close_port(c);
    }
}

/* ---- For the owner ---- */

static bool serial_can_send(const struct transport *t)
{
    const struct transport_serial *c = const_self(t);

    return c->text_at == c->text_n;
}

static void text_add(struct transport_serial *c, struct skr_span s)
{
    if (c->text_n + s.n < sizeof c->text) {
        memcpy(c->text + c->text_n, s.p, s.n);
        c->text_n += s.n;
    }
}

static void serial_send(struct transport *t, const struct skr_span parts[3])
{
    struct transport_serial *c = serial_of(t);

    c->text_at = c->text_n = 0;
    for (unsigned i = 0; i < 3; i++) {
        text_add(c, parts[i]);
    }
    c->text[c->text_n++] = '\n';
    if (!serial_send_bytes(c, host_clock_ms())) {
        c->base.next_ms = 0; /* the next turn will notice */
    }
}

static void serial_end_line(struct transport *t)
{
    struct transport_serial *c = serial_of(t);

    if (c->text_at == c->text_n) {
        c->text_at = 0;
        c->text_n = 1;
        c->text[0] = '\n';
        t->sent++;
    }
}

/* Frames are acknowledged; plain lines are not. */
static bool serial_has_taken_all(const struct transport *t)
{
    const struct transport_serial *c = const_self(t);

    return t->state != TRANSPORT_RELIABLE || (serial_can_send(t) && skr_frame_unsent(&c->frame) == 0);
}

static uint32_t serial_wait_ms(const struct transport *t, uint64_t now_ms)
{
    const struct transport_serial *c = const_self(t);
    const uint8_t *payload;

    if (t->in != NULL && (c->got_at < c->got_n || skr_frame_payload(&c->frame, &payload) > 0)) {
        return 0; /* bytes have waited for a buffer, and there is one now */
    }
    if (t->state <= TRANSPORT_PROBING) {
        return c->base.next_ms > now_ms ? (uint32_t)(c->base.next_ms - now_ms) : 1;
    }
    bool waiting = t->state == TRANSPORT_RELIABLE && (c->frame.polling || skr_frame_unsent(&c->frame) > 0);
    return waiting ? 20 : TRANSPORT_ALIVE_MS / 4;
}

static unsigned serial_wants(const struct transport *t, int fds[TRANSPORT_FDS], short events[TRANSPORT_FDS])
{
    const struct transport_serial *c = const_self(t);
    bool full = c->out_at < c->out_n;

    fds[0] = c->fd;
    events[0] = (short)((device_listens(c) ? POLLIN : 0) | (full ? POLLOUT : 0));
    fds[1] = c->listener;
    events[1] = POLLIN;
    return 2;
}

static void serial_end(struct transport *t)
{
    struct transport_serial *c = serial_of(t);

    if (t->state == TRANSPORT_RELIABLE && c->out_at == c->out_n) {
        skr_frame_leave(&c->frame, true);
        c->out_at = 0;
        c->out_n = skr_frame_tx(&c->frame, c->out, sizeof c->out);
        (void)!write(c->fd, c->out, c->out_n);
    }
    if (c->fd >= 0) {
        posix_tty_close(c->fd);
    }
    c->fd = -1;
}

static const struct transport_ops ops = {
    serial_turn,  serial_can_send, serial_send, serial_has_taken_all, serial_wait_ms,
    serial_wants, serial_restart,  serial_end,  serial_end_line,      NULL,
    NULL};

void transport_serial_init(struct transport_serial *c)
{
    transport_init(&c->base, &ops);
    c->base.steady = true;
    c->fd = c->listener = -1;
    transport_serial_set_error(c, ENOENT);
    (void)host_random(&c->nonce, sizeof c->nonce); /* it only has to differ from the last one */
    skr_frame_open(&c->frame, c->frame_rx, sizeof c->frame_rx, c->frame_tx, sizeof c->frame_tx);
}
