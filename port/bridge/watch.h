/* watch.h -- resources that clients of the bridge want to hear of, and what the device is asked for because of them.
 *
 * To the core they are resources of a device whose content changes; here they are only names and counts. */
#ifndef SKR_WATCH_H
#define SKR_WATCH_H

#include "relay.h"

/* The front's device: no tools, no images, and the resources that are watched. */
extern const struct skr_device skr_watch_device;

/* The resource with this URI, watched from now on. NULL when the URI is too long. */
const struct skr_resource *skr_watch(struct skr_span uri);

/* How often that has found a new one: another number means that devices are to be asked again. */
uint32_t skr_watch_count(void);

/* A device tells that it has changed. False when nobody watches it. */
bool skr_watch_changed(struct skr_span uri);

/* Their URIs as the inside of a JSON array; the length, at most `room`. */
size_t skr_watch_list(char *to, size_t room);

#endif
