/* bridge.c -- `skillrom bridge`: connects the client on stdio, or HTTP clients, to the core and the devices.
 *
 * The loop is that of port/posix/net.c. Everything else that the bridge waits for, such as serial ports, other bridges,
 * stdin and the time, is collected in a waiter of its own. To that loop it is one descriptor. */
#include "bridge.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../../port/posix/reload.h"
#include "../../port/posix/serve.h"
#include "../transport/serial_ports.h"
#include "backend.h"
#include "clock.h"
#include "console.h"
#include "loop.h"
#include "options.h"
#include "publish.h"
#include "requests.h"

static struct bridge_options options;
static struct bridge_relay relays[TRANSPORT_DEVICES];
static char larges[TRANSPORT_DEVICES][BRIDGE_LARGES][TRANSPORT_LARGE];

/* ---- Waiting ---- */

typedef char
    all_descriptors_fit[TRANSPORT_FDS * TRANSPORT_DEVICES + BRIDGE_PUBLISH_FDS + 4 <= BRIDGE_LOOP_FDS ? 1 : -1];

static void wait_for_all(uint64_t now_ms)
{
    struct bridge_loop now = {.count = 0};
    uint32_t wait_ms = 1000;
    int fds[TRANSPORT_FDS + BRIDGE_PUBLISH_FDS];
    short events[TRANSPORT_FDS + BRIDGE_PUBLISH_FDS];

    for (size_t i = 0; i < options.devices.count; i++) {
        for (unsigned k = 0, n = transport_wants(relays[i].transport, fds, events); k < n; k++) {
            bridge_loop_want(&now, fds[k], events[k]);
        }
        uint32_t wanted_ms = bridge_relay_wait_ms(&relays[i], now_ms);
        wait_ms = wanted_ms < wait_ms ? wanted_ms : wait_ms;
    }
    for (unsigned i = 0, n = bridge_publish_wants(fds, events); i < n; i++) {
        bridge_loop_want(&now, fds[i], events[i]);
    }
    uint32_t publish_ms = bridge_publish_wait_ms(now_ms);
    wait_ms = publish_ms < wait_ms ? publish_ms : wait_ms;
    bridge_loop_end(&now, wait_ms);
}

/* ---- A turn ---- */

static void on_change(unsigned kinds)
{
    bridge_backend_changed(kinds);
    bridge_publish_changed();
}

static void bridge_turn(uint64_t loop_ms)
{
    uint64_t now_ms = host_clock_ms(); /* later than the loop's: requests may have arrived since */

    (void)loop_ms;
    bridge_loop_begin();
    bool there = false;
    for (size_t i = 0; i < options.devices.count; i++) {
        bridge_relay_turn(&relays[i], now_ms);
        there |= relays[i].transport->state >= TRANSPORT_PLAIN;
    }
    bridge_requests_tidy();
    bridge_publish_turn(there, now_ms);
    wait_for_all(now_ms);
}

/* ---- Start and end ---- */

static void start_relay(size_t i)
{
    struct bridge_relay *r = &relays[i];

    r->transport = transport_devices_open(&options.devices, i);
    memcpy(r->name, options.devices.names[i], sizeof r->name);
    r->wait_ms = options.devices.wait_ms;
    r->response_ms = options.devices.response_ms;
    r->promises = !options.no_changes;
    r->larges = larges[i];
    r->on_change = on_change;
    bridge_relay_init(r);
}

int bridge_main(int argc, char **argv)
{
    static struct posix_reload no_reload;
    static char content[POSIX_PATH + 16];
    int code = bridge_options_read(&options, argc, argv);

    if (code != 0) {
        return code;
    }
    if (!transport_devices_check_ports(&options.devices)) {
        return 1;
    }
    signal(SIGPIPE, SIG_IGN); /* a client that has disconnected fails one write */
    (void)snprintf(content, sizeof content, "%s%s", options.devices.paths[0],
                   options.devices.count > 1 ? " and others" : "");
    options.net.content = content;
    if (!options.no_cache) {
        (void)bridge_cache_open(options.cache, options.cache_mb);
    }
    for (size_t i = 0; i < options.devices.count; i++) {
        start_relay(i);
    }
    bridge_backend_init(relays, options.devices.count, !options.no_changes, options.poll_ms);
    if (!bridge_loop_open(options.net.listen_count == 0 && options.mqtt.url == NULL, options.channel, bridge_turn) ||
        !bridge_publish_open(&options)) {
        return 1;
    }
    code = posix_serve_net(&bridge_server, &options.net, &no_reload);
    bridge_publish_end();
    for (size_t i = 0; i < options.devices.count; i++) {
        bridge_relay_end(&relays[i]);
    }
    return code;
}
