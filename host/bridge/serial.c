/* cable.c -- see cable.h. */
#include "serial.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "../../port/posix/serve.h"
#include "../../port/posix/tty.h"
#include "serial_text.h"
#include "random.h"
#include "console.h"
#include "share.h"

static const uint32_t usual[] = {115200, 921600, 9600, 57600, 230400, 19200, 38400, 460800, 1000000};

#define USUAL (sizeof usual / sizeof usual[0])
#define TRIES_A_SPEED 2 /* without any answer */

static struct bridge_serial *of(struct bridge_transport *w)
{
    return (struct bridge_serial *)(void *)w;
}

static const struct bridge_serial *of_const(const struct bridge_transport *w)
{
    return (const struct bridge_serial *)(const void *)w;
}

/* ---- Up and down ---- */

static void forget_line(struct bridge_serial *c)
{
    c->text_at = c->text_n = 0;
    c->out_at = c->out_n = 0;
    bridge_serial_text_reset(c);
}

static void go_up(struct bridge_serial *c, enum bridge_transport_state state)
{
    c->way.state = state;
    c->said_gone = false;
    forget_line(c);
    c->way.sent = 0;
    c->way.has_identity = state == BRIDGE_TRANSPORT_SOUND;
    if (state != BRIDGE_TRANSPORT_SHARED && !c->way.quiet) {
        host_log("%s: device found, %s, %u baud", c->way.path, state == BRIDGE_TRANSPORT_SOUND ? "reliable mode" : "plain lines",
                (unsigned)c->way.at_baud);
    }
    c->way.on_up(c->way.owner);
}

/* Whatever was known about the device no longer holds. */
static void go_down(struct bridge_serial *c, enum bridge_transport_state state)
{
    bool was_up = c->way.state > BRIDGE_TRANSPORT_PROBING;
    c->way.state = state;
    c->tries = 0;
    c->plain_heard = false;
    c->next_ms = 0;
    forget_line(c);
    skr_frame_leave(&c->frame, false);
    if (was_up) {
        c->way.on_down(c->way.owner);
    }
}

static void close_port(struct bridge_serial *c)
{
    if (c->fd >= 0) {
        close(c->fd);
    }
    if (c->listener >= 0) {
        close(c->listener);
    }
    c->fd = c->listener = -1;
    c->open_error = ENOENT;
    c->got_at = c->got_n = 0;
    go_down(c, BRIDGE_TRANSPORT_CLOSED);
    c->next_ms = host_clock_ms() + BRIDGE_RETRY_MS / 4;
}

static void restart(struct bridge_transport *w, const char *why)
{
    struct bridge_serial *c = of(w);
    (void)why;
    if (c->way.state == BRIDGE_TRANSPORT_SHARED) {
        close_port(c);
    } else {
        go_down(c, BRIDGE_TRANSPORT_PROBING);
    }
}

/* ---- Opening ---- */

static bool open_shared(struct bridge_serial *c)
{
    c->fd = bridge_share_connect(c->way.path);
    if (c->fd < 0) {
        return false;
    }
    host_log("%s: another bridge has this port; sharing its connection", c->way.path);
    go_up(c, BRIDGE_TRANSPORT_SHARED);
    return true;
}

static const struct trouble {
    int error;
    const char *said, *remedy;
} troubles[] = {
    {0, "no device answers there",
     "The device is not there: no device answers on its port; check its power, its wiring and the speed (--baud)"},
    {ENOENT, "No such file or directory", "The device is not there; check that it is plugged in and powered"},
    {EACCES, "Permission denied; add yourself to the port's group, usually dialout: sudo usermod -aG dialout $USER",
     "Permission to open its port is denied; add yourself to the port's group, usually dialout (sudo usermod -aG "
     "dialout $USER), log in again and start the bridge again"},
    {EBUSY, "in use by another program", "Its port is in use by another program; close that program"},
    {ENOTTY, "not a serial port", "The path is not a serial port; skillrom bridge --list shows those on USB"},
};

#define TROUBLES (sizeof troubles / sizeof troubles[0])

static const struct trouble *trouble_of(const struct bridge_serial *c)
{
    size_t i = 0;
    while (i < TROUBLES && troubles[i].error != c->open_error) {
        i++;
    }
    return i < TROUBLES ? &troubles[i] : NULL;
}

static const char *remedy(const struct bridge_transport *w)
{
    const struct trouble *it = trouble_of(of_const(w));
    return it != NULL ? it->remedy : "Its port cannot be opened; the bridge's messages on stderr say why";
}

static void say_gone(struct bridge_serial *c)
{
    const struct trouble *it = trouble_of(c);
    if (!c->said_gone) {
        host_log("%s: %s; waiting for it", c->way.path, it != NULL ? it->said : strerror(c->open_error));
        c->said_gone = true;
    }
}

static void open_port(struct bridge_serial *c, uint64_t now_ms)
{
    c->next_ms = now_ms + BRIDGE_RETRY_MS;
    c->way.at_baud = c->baud != 0 ? c->baud : usual[c->speed];
    int fd = posix_tty_open(c->way.path, c->way.at_baud);
    if (fd < 0) {
        bool changed = c->open_error != errno;
        c->open_error = errno;
        c->said_gone &= !changed;
        if (c->open_error != EBUSY || !open_shared(c)) {
            say_gone(c);
        }
        return;
    }
    c->open_error = 0;
    posix_tty_exclude(fd);
    c->listener = c->alone ? -1 : bridge_share_listen(c->way.path);
    c->fd = fd;
    c->way.state = BRIDGE_TRANSPORT_PROBING;
    c->tries = 0;
    c->next_ms = now_ms;
    skr_frame_leave(&c->frame, false);
}

/* ---- Finding out how the device speaks ---- */

/* Twice the time that this many bytes take on the line. */
static uint32_t line_ms(const struct bridge_serial *c, uint32_t bytes)
{
    return bytes * 20000u / c->way.at_baud;
}

static void next_speed(struct bridge_serial *c)
{
    c->tries = 0;
    if (c->baud == 0) {
        c->speed = (c->speed + 1) % USUAL;
        c->way.at_baud = usual[c->speed];
        if (!posix_tty_set_baud(c->fd, c->way.at_baud)) {
            close_port(c);
        }
    }
    if (c->fd >= 0 && c->speed == 0) {
        say_gone(c);
    }
}

/* A hello for devices with frames; a ping for all. The line end before each separates it from what came before. */
static void probe(struct bridge_serial *c, uint64_t now_ms)
{
    if (c->plain_heard && (c->plain || c->tries >= BRIDGE_HELLOS)) {
        go_up(c, BRIDGE_TRANSPORT_PLAIN);
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
    c->way.ping_open = true;
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
    c->said_ms = now_ms;
    c->next_ms = now_ms + BRIDGE_HELLO_MS + line_ms(c, 256);
}

/* ---- Moving bytes ---- */

static void on_event(struct bridge_serial *c, enum skr_frame_event event)
{
    switch (event) {
    case SKR_FRAME_WELCOMED:
        if (skr_frame_accept(&c->frame, c->way.identity)) {
            go_up(c, BRIDGE_TRANSPORT_SOUND);
        }
        break;
    case SKR_FRAME_ENDED:
        if (c->way.state == BRIDGE_TRANSPORT_SOUND) {
            bridge_transport_restart(&c->way, "the device was reset");
        }
        break;
    case SKR_FRAME_LOST: bridge_transport_restart(&c->way, "the device no longer answers"); break;
    default: break;
    }
}

/* Each message may take the last free buffer. What then stays in the frame keeps the device from sending more. */
static void take_payload(struct bridge_serial *c)
{
    const uint8_t *payload;
    size_t n;
    while (c->way.state == BRIDGE_TRANSPORT_SOUND && c->way.in != NULL && (n = skr_frame_payload(&c->frame, &payload)) > 0) {
        size_t taken = 0;
        while (taken < n && c->way.in != NULL) {
            bridge_serial_payload(c, payload[taken++]);
        }
        skr_frame_taken(&c->frame, taken);
    }
}

/* True when the port should be watched for bytes. Without a buffer for messages a plain line is not read. A line with
 * frames is read all the same: frames tell the device to wait, and it gives up on a host that does not answer. */
static bool listens(const struct bridge_serial *c)
{
    return c->way.in != NULL || (c->way.state != BRIDGE_TRANSPORT_PLAIN && c->way.state != BRIDGE_TRANSPORT_SHARED);
}

static void take_bytes(struct bridge_serial *c)
{
    while (c->got_at < c->got_n && listens(c)) {
        uint8_t byte = c->got[c->got_at++];
        enum skr_frame_event event = c->way.state == BRIDGE_TRANSPORT_SHARED ? SKR_FRAME_TEXT : skr_frame_rx(&c->frame, byte);
        if (event == SKR_FRAME_TEXT) {
            bridge_serial_text(c, byte);
        } else {
            on_event(c, event);
        }
        take_payload(c);
    }
}

/* False when the port is gone. */
static bool receive(struct bridge_serial *c, uint64_t now_ms)
{
    take_payload(c);
    for (unsigned i = 0; i < 16 && c->fd >= 0 && listens(c); i++) {
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
        c->way.heard_ms = now_ms;
        take_bytes(c);
    }
    return true;
}

/* Gets the next bytes for the port. */
static void fill_out(struct bridge_serial *c)
{
    size_t left = c->text_n - c->text_at;
    c->out_at = c->out_n = 0;
    if (c->way.state == BRIDGE_TRANSPORT_SOUND) {
        c->text_at += skr_frame_put(&c->frame, c->text + c->text_at, left);
        c->out_n = skr_frame_tx(&c->frame, c->out, sizeof c->out);
    } else {
        c->out_n = left < sizeof c->out ? left : sizeof c->out;
        memcpy(c->out, c->text + c->text_at, c->out_n);
        c->text_at += c->out_n;
    }
}

/* False when the port is gone. */
static bool send_bytes(struct bridge_serial *c, uint64_t now_ms)
{
    for (;;) {
        if (c->out_at == c->out_n) {
            if (c->way.state <= BRIDGE_TRANSPORT_PROBING) {
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
        c->said_ms = now_ms;
    }
}

static bool has_hung_up(int fd)
{
    struct pollfd end = {.fd = fd, .events = 0};
    return poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

static void let_bridges_in(struct bridge_serial *c)
{
    int fd = c->listener >= 0 ? bridge_share_accept(c->listener) : -1;
    if (fd >= 0 && posix_net_adopt(fd, "another bridge")) {
        host_log("%s: shared with another bridge", c->way.path);
    }
}

static void turn(struct bridge_transport *w, uint64_t now_ms)
{
    struct bridge_serial *c = of(w);
    let_bridges_in(c);
    on_event(c, skr_frame_tick(&c->frame, (uint32_t)now_ms));
    if (c->fd < 0 && now_ms >= c->next_ms) {
        open_port(c, now_ms);
    }
    if (c->fd < 0) {
        return;
    }
    if (c->way.state == BRIDGE_TRANSPORT_PROBING && now_ms >= c->next_ms) {
        probe(c, now_ms);
    }
    bool silent =
        bridge_waited(now_ms, c->way.heard_ms, BRIDGE_ALIVE_MS) && bridge_waited(now_ms, c->said_ms, BRIDGE_ALIVE_MS);
    if (c->way.state == BRIDGE_TRANSPORT_SOUND && silent && !c->frame.polling) {
        skr_frame_poll(&c->frame);
    }
    if (c->fd >= 0 && (!receive(c, now_ms) || (c->fd >= 0 && (!send_bytes(c, now_ms) || has_hung_up(c->fd))))) {
        bool shared = c->way.state == BRIDGE_TRANSPORT_SHARED;
        host_log("%s: %s", c->way.path, shared ? "the other bridge has ended" : "the port is gone; waiting for it");
        c->said_gone = !shared;
        close_port(c);
    }
}

/* ---- For the owner ---- */

static bool can_send(const struct bridge_transport *w)
{
    const struct bridge_serial *c = of_const(w);
    return c->text_at == c->text_n;
}

static void add(struct bridge_serial *c, struct skr_span s)
{
    if (c->text_n + s.n < sizeof c->text) {
        memcpy(c->text + c->text_n, s.p, s.n);
        c->text_n += s.n;
    }
}

static void send_message(struct bridge_transport *w, const struct skr_span parts[3])
{
    struct bridge_serial *c = of(w);
    c->text_at = c->text_n = 0;
    for (unsigned i = 0; i < 3; i++) {
        add(c, parts[i]);
    }
    c->text[c->text_n++] = '\n';
    if (!send_bytes(c, host_clock_ms())) {
        c->next_ms = 0; /* the next turn will notice */
    }
}

static void end_line(struct bridge_transport *w)
{
    struct bridge_serial *c = of(w);
    if (c->text_at == c->text_n) {
        c->text_at = 0;
        c->text_n = 1;
        c->text[0] = '\n';
        w->sent++;
    }
}

/* Frames are acknowledged; of a plain line nobody knows. */
static bool has_taken_all(const struct bridge_transport *w)
{
    const struct bridge_serial *c = of_const(w);
    return w->state != BRIDGE_TRANSPORT_SOUND || (can_send(w) && skr_frame_unsent(&c->frame) == 0);
}

static uint32_t wait_ms(const struct bridge_transport *w, uint64_t now_ms)
{
    const struct bridge_serial *c = of_const(w);
    const uint8_t *payload;
    if (w->in != NULL && (c->got_at < c->got_n || skr_frame_payload(&c->frame, &payload) > 0)) {
        return 0; /* it has waited for a buffer, and there is one now */
    }
    if (w->state <= BRIDGE_TRANSPORT_PROBING) {
        return c->next_ms > now_ms ? (uint32_t)(c->next_ms - now_ms) : 1;
    }
    bool waiting = w->state == BRIDGE_TRANSPORT_SOUND && (c->frame.polling || skr_frame_unsent(&c->frame) > 0);
    return waiting ? 20 : BRIDGE_ALIVE_MS / 4;
}

static unsigned wants(const struct bridge_transport *w, int fds[BRIDGE_TRANSPORT_FDS], short events[BRIDGE_TRANSPORT_FDS])
{
    const struct bridge_serial *c = of_const(w);
    bool full = c->out_at < c->out_n;
    fds[0] = c->fd;
    events[0] = (short)((listens(c) ? POLLIN : 0) | (full ? POLLOUT : 0));
    fds[1] = c->listener;
    events[1] = POLLIN;
    return 2;
}

static void end(struct bridge_transport *w)
{
    struct bridge_serial *c = of(w);
    if (w->state == BRIDGE_TRANSPORT_SOUND && c->out_at == c->out_n) {
        skr_frame_leave(&c->frame, true);
        c->out_at = 0;
        c->out_n = skr_frame_tx(&c->frame, c->out, sizeof c->out);
        (void)!write(c->fd, c->out, c->out_n);
    }
    if (c->fd >= 0) {
        close(c->fd);
    }
    c->fd = -1;
}

static const struct bridge_transport_ops serial = {.turn = turn,
                                           .can_send = can_send,
                                           .send = send_message,
                                           .end_line = end_line,
                                           .has_taken_all = has_taken_all,
                                           .wait_ms = wait_ms,
                                           .wants = wants,
                                           .remedy = remedy,
                                           .restart = restart,
                                           .end = end};

void bridge_serial_init(struct bridge_serial *c)
{
    c->way.kind = &serial;
    c->way.steady = true;
    c->way.most = BRIDGE_IN_FLIGHT;
    c->way.state = BRIDGE_TRANSPORT_CLOSED;
    c->fd = c->listener = -1;
    c->open_error = ENOENT;
    (void)host_random(&c->nonce, sizeof c->nonce); /* any will do: it only has to differ from the last one */
    skr_frame_open(&c->frame, c->frame_rx, sizeof c->frame_rx, c->frame_tx, sizeof c->frame_tx);
}
