/* backend.h -- the backend of the core: forwards methods to devices. */
#ifndef BRIDGE_BACKEND_H
#define BRIDGE_BACKEND_H

#include "relay.h"

/* Initialises the server for these devices. With `changes` clients are promised notifications of changed lists. After `poll`
 * milliseconds without a response the stream of an HTTP client is closed, if it can come back later; 0 keeps streams open. */
void bridge_backend_init(struct bridge_relay *relays, size_t count, bool changes, uint32_t poll);

/* Notifies subscribed clients that these lists may have changed (enum skr_list_bit). */
void bridge_backend_changed(unsigned kinds);

#endif
