/* call.h -- the command line of `skillrom fleet`. */
#ifndef SKR_FLEET_CALL_H
#define SKR_FLEET_CALL_H

#include "../mqtt/broker.h"
#include "../posix/options.h"

struct skr_fleet_call {
    struct skr_mqtt_broker broker;
    struct skr_options net;
    struct skr_listen metrics;
    bool has_metrics;
    const char *record;
    bool no_cache;
    const char *cache;
    uint32_t cache_mb;
    uint32_t devices, builds;
    uint32_t answer_ms;
};

/* Reads it. Returns 0, or the exit code after a message. */
int skr_fleet_read_call(struct skr_fleet_call *call, int argc, char **argv);

#endif
