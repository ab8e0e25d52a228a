/* requests.h -- slots for requests that wait for a device (requests.c). */
#ifndef BRIDGE_REQUESTS_H
#define BRIDGE_REQUESTS_H

#include "relay.h"

/* The server that clients are connected to. */
extern struct skr_server bridge_server;

extern struct bridge_request bridge_requests[BRIDGE_REQUESTS];

/* For every request to this device: { ... } */
#define BRIDGE_EACH_REQUEST(q, r)                                                                                      \
    for (struct bridge_request *q = bridge_requests; q < bridge_requests + BRIDGE_REQUESTS; q++)                       \
        if (q->relay == (r))

/* The error when all slots are taken. */
#define BRIDGE_TOO_MANY "Too many requests are waiting for the device; try again later"

/* Initialises the slots; the core calls `run` for each request, as a tool's handler. */
void bridge_requests_init(int (*run)(struct skr_call *call));

/* The request in a slot, which the core sees as a tool, and the slot of a request. */
struct bridge_request *bridge_request_of(const struct skr_tool *tool);
const struct skr_tool *bridge_request_tool(const struct bridge_request *q);

/* The core's job for a request; NULL if it has ended. */
struct skr_job *bridge_request_job(const struct bridge_request *q);

/* A free slot; NULL if all are taken. */
struct bridge_request *bridge_requests_spare(void);

/* Frees the slots whose responses have been sent. */
void bridge_requests_tidy(void);

/* Records that the device has read this line and all before it. */
void bridge_relay_has_read(struct bridge_relay *r, uint32_t line);

/* Frees the large buffer of its response, if it has one. */
void bridge_request_give_back(struct bridge_request *q);

/* Completes the request with an error, n bytes of JSON in q->small. */
void bridge_request_end(struct bridge_request *q, int code, int n);

/* Completes the request with an error: its code, and the message `why` followed by `what`, the inside of a JSON string. */
void bridge_request_refuse(struct bridge_request *q, int code, const char *why, struct skr_span what);

/* Frees the slot, because the response has been sent, or never will be. */
void bridge_request_release(struct bridge_request *q);

/* Chooses a buffer for the next message; the transport waits if there is none. */
void bridge_relay_take_buffer(struct bridge_relay *r);

#endif
