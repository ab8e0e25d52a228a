/* backend.h -- what answers requests: a device with its image, or a program that stands in for one.
 *
 * Every server frames, checks and keeps requests in one way, and notifies its clients of changes in one way. What it
 * answers comes from its backend: a device's (wire/server.c) looks into the image and calls the firmware's handlers,
 * the bridge's (host/bridge/backend.c) asks a device at the other end of a line, the fleet's (host/fleet/backend.c) looks into its
 * own image and asks devices behind a broker. */
#ifndef SKR_BACKEND_H
#define SKR_BACKEND_H

#include "response/feature.h"
#include "response/request.h"

struct skr_method;             /* mcp/method.h */
struct skr_found;              /* store/store.h */
struct skr_client_request_ops; /* handler/client_request.h */

struct skr_backend {
    /* The row of the method that the request names; NULL: there is none. */
    const struct skr_method *(*method)(const struct skr_call *call);

    /* Makes `a` the answer to a run that has ended with this output. */
    void (*answer)(struct skr_response *a, const struct skr_tool_call *run, struct skr_output *out);

#if SKR_CHANGES
    /* Whether there is such a list, so that clients can be notified of its changes. */
    bool (*has)(const struct romfs *fs, const struct skr_device *device, enum skr_feature feature);

    /* Finds what a client wants to watch. False: there is nothing. */
    bool (*find)(struct skr_call *call, struct skr_span uri, struct skr_found *found);
#endif
    bool forgets_sessions; /* it needs to know no more of a session than its id says (mcp/session.c) */
    const struct skr_client_request_ops *requests; /* how a job sends client requests; NULL without SKR_INTERACTIVE */
};

#endif
