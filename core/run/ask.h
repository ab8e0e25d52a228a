/* ask.h -- the questions of a run: how they are noted, sent and answered (ask.c).
 *
 * A question lies as JSON text at the front of the run's output buffer. For 2026-07-28 it
 * is a member of inputRequests as it stands; an initialize-era client gets what is inside
 * its braces as a request. */
#ifndef SKR_ASK_H
#define SKR_ASK_H

#include "answer/request.h"

#if SKR_TALK

/* The client capabilities of an object, as bits of enum skr_capability. */
uint8_t skri_ask_capabilities(const struct skr_json *json, int object, uint8_t version);

/* Those of the client that called (ask_need.c, as are skr_can and skr_need). */
uint8_t skri_ask_offered(const struct skr_call *call);

/* Who asks: the handler of a run (ask.c), or, through the bridge, a device far away. */
struct skr_asking {
    /* Readies a run's questions: what may be asked, what comes back. Takes up the state that a client
     * kept. False when it is forged or too old, and that has been answered. */
    bool (*begin)(struct skr_call *call, struct skr_job *job);

    /* Before and behind each call of the handler: afterwards only open questions are left. */
    void (*before)(struct skr_job *job);
    void (*after)(struct skr_call *call, struct skr_job *job);

    /* A message before the answer has left: questions may move again. */
    void (*told)(const struct skr_server *s, struct skr_job *job);

    /* 2026-07-28: makes the open questions and the sealed state the result. */
    void (*result)(const struct skr_server *s, struct skr_answer *a, struct skr_job *job);

    /* Initialize era: the next question to be sent to job->conn, or NULL; and its text as a request behind jsonrpc
     * and id. */
    struct skr_question *(*unsent)(struct skr_job *job);
    struct skr_span (*request)(const struct skr_server *s, const struct skr_job *job,
                               const struct skr_question *question);
};
extern const struct skr_asking skri_ask_by_handler;

/* Pushes the open questions of a->of.job with commas between, one at a time; false behind
 * the last. a->index counts. */
bool skri_ask_push(struct skr_answer *a);

/* What the reply to a question of this kind says; false when it has not its shape
 * (ask_reply.c, as are skr_reply_...). */
bool skri_ask_read_reply(struct skr_call *call, enum skr_capability kind, int token, struct skr_reply *reply);

#endif

#endif
