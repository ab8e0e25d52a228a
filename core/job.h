/* job.h -- runs whose handler asks for time.
 *
 * A run of a tool with a deadline takes a struct skr_job of the server: buffers for its
 * state, its output, and what the answer repeats of the request. When the handler
 * returns SKR_PENDING, the request is released and the connection goes on; the answer
 * follows when the handler is done. Where one answer has to follow its request, over
 * HTTP and in a batch, the connection waits instead. */
#ifndef SKR_JOB_H
#define SKR_JOB_H

#include "rpc.h"

#if SKR_JOBS

/* Runs a tool that has a deadline: to its end, or call->later is set. */
void skr_job_start(struct skr_call *call, const struct skr_run *run);

/* True while c may not handle its next message. */
static inline bool skr_job_holds(const struct skr_conn *c)
{
    return c->waits != NULL;
}

/* True when an answer of c is still to come: *ready tells that it can be sent now. */
bool skr_job_owes(const struct skr_conn *c, bool *ready);

/* Nothing is being answered: readies the answer of a job that has ended. False when there is none. */
bool skr_job_next(struct skr_conn *c);

/* The answer of c has left. */
void skr_job_left(struct skr_conn *c);

/* A client no longer wants the answer to the request with this id. */
void skr_job_cancel(struct skr_call *call, struct skr_span id);

/* The link of c is gone, or c is about to be used for another. */
void skr_job_forget(struct skr_server *s, const struct skr_conn *c);

#else

static inline bool skr_job_holds(const struct skr_conn *c)
{
    (void)c;
    return false;
}

static inline bool skr_job_owes(const struct skr_conn *c, bool *ready)
{
    (void)c;
    *ready = false;
    return false;
}

static inline bool skr_job_next(struct skr_conn *c)
{
    (void)c;
    return false;
}

static inline void skr_job_left(struct skr_conn *c)
{
    (void)c;
}

static inline void skr_job_cancel(struct skr_call *call, struct skr_span id)
{
    (void)call;
    (void)id;
}

static inline void skr_job_forget(struct skr_server *s, const struct skr_conn *c)
{
    (void)s;
    (void)c;
}

#endif

#endif
