/* bridge.c -- `skillrom bridge`: connects the client on stdio, or HTTP clients, to the core and the devices.
 *
 * The loop is that of port/posix/net.c. What the bridge waits for beside clients -- serial
 * ports, other bridges, stdin, a timer -- is gathered in an epoll of its own, which that loop
 * watches as one thing. */
#include "bridge.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "../posix/clock.h"
#include "../posix/reload.h"
#include "../posix/say.h"
#include "../posix/serve.h"
#include "call.h"
#include "front.h"
#include "ports.h"
#include "share.h"
#include "stdio_client.h"
#include "requests.h"
#include "wake.h"

static struct skr_bridge_call call;
static struct skr_relay relays[SKR_BRIDGE_DEVICES];
static char larges[SKR_BRIDGE_DEVICES][SKR_BRIDGE_LARGES][SKR_BRIDGE_LARGE];
static int side = -1, timer = -1;
static bool use_stdio;
static int stdio_fd = -1; /* the core's end of the client on stdio, until it is adopted */

/* ---- What is waited for ---- */

#define WATCHED (2 * SKR_BRIDGE_DEVICES + 4)

struct watched {
    size_t count;
    struct {
        int fd;
        uint32_t events;
    } at[WATCHED];
};

static struct watched before;

static void want(struct watched *w, int fd, short events)
{
    if (fd >= 0) {
        w->at[w->count].fd = fd;
        w->at[w->count++].events = (uint32_t)((events & POLLIN ? EPOLLIN : 0) | (events & POLLOUT ? EPOLLOUT : 0));
    }
}

static bool holds(const struct watched *w, int fd)
{
    for (size_t i = 0; i < w->count; i++) {
        if (w->at[i].fd == fd) {
            return true;
        }
    }
    return false;
}

/* True when everything can be watched. A plain file as stdin cannot; it is always ready. */
static bool watch_all(const struct watched *now)
{
    bool all = true;
    for (size_t i = 0; i < before.count; i++) {
        if (!holds(now, before.at[i].fd)) {
            (void)epoll_ctl(side, EPOLL_CTL_DEL, before.at[i].fd, NULL);
        }
    }
    for (size_t i = 0; i < now->count; i++) {
        struct epoll_event event = {.events = now->at[i].events};
        if (epoll_ctl(side, EPOLL_CTL_MOD, now->at[i].fd, &event) != 0 &&
            epoll_ctl(side, EPOLL_CTL_ADD, now->at[i].fd, &event) != 0) {
            all &= errno != EPERM;
        }
    }
    before = *now;
    return all;
}

static void wait_for_all(uint64_t now_ms)
{
    struct watched now = {.count = 0};
    uint32_t wait_ms = 1000;
    int fds[3];
    short events[3];
    for (size_t i = 0; i < call.device_count; i++) {
        struct skr_cable *c = &relays[i].cable;
        want(&now, c->fd, (short)((skr_cable_listens(c) ? POLLIN : 0) | (skr_cable_is_full(c) ? POLLOUT : 0)));
        want(&now, c->listener, POLLIN);
        uint32_t wanted_ms = skr_relay_wait_ms(&relays[i], now_ms);
        wait_ms = wanted_ms < wait_ms ? wanted_ms : wait_ms;
    }
    for (unsigned i = 0, n = use_stdio ? skr_stdio_wants(fds, events) : 0; i < n; i++) {
        want(&now, fds[i], events[i]);
    }
    skr_wake_in(watch_all(&now) ? wait_ms : 1);
}

/* ---- A turn ---- */

static void let_bridges_in(struct skr_cable *c)
{
    int fd = c->listener >= 0 ? skr_share_accept(c->listener) : -1;
    if (fd >= 0 && skr_net_adopt(fd)) {
        skr_say("%s: shared with another bridge", c->path);
    }
}

static void turn(uint64_t loop_ms)
{
    uint64_t ticks, now_ms = skr_clock_ms(); /* later than the loop's: requests may have arrived since */
    (void)loop_ms;
    (void)!read(timer, &ticks, sizeof ticks);
    if (stdio_fd >= 0) {
        (void)skr_net_adopt(stdio_fd);
        stdio_fd = -1;
    }
    for (size_t i = 0; i < call.device_count; i++) {
        let_bridges_in(&relays[i].cable);
        skr_relay_turn(&relays[i], now_ms);
    }
    skr_requests_tidy();
    if (use_stdio && !skr_stdio_turn()) {
        skr_net_stop();
    }
    wait_for_all(now_ms);
}

/* ---- Start and end ---- */

/* What the loop announces that it serves. */
void skr_describe(const struct skr_server *server, char *what, size_t size)
{
    (void)server;
    (void)snprintf(what, size, "%s%s", call.paths[0], call.device_count > 1 ? " and others" : "");
}

/* A missing port may still appear, but a path that is something else will not become one. */
static bool are_ports(void)
{
    for (size_t i = 0; i < call.device_count; i++) {
        int fd = open(call.paths[i], O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        bool other = fd >= 0 ? !isatty(fd) : errno == EISDIR;
        if (fd >= 0) {
            close(fd);
        }
        if (other) {
            skr_say("%s: not a serial port; skillrom bridge --list shows those on USB", call.paths[i]);
            return false;
        }
    }
    return true;
}

static void start_devices(void)
{
    for (size_t i = 0; i < call.device_count; i++) {
        struct skr_relay *r = &relays[i];
        r->cable.path = call.paths[i];
        r->cable.label = call.device_count > 1 ? call.names[i] : "device";
        memcpy(r->name, call.names[i], sizeof r->name);
        r->cable.baud = call.bauds[i] != 0 ? call.bauds[i] : call.baud;
        r->cable.plain = call.plain;
        r->cable.quiet = call.quiet;
        r->wait_ms = call.wait_ms;
        r->answer_ms = call.answer_ms;
        r->larges = larges[i];
        r->on_change = skr_front_changed;
        r->promises = !call.no_changes;
        skr_relay_init(r);
    }
}

static bool start_loop(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    side = epoll_create1(EPOLL_CLOEXEC);
    timer = skr_wake_open();
    if (use_stdio) {
        stdio_fd = skr_stdio_open();
    }
    if (side < 0 || timer < 0 || epoll_ctl(side, EPOLL_CTL_ADD, timer, &event) != 0 || (use_stdio && stdio_fd < 0)) {
        skr_say("cannot wait for devices: %s", strerror(errno));
        return false;
    }
    skr_wake_in(0);
    skr_net_side(side, turn);
    return true;
}

int skr_bridge_main(int argc, char **argv)
{
    static struct skr_reload no_reload;
    skr_say_as("skillrom bridge");
    int code = skr_bridge_call(&call, argc, argv);
    if (code != 0) {
        return code;
    }
    if (call.list) {
        return skr_ports_list();
    }
    if (!are_ports()) {
        return 1;
    }
    signal(SIGPIPE, SIG_IGN); /* a client that has left fails one write */
    use_stdio = call.net.listen_count == 0;
    if (!call.no_cache) {
        (void)skr_cache_open(call.cache, call.cache_mb);
    }
    start_devices();
    skr_front_init(relays, call.device_count, !call.no_changes, call.poll_ms);
    if (!start_loop()) {
        return 1;
    }
    code = skr_serve_net(&skr_bridge_server, &call.net, &no_reload);
    for (size_t i = 0; i < call.device_count; i++) {
        skr_cable_end(&relays[i].cable);
    }
    return code;
}
