/* options.h -- the command line of `skillrom bridge`. */
#ifndef BRIDGE_OPTIONS_H
#define BRIDGE_OPTIONS_H

#include "../mqtt/broker.h"
#include "../transport/devices.h"
#include "bridge_config.h"

struct bridge_options {
    struct transport_devices devices;
    bool no_changes;
    bool no_cache;
    bool channel;      /* pass alarms on */
    const char *cache; /* folder; NULL for the default */
    uint32_t cache_mb;
    uint32_t poll_ms;
    struct mqtt_broker mqtt;    /* where to publish; all zeros without --mqtt */
    const char *id, *mqtt_name; /* of the published device; NULL if not given */
    struct posix_options net;   /* options of the loop of port/posix */
};

/* Reads the command line. Returns 0 to go on; otherwise the exit code, after a message. */
int bridge_options_read(struct bridge_options *options, int argc, char **argv);

#endif
