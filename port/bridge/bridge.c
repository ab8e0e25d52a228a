/* bridge.c -- `skillrom bridge`: connects the client on stdio, or HTTP clients, to the core and the devices.
 *
 * The loop is that of port/posix/net.c. What the bridge waits for beside clients -- serial
 * ports, other bridges, stdin, the time -- is gathered in a waiter of its own, which that loop
 * watches as one thing. */
#include "bridge.h"

#include <signal.h>

#include "clock.h"
#include "../posix/reload.h"
#include "say.h"
#include "../posix/serve.h"
#include "call.h"
#include "front.h"
#include "ports.h"
#include "publish.h"
#include "requests.h"
#include "side.h"
#include "ways.h"

static struct skr_bridge_call call;
static struct skr_relay relays[SKR_BRIDGE_DEVICES];
static char larges[SKR_BRIDGE_DEVICES][SKR_BRIDGE_LARGES][SKR_BRIDGE_LARGE];

/* ---- What is waited for ---- */

typedef char all_can_be_watched[SKR_WAY_FDS * SKR_BRIDGE_DEVICES + SKR_PUBLISH_FDS + 4 <= SKR_SIDE_FDS ? 1 : -1];

static void wait_for_all(uint64_t now_ms)
{
    struct skr_side now = {.count = 0};
    uint32_t wait_ms = 1000;
    int fds[SKR_WAY_FDS + SKR_PUBLISH_FDS];
    short events[SKR_WAY_FDS + SKR_PUBLISH_FDS];
    for (size_t i = 0; i < call.device_count; i++) {
        for (unsigned k = 0, n = skr_way_wants(relays[i].way, fds, events); k < n; k++) {
            skr_side_want(&now, fds[k], events[k]);
        }
        uint32_t wanted_ms = skr_relay_wait_ms(&relays[i], now_ms);
        wait_ms = wanted_ms < wait_ms ? wanted_ms : wait_ms;
    }
    for (unsigned i = 0, n = skr_publish_wants(fds, events); i < n; i++) {
        skr_side_want(&now, fds[i], events[i]);
    }
    uint32_t publish_ms = skr_publish_wait_ms(now_ms);
    wait_ms = publish_ms < wait_ms ? publish_ms : wait_ms;
    skr_side_end(&now, wait_ms);
}

/* ---- A turn ---- */

static void on_change(unsigned kinds)
{
    skr_front_changed(kinds);
    skr_publish_changed();
}

static void turn(uint64_t loop_ms)
{
    uint64_t now_ms = skr_clock_ms(); /* later than the loop's: requests may have arrived since */
    (void)loop_ms;
    skr_side_begin();
    bool there = false;
    for (size_t i = 0; i < call.device_count; i++) {
        skr_relay_turn(&relays[i], now_ms);
        there |= relays[i].way->state >= SKR_WAY_PLAIN;
    }
    skr_requests_tidy();
    skr_publish_turn(there, now_ms);
    wait_for_all(now_ms);
}

/* ---- Start and end ---- */

int skr_bridge_main(int argc, char **argv)
{
    static struct skr_reload no_reload;
    int code = skr_bridge_call(&call, argc, argv);
    if (code != 0) {
        return code;
    }
    if (call.list) {
        return skr_ports_list();
    }
    if (!skr_ways_check(&call)) {
        return 1;
    }
    signal(SIGPIPE, SIG_IGN); /* a client that has left fails one write */
    skr_describe_as(call.paths[0], call.device_count > 1 ? " and others" : "");
    if (!call.no_cache) {
        (void)skr_cache_open(call.cache, call.cache_mb);
    }
    skr_ways_start(relays, &call);
    for (size_t i = 0; i < call.device_count; i++) {
        relays[i].larges = larges[i];
        relays[i].on_change = on_change;
        skr_relay_init(&relays[i]);
    }
    skr_front_init(relays, call.device_count, !call.no_changes, call.poll_ms);
    if (!skr_side_open(call.net.listen_count == 0 && call.mqtt.url == NULL, turn) || !skr_publish_open(&call)) {
        return 1;
    }
    code = skr_serve_net(&skr_bridge_server, &call.net, &no_reload);
    skr_publish_end();
    for (size_t i = 0; i < call.device_count; i++) {
        skr_relay_end(&relays[i]);
    }
    return code;
}
