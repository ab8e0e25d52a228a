/* fleet.c -- `skillrom fleet`: connects the client on stdio, or HTTP clients, to the core, and the core to a broker.
 *
 * The loop is that of port/posix/net.c. What is waited for beside clients is gathered in a waiter of its own, as in the bridge. */
#include "fleet.h"

#include <signal.h>

#include "../bridge/cache.h"
#include "../bridge/loop.h"
#include "../../port/posix/reload.h"
#include "../../port/posix/serve.h"
#include "../../port/posix/tokens.h"
#include "builds.h"
#include "options.h"
#include "clock.h"
#include "backend.h"
#include "identify.h"
#include "uplink.h"
#include "metrics.h"
#include "presence.h"
#include "audit_log.h"
#include "requests.h"
#include "console.h"
#include "job_slots.h"

static struct fleet_options call;

/* ---- A turn ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void wait_for_all(uint32_t wait_ms, uint64_t now_ms)
{
    struct bridge_loop now = {.count = 0};
    int fds[FLEET_LINES];
    short events[FLEET_LINES];
    for (unsigned i = 0, n = fleet_uplink_wants(fds, events); i < n; i++) {
        bridge_loop_want(&now, fds[i], events[i]);
    }
    bridge_loop_end(&now, least(wait_ms, fleet_uplink_wait_ms(now_ms)));
}

static void turn(uint64_t loop_ms)
{
    uint64_t now_ms = host_clock_ms(); /* later than the loop's: requests may have arrived since */
    (void)loop_ms;
    bridge_loop_begin();
    fleet_uplink_turn(now_ms);
    uint32_t wait_ms = fleet_presence_turn(now_ms);
    fleet_identify_turn(now_ms);
    wait_ms = least(wait_ms, fleet_builds_turn(now_ms));
    wait_ms = least(wait_ms, fleet_requests_turn(now_ms));
    fleet_backend_turn();
    wait_for_all(wait_ms, now_ms);
}

/* ---- Start and end ---- */

static bool start(void)
{
    if (!fleet_registry_open(call.devices) || !fleet_builds_open((uint16_t)call.builds) || !fleet_backend_open() ||
        (call.record != NULL && !fleet_audit_open(call.record)) ||
        (call.has_metrics && !fleet_metrics_open(&call.net, &call.metrics))) {
        return false;
    }
    if (!call.no_cache) {
        (void)bridge_cache_open(call.cache, call.cache_mb);
    }
    bool stdio = call.net.listen_count == 0;
    if (call.has_metrics) {
        call.net.listen[call.net.listen_count++] = call.metrics;
    }
    return fleet_presence_open(&call.broker, host_clock_ms()) && bridge_loop_open(stdio, turn);
}

int fleet_main(int argc, char **argv)
{
    static struct posix_reload no_reload;
    int code = fleet_options_read(&call, argc, argv);
    if (code != 0) {
        return code;
    }
    posix_tokens_expect_devices();
    signal(SIGPIPE, SIG_IGN); /* a client that has left fails one write */
    fleet_slots_response_ms = call.answer_ms;
    bridge_describe_as(call.broker.shown, "");
    if (!start()) {
        return 1;
    }
    code = posix_serve_net(&fleet_server, &call.net, &no_reload);
    fleet_uplink_close();
    return code;
}
