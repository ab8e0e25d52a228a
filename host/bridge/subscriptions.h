/* subscriptions.h -- resources that clients of the bridge have subscribed to, and so the bridge to the device.
 *
 * To the core they are firmware resources whose content changes; here they are only URIs and version numbers. */
#ifndef BRIDGE_SUBSCRIPTIONS_H
#define BRIDGE_SUBSCRIPTIONS_H

#include "relay.h"

/* The device of the core: no tools, no image, only the subscribed resources. */
extern const struct skr_device bridge_subscription_device;

/* The resource with this URI, which is subscribed from now on. NULL if the URI is too long. */
const struct skr_resource *bridge_subscribe(struct skr_span uri);

/* How many resources have been added: when it changes, the devices' subscriptions must be renewed. */
uint32_t bridge_subscription_count(void);

/* Counts a change that a device has reported. False if no client watches the resource. */
bool bridge_subscription_changed(struct skr_span uri);

/* Writes their URIs as the inside of a JSON array; returns the length, at most `room`. */
size_t bridge_subscription_list(char *to, size_t room);

#endif
