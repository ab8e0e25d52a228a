/* front.h -- the bridge as the core sees it: a server whose methods are forwarded to devices. */
#ifndef SKR_FRONT_H
#define SKR_FRONT_H

#include "relay.h"

/* Initialises it for these devices. `changes`: clients are promised notifications when lists change. `poll`: how many
 * milliseconds an HTTP client waits for its answer before it is told, if it supports that, to come back later; 0: it
 * always waits. */
void bridge_backend_init(struct bridge_relay *relays, size_t count, bool changes, uint32_t poll);

/* These lists may have changed (enum skr_list_bit): notifies the clients that want to know. */
void bridge_backend_changed(unsigned kinds);

#endif
