/* client_request.h -- elicitation, sampling and roots: the requests that a handler sends to the client
 * (client_request.c).
 *
 * A client request is JSON text at the front of the job's output buffer: a member of inputRequests for a client of
 * 2026-07-28; the text inside its braces is sent to an initialize-era client as a request. */
#ifndef SKR_CLIENT_REQUEST_H
#define SKR_CLIENT_REQUEST_H

#include "response/request.h"

struct skr_reply;

/* The client capabilities that an object declares, as bits of enum skr_capability (capability.c). */
uint8_t skri_client_request_capabilities(const struct skr_json *json, int object, uint8_t version);

/* The capabilities of the client that sent this request (capability.c). */
uint8_t skri_client_request_offered(const struct skr_call *call);

/* Where client requests come from: the handler of a tool (client_request.c) or, in the bridge, its device. */
struct skr_client_request_ops {
    /* Before the first call of the handler: finds the capabilities and the replies, and restores the state that the
     * client kept. False when that is forged or too old: then the response is already an error. */
    bool (*begin)(struct skr_call *call, struct skr_job *job);

    /* Before and after each call of the handler; `after` leaves only the open requests, none unless it is `pending`. */
    void (*before)(struct skr_job *job);
    void (*after)(struct skr_call *call, struct skr_job *job, bool pending);

    /* A notification or client request has been sent: the texts may move again. */
    void (*sent)(const struct skr_server *s, struct skr_job *job);

    /* 2026-07-28: makes inputRequests and requestState the result. */
    void (*result)(struct skr_server *s, struct skr_response *a, struct skr_job *job);

    /* Initialize era: the next request to be sent on job->conn, or NULL; and its text after jsonrpc and id. */
    struct skr_client_request *(*next)(struct skr_job *job);
    struct skr_span (*text)(const struct skr_server *s, const struct skr_job *job,
                            const struct skr_client_request *request);
};
extern const struct skr_client_request_ops skri_client_request_by_handler; /* SKR_INTERACTIVE */

/* Pushes the open requests of SKRI_AS(a, job)->job, one per call, with commas between; a->index counts. False after the
 * last. */
bool skri_client_request_push(struct skr_response *a);

/* Reads the reply to a request of this kind; false when it does not have the right shape (client_reply.c). */
bool skri_client_request_read_reply(struct skr_call *call, enum skr_capability kind, int token,
                                    struct skr_reply *reply); /* SKR_INTERACTIVE */

#endif
