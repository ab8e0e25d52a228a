/* fleet.c -- `skillrom fleet`: connects the client on stdio, or HTTP clients, to the core, and the core to a broker.
 *
 * The loop is that of port/posix/net.c. What is waited for beside clients is gathered in a waiter of its own, as in the bridge. */
#include "fleet.h"

#include <signal.h>

#include "../bridge/cache.h"
#include "../bridge/side.h"
#include "../posix/reload.h"
#include "../posix/serve.h"
#include "../posix/tokens.h"
#include "builds.h"
#include "call.h"
#include "clock.h"
#include "front.h"
#include "learn.h"
#include "uplink.h"
#include "metrics.h"
#include "presence.h"
#include "record.h"
#include "requests.h"
#include "say.h"
#include "slots.h"

static struct skr_fleet_call call;

/* ---- A turn ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void wait_for_all(uint32_t wait_ms, uint64_t now_ms)
{
    struct skr_side now = {.count = 0};
    int fds[SKR_FLEET_LINES + 1 + SKR_FLEET_METRIC_LINKS];
    short events[SKR_FLEET_LINES + 1 + SKR_FLEET_METRIC_LINKS];
    for (unsigned i = 0, n = skr_uplink_wants(fds, events); i < n; i++) {
        skr_side_want(&now, fds[i], events[i]);
    }
    for (unsigned i = 0, n = skr_metrics_wants(fds, events); i < n; i++) {
        skr_side_want(&now, fds[i], events[i]);
    }
    skr_side_end(&now, least(wait_ms, skr_uplink_wait_ms(now_ms)));
}

static void turn(uint64_t loop_ms)
{
    uint64_t now_ms = skr_clock_ms(); /* later than the loop's: requests may have arrived since */
    (void)loop_ms;
    skr_side_begin();
    skr_uplink_turn(now_ms);
    uint32_t wait_ms = skr_presence_turn(now_ms);
    skr_learn_turn(now_ms);
    wait_ms = least(wait_ms, skr_builds_turn(now_ms));
    wait_ms = least(wait_ms, skr_requests_turn(now_ms));
    skr_fleet_front_turn();
    skr_metrics_turn(now_ms);
    wait_for_all(wait_ms, now_ms);
}

/* ---- Start and end ---- */

static bool start(void)
{
    if (!skr_registry_open(call.devices) || !skr_builds_open((uint16_t)call.builds) || !skr_fleet_front_open() ||
        (call.record != NULL && !skr_record_open(call.record)) ||
        (call.has_metrics && !skr_metrics_open(&call.metrics))) {
        return false;
    }
    if (!call.no_cache) {
        (void)skr_cache_open(call.cache, call.cache_mb);
    }
    return skr_presence_open(&call.broker, skr_clock_ms()) && skr_side_open(call.net.listen_count == 0, turn);
}

int skr_fleet_main(int argc, char **argv)
{
    static struct skr_reload no_reload;
    int code = skr_fleet_read_call(&call, argc, argv);
    if (code != 0) {
        return code;
    }
    skr_tokens_expect_devices();
    signal(SIGPIPE, SIG_IGN); /* a client that has left fails one write */
    skr_slots_answer_ms = call.answer_ms;
    skr_describe_as(call.broker.shown, "");
    if (!start()) {
        return 1;
    }
    code = skr_serve_net(&skr_fleet_server, &call.net, &no_reload);
    skr_uplink_close();
    return code;
}
