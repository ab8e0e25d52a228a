/* options.h -- the command line of `skillrom fleet`. */
#ifndef SKR_FLEET_OPTIONS_H
#define SKR_FLEET_OPTIONS_H

#include "../../port/posix/options.h"
#include "../mqtt/broker.h"

struct fleet_options {
    struct mqtt_broker broker;
    struct posix_options net;
    struct posix_listen metrics; /* if has_metrics */
    bool has_metrics;
    const char *audit_log; /* --audit-log */
    bool no_cache;
    const char *cache;
    uint32_t cache_mb;
    uint32_t devices, builds;
    uint32_t response_ms; /* --response-timeout */
};

/* Reads the command line. Returns 0, or the exit code after a message. */
int fleet_options_read(struct fleet_options *options, int argc, char **argv);

#endif
