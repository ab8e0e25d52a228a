/* requests.h -- requests to devices, from their submission to the response, or to another outcome.
 *
 * A device is initialized before its first request. Requests wait for that, for their turn, and, if they say so, for a device that
 * is away. Nothing is sent twice: when the broker or the device is lost after a request was sent, its outcome is unknown, and its
 * owner is notified of exactly that.
 *
 * requests.c sends, responses.c receives; both keep requests in request_table.h. */
#ifndef SKR_FLEET_REQUESTS_H
#define SKR_FLEET_REQUESTS_H

#include "registry.h"

/* How a request ended. Only the first two have a response. metrics.c has their names. */
enum fleet_outcome {
    FLEET_OUTCOME_RESULT,
    FLEET_OUTCOME_ERROR,   /* the value is a JSON-RPC error object */
    FLEET_OUTCOME_AWAY,    /* not sent: the device is away */
    FLEET_OUTCOME_SILENT,  /* not sent: the device did not respond to initialize */
    FLEET_OUTCOME_REFUSED, /* not sent: two devices have its id */
    FLEET_OUTCOME_OFFLINE, /* not sent: there is no connection to the broker */
    FLEET_OUTCOME_LOST,    /* device or broker went away after it was sent */
    FLEET_OUTCOME_LATE,    /* no response within the time */
    FLEET_OUTCOME_DENIED,  /* not sent: `may` did not allow it any longer */
};

/* Notifies the owner of a request of its outcome. `value` is valid until this returns. */
typedef void fleet_response_fn(void *owner, enum fleet_outcome outcome, struct skr_span value);

/* Notifies the owner of progress: the params of the device's notification. */
typedef void fleet_progress_fn(void *owner, struct skr_span params);

/* Whether the request may be sent now. */
typedef bool fleet_may_fn(const void *owner);

struct fleet_request {
    uint32_t device;
    const char *method;
    struct skr_span params;       /* the inside of the object, JSON; must stay until the owner is notified */
    bool runs;                    /* it runs a tool: cancelled at the device when it is forgotten */
    uint32_t wait_ms;             /* for a device that is away; 0: fails immediately */
    uint32_t response_ms;         /* without a response or progress */
    struct skr_span capabilities; /* of the client, an object: a request of 2026-07-28; NULL: one of the session */
    fleet_progress_fn *progress;  /* NULL: progress is not requested */
    fleet_may_fn *may;            /* checked when it is sent, perhaps long after its submission; NULL: always */
    fleet_response_fn *done;
    void *owner; /* identifies the request to fleet_requests_forget */
};

/* Submits a request. False when there is no room: try again later. The owner may be notified before this returns. */
bool fleet_request_submit(const struct fleet_request *request, uint64_t now_ms);

/* The owner is not notified any more. Tool calls that were sent are cancelled at the device. */
void fleet_requests_forget(const void *owner);

/* Sets the function that is notified when two devices have responded to one initialize. */
void fleet_requests_on_duplicate(void (*notify)(uint32_t device, uint64_t now_ms));

/* ---- Events ---- */

/* A device sent a message, compact JSON; or something else. (responses.c) */
void fleet_requests_message(uint32_t device, struct skr_span message, uint64_t now_ms);
void fleet_requests_unexpected(uint32_t device, uint64_t now_ms);

/* The device is present. */
void fleet_requests_device_up(uint32_t device, uint64_t now_ms);

/* The device is gone: `outcome` is for requests that were not sent. Those that were are lost. */
void fleet_requests_device_down(uint32_t device, enum fleet_outcome outcome);

void fleet_requests_broker_down(void);

/* Checks whether a device that should be present responds. False: later, when there is room. */
bool fleet_requests_probe(uint32_t device, uint64_t now_ms);

/* Sends and expires requests. Returns the milliseconds until the next call is due. */
uint32_t fleet_requests_turn(uint64_t now_ms);

/* Requests that are pending or wait for their device. */
uint32_t fleet_requests_count(void);

#endif
