/* call.h -- the command line of `skillrom bridge`. */
#ifndef SKR_BRIDGE_CALL_H
#define SKR_BRIDGE_CALL_H

#include "../posix/options.h"
#include "bridge_config.h"

struct skr_bridge_call {
    char paths[SKR_BRIDGE_DEVICES][SKR_POSIX_PATH];
    uint32_t bauds[SKR_BRIDGE_DEVICES]; /* 0: try the usual ones */
    char names[SKR_BRIDGE_DEVICES][64];
    size_t device_count;
    uint32_t baud; /* --baud, for devices given without a speed */
    bool plain;
    bool quiet;
    bool no_changes;
    bool list;
    bool no_cache;
    const char *cache; /* folder; NULL: the default */
    uint32_t cache_mb;
    uint32_t wait_ms, answer_ms, poll_ms;
    struct skr_options net; /* options for the loop of port/posix */
};

/* Reads it. Returns 0 to go on; otherwise the exit code, after a message. */
int skr_bridge_call(struct skr_bridge_call *call, int argc, char **argv);

#endif
