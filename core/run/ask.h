/* ask.h -- the questions of a run: how they are noted, sent and answered (ask.c).
 *
 * A question lies as JSON text at the front of the run's output buffer. For 2026-07-28 it
 * is a member of inputRequests as it stands; an initialize-era client gets what is inside
 * its braces as a request. */
#ifndef SKR_ASK_H
#define SKR_ASK_H

#include "answer/request.h"

#if SKR_ASK

/* The client capabilities of an object, as bits of enum skr_capability. */
uint8_t skr_ask_capabilities(const struct skr_json *json, int object, uint8_t version);

/* Those of the client that called (ask_need.c, as are skr_can and skr_need). */
uint8_t skr_ask_offered(const struct skr_call *call);

/* Readies a run's questions: what may be asked, what comes back. Takes up the state that a
 * client kept. False when it is forged or too old, and that has been answered. */
bool skr_ask_begin(struct skr_call *call, struct skr_job *job);

/* Before and behind each call of the handler: afterwards only open questions are left. */
void skr_ask_before(struct skr_job *job);
void skr_ask_after(struct skr_call *call, struct skr_job *job);

/* A message before the answer has left: questions may move again. */
void skr_ask_told(const struct skr_server *s, struct skr_job *job);

/* 2026-07-28: makes the open questions and the sealed state the result. */
void skr_ask_result(const struct skr_server *s, struct skr_answer *a, struct skr_job *job);

/* Pushes the open questions of a->of.job with commas between, one at a time; false behind
 * the last. a->index counts. */
bool skr_ask_push(struct skr_answer *a);

/* Initialize era: the next question to be sent to job->conn, or NULL; and its text as a request
 * behind jsonrpc and id. */
struct skr_question *skr_ask_unsent(struct skr_job *job);
struct skr_span skr_ask_request(const struct skr_server *s, const struct skr_job *job,
                                const struct skr_question *question);

/* What the reply to a question of this kind says; false when it has not its shape
 * (ask_reply.c, as are skr_reply_...). */
bool skr_ask_read_reply(struct skr_call *call, enum skr_capability kind, int token, struct skr_reply *reply);

/* The question that a response with this id answers, or NULL. */
struct skr_question *skr_ask_find(struct skr_job *job, struct skr_span id);

#endif

#endif
