/* call.h -- the command line of `skillrom fleet`. */
#ifndef SKR_FLEET_CALL_H
#define SKR_FLEET_CALL_H

#include "../mqtt/broker.h"
#include "../../port/posix/options.h"

struct fleet_options {
    struct mqtt_broker broker;
    struct posix_options net;
    struct posix_listen metrics; /* if has_metrics */
    bool has_metrics;
    const char *record;
    bool no_cache;
    const char *cache;
    uint32_t cache_mb;
    uint32_t devices, builds;
    uint32_t answer_ms;
};

/* Reads it. Returns 0, or the exit code after a message. */
int fleet_options_read(struct fleet_options *call, int argc, char **argv);

#endif
