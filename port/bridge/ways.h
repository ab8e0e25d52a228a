/* ways.h -- the way to each device of a command line. */
#ifndef SKR_WAYS_H
#define SKR_WAYS_H

#include "call.h"
#include "relay.h"

/* A missing port may still appear, but a path that is something else will not become one: false, after a message. */
bool skr_ways_check(const struct skr_bridge_call *call);

/* Makes the way to device i. The call outlives it. */
struct skr_way *skr_ways_open(struct skr_bridge_call *call, size_t i);

/* Makes the way of each relay, and sets what the command line says about both. The call outlives them. */
void skr_ways_start(struct skr_relay *relays, struct skr_bridge_call *call);

#endif
