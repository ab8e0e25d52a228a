/* ways.h -- the way to each device of a command line. */
#ifndef SKR_WAYS_H
#define SKR_WAYS_H

#include "options.h"
#include "relay.h"

/* A missing port may still appear, but a path that is something else will not become one: false, after a message. */
bool bridge_transports_check(const struct bridge_options *call);

/* Makes the way to device i. The call outlives it. */
struct bridge_transport *bridge_transports_open(struct bridge_options *call, size_t i);

/* Makes the way of each relay, and sets what the command line says about both. The call outlives them. */
void bridge_transports_start(struct bridge_relay *relays, struct bridge_options *call);

#endif
