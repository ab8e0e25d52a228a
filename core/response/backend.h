/* backend.h -- the source of responses: a device with its image, or a program that stands in for one.
 *
 * All servers frame and check requests alike, and notify their clients alike; the backend makes the responses. A
 * device's (wire/server.c) reads the image and calls the firmware's handlers. The bridge's (host/bridge/backend.c)
 * forwards requests to a device at the other end of a line. The fleet's (host/fleet/backend.c) reads its own image and
 * forwards requests to devices through a broker. */
#ifndef SKR_BACKEND_H
#define SKR_BACKEND_H

#include "response/feature.h"
#include "response/request.h"

struct skr_method;             /* mcp/method.h */
struct skr_found;              /* store/store.h */
struct skr_client_request_ops; /* handler/client_request.h */

/* A document for GET and HEAD, the same for every client: it needs no token. */
struct skr_document {
    const char *path, *type; /* as in "/metrics", "text/plain"; a row without a path ends a table */

    /* Writes its current text into to[0..room), and its length into *n. False: the status is 503 instead of 200. */
    bool (*write)(char *to, size_t room, size_t *n);
};

struct skr_backend {
    /* The row of the method that the request names; NULL: there is none. */
    const struct skr_method *(*method)(const struct skr_call *call);

    /* Makes `a` the response of a tool call that has ended with this output. */
    void (*make_response)(struct skr_response *a, const struct skr_tool_call *tool_call, struct skr_output *out);

#if SKR_CHANGES
    /* Whether there is such a list, so that clients can be notified of its changes. */
    bool (*has)(const struct romfs *fs, const struct skr_device *device, enum skr_feature feature);

    /* Finds the resource at a URI that a client subscribes to. False: there is none. */
    bool (*find)(struct skr_call *call, struct skr_span uri, struct skr_found *found);
#endif
    const struct skr_document *documents;          /* SKR_DOCUMENTS: beside MCP's path; NULL: none */
    bool forgets_sessions;                         /* it keeps no state of a session beyond its id (mcp/session.c) */
    const struct skr_client_request_ops *requests; /* how a job sends client requests; NULL without SKR_INTERACTIVE */
};

#endif
