/* client_requests.h -- requests of devices to clients of the initialize era, such as elicitations. */
#ifndef BRIDGE_CLIENT_REQUESTS_H
#define BRIDGE_CLIENT_REQUESTS_H

#include "handler/client_request.h"

extern const struct skr_client_request_ops bridge_client_requests;

/* A request to the client of a job is added in three steps, so that its text can be edited before it is sent: the room for its
 * text; the text, whose length is returned, or -1 if there is no room; and the request. `key` identifies it in the response.
 * There must be less than SKR_CLIENT_REQUESTS of them. */
struct bridge_text_room {
    char *p;
    size_t n;
};
struct bridge_text_room bridge_client_requests_room(const struct skr_server *s, const struct skr_job *job);
int bridge_client_requests_write(struct bridge_text_room to, struct skr_span method, struct skr_span params);
void bridge_client_requests_add(struct skr_server *s, struct skr_job *job, uint32_t n, unsigned key);

/* Moves a request from one job to another of the same client, with another key. It is not sent again; the response goes to the
 * other job. False if there is no room. */
bool bridge_client_requests_move(struct skr_server *s, const struct skr_job *from,
                                 const struct skr_client_request *request, struct skr_job *to, unsigned key);

#endif
