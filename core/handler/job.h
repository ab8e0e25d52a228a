/* job.h -- tool calls whose handler needs time.
 *
 * A call of a tool with a deadline takes a struct skr_job of the server: buffers for its state, its output, and the
 * parts of the request that the response repeats. When the handler returns SKR_PENDING, the request is released and the
 * connection goes on; the response follows when the handler is done. Where a response must follow its request, over
 * HTTP and in a batch, the connection waits instead.
 *
 * Before its response a job may send messages: client requests (client_request.c), progress and log messages
 * (progress.c). Over HTTP its response is then a stream of events (wire/http_stream.c).
 *
 * Without SKR_JOBS only the inline functions exist. */
#ifndef SKR_JOB_H
#define SKR_JOB_H

#include "handler/job_state.h"
#include "response/request.h"

/* Calls a tool that has a deadline. Unless there is a response immediately, call->response is not made, and follows. */
void skri_job_start(struct skr_call *call, const struct skr_tool_call *tool_call);

/* True while c may not handle its next message. */
static inline bool skri_job_holds(const struct skr_conn *c)
{
#if SKR_JOBS
    return c->job.awaited != NULL;
#else
    (void)c;
    return false;
#endif
}

/* True while a response is owed on c; *ready: it, or a message before it, can be sent now. */
bool skri_job_owes(const struct skr_conn *c, bool *ready);

/* Nothing is being sent on c: prepares the response of a job that has ended, or a notification or client request before
 * it. False when there is none. */
bool skri_job_next(struct skr_conn *c);

/* The message on c has been sent: a response, a notification or a client request. */
void skri_job_sent(struct skr_conn *c);

/* True when c still waits for the response to the request with this id. */
bool skri_job_awaited(const struct skr_conn *c, struct skr_span id);

/* A client no longer wants the response to the request with this id. */
void skri_job_cancel(struct skr_call *call, struct skr_span id);

/* The link of c is gone, or c is about to be used for another. */
void skri_job_forget(struct skr_server *s, const struct skr_conn *c);

/* A handshake has come on the line c: what was requested under the previous one belongs to nobody now. */
void skri_job_restart(const struct skr_conn *c);

/* A session has ended: its jobs can be reached no longer. */
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

/* How long a handler of this tool may work. */
static inline uint32_t skri_tool_deadline_ms(const struct skr_tool *tool)
{
    return tool->deadline_ms < SKR_JOB_DEADLINE_MAX_MS ? tool->deadline_ms : SKR_JOB_DEADLINE_MAX_MS;
}

/* True when this job belongs to the client of c, in the initialize era. */
bool skri_job_is_theirs(const struct skr_job *job, const struct skr_conn *c, uint16_t session);

/* Calls the handler once more, with the replies that `from` brings, if any. */
void skri_job_continue(struct skr_server *s, struct skr_job *job, const struct skr_call *from);

/* Nobody waits any more, because of this event: the handler's output is dropped from now on. */
void skri_job_abandon(struct skr_job *job, enum job_event why);

/* Reports the tool call to the device (`tool_called`), once per job, when its outcome is known. */
void skri_job_record(const struct skr_server *s, struct skr_job *job, unsigned how);

/* tasks/cancel: the handler is told to end. A client that waits for the task gets the response. */
void skri_job_stop(struct skr_server *s, struct skr_job *job);

/* The handler is told to end, and nobody waits any more. A message that is being sent is completed. */
void skri_job_drop(struct skr_server *s, struct skr_job *job);

#endif
