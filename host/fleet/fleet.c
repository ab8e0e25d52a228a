/* fleet.c -- `skillrom fleet`: connects the client on stdio, or HTTP clients, to the core, and the core to a broker.
 *
 * The loop is that of port/posix/net.c, which waits for clients; bridge_loop adds the connections to the broker. */
#include "fleet.h"

#include <signal.h>

#include "../../port/posix/reload.h"
#include "../../port/posix/serve.h"
#include "../../port/posix/tokens.h"
#include "../bridge/cache.h"
#include "../bridge/loop.h"
#include "audit_log.h"
#include "backend.h"
#include "builds.h"
#include "clock.h"
#include "identify.h"
#include "job_slots.h"
#include "metrics.h"
#include "options.h"
#include "presence.h"
#include "requests.h"
#include "uplink.h"

static struct fleet_options options;

static uint32_t least_number(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void fleet_turn(uint64_t loop_ms)
{
    struct bridge_loop wanted = {.count = 0};
    uint64_t now_ms = host_clock_ms(); /* later than the loop's: requests may have arrived since */
    int fds[FLEET_CONNECTIONS];
    short events[FLEET_CONNECTIONS];

    (void)loop_ms;
    bridge_loop_begin();
    fleet_uplink_turn(now_ms);
    uint32_t wait_ms = fleet_presence_turn(now_ms);
    fleet_identify_turn(now_ms);
    wait_ms = least_number(wait_ms, fleet_builds_turn(now_ms));
    wait_ms = least_number(wait_ms, fleet_requests_turn(now_ms));
    fleet_backend_turn();
    for (unsigned i = 0, n = fleet_uplink_wants(fds, events); i < n; i++) {
        bridge_loop_want(&wanted, fds[i], events[i]);
    }
    bridge_loop_end(&wanted, least_number(wait_ms, fleet_uplink_wait_ms(now_ms)));
}

static bool fleet_start(void)
{
    bool stdio = options.net.listen_count == 0;

    if (!fleet_registry_open(options.devices) || !fleet_builds_open((uint16_t)options.builds) ||
        !fleet_backend_open() || (options.audit_log != NULL && !fleet_audit_open(options.audit_log))) {
        return false;
    }
    if (options.has_metrics) {
        if (!fleet_metrics_open(&options.net, &options.metrics)) {
            return false;
        }
        options.net.listen[options.net.listen_count++] = options.metrics;
    }
    if (!options.no_cache) {
        (void)bridge_cache_open(options.cache, options.cache_mb);
    }
    return fleet_presence_open(&options.broker, host_clock_ms()) && bridge_loop_open(stdio, false, fleet_turn);
}

int fleet_main(int argc, char **argv)
{
    static struct posix_reload no_reload;
    int code = fleet_options_read(&options, argc, argv);

    if (code != 0) {
        return code;
    }
    posix_tokens_expect_devices();
    signal(SIGPIPE, SIG_IGN); /* a write to a client that has left fails */
    fleet_response_ms = options.response_ms;
    options.net.content = options.broker.shown;
    if (!fleet_start()) {
        return 1;
    }
    code = posix_serve_net(&fleet_server, &options.net, &no_reload);
    fleet_uplink_close();
    return code;
}
