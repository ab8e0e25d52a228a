/* note.h -- a notification of a device, for the client whose job it belongs to (note.c). */
#ifndef SKR_BRIDGE_NOTE_H
#define SKR_BRIDGE_NOTE_H

#include "response/request.h"

/* Queues a notification, both parts as JSON; the core sends it before the answer. A client that is too slow misses some. */
void bridge_notification_add(struct skr_job *job, struct skr_span method, struct skr_span params);

/* Queues the progress of a device's tool, with the client's token in place of the one that the device was given. A job that is
 * NULL, or whose client wants no progress, gets none. */
void bridge_notification_progress(struct skr_job *job, struct skr_span params);

#endif
