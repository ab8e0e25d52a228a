/* client_request.h -- client requests of a job (elicitation, sampling, roots): stored, sent and replied to (client_request.c).
 *
 * A question is JSON text at the front of the run's output buffer: for 2026-07-28, a member of inputRequests just as it
 * is; what is inside its braces is sent to an initialize-era client as a request. */
#ifndef SKR_ASK_H
#define SKR_ASK_H

#include "response/request.h"

#if SKR_INTERACTIVE

/* The client capabilities that an object declares, as bits of enum skr_capability. */
uint8_t skri_client_request_capabilities(const struct skr_json *json, int object, uint8_t version);

/* Those of the client that called (ask_need.c, as are skr_can and skr_need). */
uint8_t skri_client_request_offered(const struct skr_call *call);

/* Who asks: the handler of a run (ask.c) or, in the bridge, the device behind it. */
struct skr_client_request_ops {
    /* Prepares a run's questions: what may be asked, and which replies came. Restores the state that the client kept.
     * False when that is forged or too old: then the answer is already an error. */
    bool (*begin)(struct skr_call *call, struct skr_job *job);

    /* Before and after each call of the handler; `after` leaves only the open questions, none unless it is `pending`. */
    void (*before)(struct skr_job *job);
    void (*after)(struct skr_call *call, struct skr_job *job, bool pending);

    /* A notification or question has been sent: questions may move again. */
    void (*told)(const struct skr_server *s, struct skr_job *job);

    /* 2026-07-28: makes the open questions and the sealed state the result. */
    void (*result)(const struct skr_server *s, struct skr_response *a, struct skr_job *job);

    /* Initialize era: the next question to be sent on job->conn, or NULL; and its text as a request, after jsonrpc and
     * id. */
    struct skr_client_request *(*unsent)(struct skr_job *job);
    struct skr_span (*request)(const struct skr_server *s, const struct skr_job *job,
                               const struct skr_client_request *question);
};
extern const struct skr_client_request_ops skri_client_request_by_handler;

/* Pushes the open questions of a->as.job.job, one per call, with commas between; a->index counts. False after the last. */
bool skri_client_request_push(struct skr_response *a);

/* Reads the reply to a question of this kind; false when it does not have the right shape (ask_reply.c, as are
 * skr_reply_...). */
bool skri_client_request_read_reply(struct skr_call *call, enum skr_capability kind, int token,
                                    struct skr_reply *reply);

#endif

#endif
