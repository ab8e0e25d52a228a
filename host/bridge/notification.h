/* notification.h -- a notification of a device, for the client whose job it belongs to. */
#ifndef BRIDGE_NOTIFICATION_H
#define BRIDGE_NOTIFICATION_H

#include "response/request.h"

/* Queues a notification, both parts as JSON; the core sends it before the response. A client that is too slow misses some. */
void bridge_notification_add(struct skr_job *job, struct skr_span method, struct skr_span params);

/* Queues the progress of a device's tool, with the client's token in place of the one that the device was given. Does
 * nothing for a job that is NULL, or whose client did not request progress. */
void bridge_notification_progress(struct skr_job *job, struct skr_span params);

#endif
