/* requests.h -- the places for requests that wait for a device (requests.c). */
#ifndef SKR_REQUESTS_H
#define SKR_REQUESTS_H

#include "relay.h"

/* The server that clients are connected to. */
extern struct skr_server skr_bridge_server;

extern struct skr_request skr_requests[SKR_BRIDGE_REQUESTS];

/* Readies the places; `run` is what the core calls for each request. */
void skr_requests_init(int (*run)(struct skr_call *call));

/* The request at a place, which the core knows as a tool, and the other way round. */
struct skr_request *skr_request_of(const struct skr_tool *place);
const struct skr_tool *skr_request_place(const struct skr_request *q);

/* The run of the core that a request is; NULL: it is over. */
struct skr_job *skr_request_job(const struct skr_request *q);

/* A place for a request; NULL: all are taken. */
struct skr_request *skr_requests_spare(void);

/* Gives back the places of answers that have left. */
void skr_requests_tidy(void);

/* The device has said something to a line that was sent to it: it has read that and all before. */
void skr_relay_has_read(struct skr_relay *r, uint32_t line);

/* The large place of its answer, if it has one, is not needed any more. */
void skr_request_give_back(struct skr_request *q);

/* The answer has left, or never will. */
void skr_request_release(struct skr_request *q);

/* A place for the next message; the cable waits when there is none. */
void skr_relay_take_place(struct skr_relay *r);

#endif
