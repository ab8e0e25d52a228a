/* job.h -- runs whose handler asks for time.
 *
 * A run of a tool with a deadline takes a struct skr_job of the server: buffers for its
 * state, its output, and what the answer repeats of the request. When the handler
 * returns SKR_PENDING, the request is released and the connection goes on; the answer
 * follows when the handler is done. Where one answer has to follow its request, over
 * HTTP and in a batch, the connection waits instead.
 *
 * Before its answer a run may say more: questions (ask.c), progress and log messages
 * (notes.c). Over HTTP its answer is then a stream of events (wire/http_stream.c).
 *
 * But for skri_job_holds nothing here is there without SKR_JOBS. */
#ifndef SKR_JOB_H
#define SKR_JOB_H

#include "answer/request.h"

/* How far the answer is: DESIGN.md, "The states of a run". */
enum job_owed {
    OWED_NOTHING, /* nobody waits, or the answer has left */
    OWED_LATER,   /* the handler is not done */
    OWED_NOW,     /* `out` is the answer; it can be sent */
    OWED_LEAVING, /* the connection's answer is that of this job, or the last that is sent of it */
};

/* Runs a tool that has a deadline: to its end, or call->later is set. */
void skri_job_start(struct skr_call *call, const struct skr_run *run);

/* True while c may not handle its next message. */
static inline bool skri_job_holds(const struct skr_conn *c)
{
#if SKR_JOBS
    return c->waits != NULL;
#else
    (void)c;
    return false;
#endif
}

/* True when an answer of c is still to come: *ready tells that it can be sent now. */
bool skri_job_owes(const struct skr_conn *c, bool *ready);

/* Nothing is being answered: readies the answer of a job that has ended, or what comes
 * before it. False when there is none. */
bool skri_job_next(struct skr_conn *c);

/* The message of c has left: an answer, or something before one. */
void skri_job_sent(struct skr_conn *c);

/* True when c still waits for the answer to the request with this id. */
bool skri_job_awaited(const struct skr_conn *c, struct skr_span id);

/* A client no longer wants the answer to the request with this id. */
void skri_job_cancel(struct skr_call *call, struct skr_span id);

/* The link of c is gone, or c is about to be used for another. */
void skri_job_forget(struct skr_server *s, const struct skr_conn *c);

/* A handshake has come on the line c: what was asked under another one is nobody's any more. */
void skri_job_restart(const struct skr_conn *c);

/* A session has ended: nobody can ask for its runs any more. */
void skri_job_forget_session(struct skr_server *s, uint16_t session);

/* A response has come. */
void skri_job_reply(struct skr_call *call);

/* ---- For the files that belong to jobs ---- */

/* The slot + 1 of the session that a message over HTTP belongs to, else 0. */
static inline uint16_t skri_job_session(const struct skr_conn *c)
{
    const struct skr_headers *headers = skri_headers_of(c);
    return headers != NULL ? headers->session_slot : 0;
}

/* Does this run belong to the client that c speaks for, in the initialize era? */
bool skri_job_is_theirs(const struct skr_job *job, const struct skr_conn *c, uint16_t session);

/* The answer of c, as skri_job_next readies it. */
void skri_job_answer(struct skr_conn *c, struct skr_job *job);

/* Calls the handler once more, with the replies that `from` brings, if any. */
void skri_job_go_on(struct skr_server *s, struct skr_job *job, const struct skr_call *from);

/* Nobody waits any more: what the handler writes from now on is dropped. */
void skri_job_abandon(struct skr_job *job);

/* The place is free again when neither side of the job needs it. */
void skri_job_release(struct skr_job *job);

/* Tells the device's record, once for each job, when it is clear what the client gets. */
void skri_job_record(const struct skr_server *s, struct skr_job *job, const char *how);

/* The handler is told to end: nobody wants its result. */
void skri_job_stop(struct skr_server *s, struct skr_job *job);

/* The same, and nobody waits for it either. What of it is just leaving does so to its end. */
void skri_job_drop(struct skr_server *s, struct skr_job *job);

#endif
