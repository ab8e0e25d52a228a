/* requests.h -- slots for requests that wait for a device (requests.c). */
#ifndef SKR_REQUESTS_H
#define SKR_REQUESTS_H

#include "relay.h"

/* The server that clients are connected to. */
extern struct skr_server skr_bridge_server;

extern struct skr_request skr_requests[SKR_BRIDGE_REQUESTS];

/* For every request to this device: { ... } */
#define SKR_EACH_REQUEST(q, r)                                                                                         \
    for (struct skr_request *q = skr_requests; q < skr_requests + SKR_BRIDGE_REQUESTS; q++)                            \
        if (q->relay == (r))

/* The error when all slots are taken. */
#define SKR_TOO_MANY "Too many requests are waiting for the device; try again later"

/* Initialises the slots; `run` is what the core calls for each request. */
void skr_requests_init(int (*run)(struct skr_call *call));

/* The request in a slot, which the core sees as a tool, and the slot of a request. */
struct skr_request *skr_request_of(const struct skr_tool *place);
const struct skr_tool *skr_request_place(const struct skr_request *q);

/* The core's job for a request; NULL: it is over. */
struct skr_job *skr_request_job(const struct skr_request *q);

/* A free slot; NULL: all are taken. */
struct skr_request *skr_requests_spare(void);

/* Frees the slots whose answers have been sent. */
void skr_requests_tidy(void);

/* The device has reacted to this line, so it has read this line and all before it. */
void skr_relay_has_read(struct skr_relay *r, uint32_t line);

/* Frees the large buffer of its answer, if it has one. */
void skr_request_give_back(struct skr_request *q);

/* The request is answered by an error, n bytes of JSON in q->small. */
void skr_request_end(struct skr_request *q, int code, int n);

/* Answers with an error: its code, and the message `why` followed by `what`, the inside of a JSON string. */
void skr_request_refuse(struct skr_request *q, int code, const char *why, struct skr_span what);

/* Frees the slot: the answer has been sent, or never will be. */
void skr_request_release(struct skr_request *q);

/* Chooses a buffer for the next message; the cable waits when there is none. */
void skr_relay_take_place(struct skr_relay *r);

#endif
