/* job_state.h -- the states of a tool call that may need time, and every edge from one to the next (job_state.c).
 *
 * A job has two sides that end independently. The handler works, is told to stop, or has ended. The response has nobody
 * to go to, is awaited, is ready, or is being sent. A state names both sides. DESIGN.md, "The states of a tool call",
 * has the picture that tools/draw-diagrams makes of SKR_JOB_EDGES. */
#ifndef SKR_JOB_STATE_H
#define SKR_JOB_STATE_H

#include "skillrom.h"

/* How a client refers to a tool call, besides the id of its request. */
enum job_task {
    NO_TASK,
    IS_TASK,        /* an id; DESIGN.md, "A task is a job that has an id" */
    TASK_CANCELLED, /* an id whose result will never come */
};

/* The two sides, which together are a state. */
enum job_handler { HANDLER_NONE, HANDLER_STARTING, HANDLER_WORKING, HANDLER_STOPPING, HANDLER_STOPPED, HANDLER_ENDED };
enum job_response { RESPONSE_NONE, RESPONSE_AWAITED, RESPONSE_READY, RESPONSE_SENDING, RESPONSE_LAST };
#define SKR_JOB_SIDES(handler, response) (HANDLER_##handler << 3 | RESPONSE_##response)

enum job_state {
    /* the slot is not in use */
    JOB_FREE = SKR_JOB_SIDES(NONE, NONE),
    /* the handler is in its first call */
    JOB_STARTING = SKR_JOB_SIDES(STARTING, NONE),
    /* nobody waits: a task, or the call of a session that has lost its link (CAN-05) */
    JOB_WORKING = SKR_JOB_SIDES(WORKING, NONE),
    /* a request waits for the response */
    JOB_WORKING_AWAITED = SKR_JOB_SIDES(WORKING, AWAITED),
    /* the handler has been told to end, and nobody waits */
    JOB_STOPPING = SKR_JOB_SIDES(STOPPING, NONE),
    /* tasks/result waits for the end of a handler that tasks/cancel has stopped */
    JOB_STOPPING_AWAITED = SKR_JOB_SIDES(STOPPING, AWAITED),
    /* the response says why the handler is to end */
    JOB_STOPPING_READY = SKR_JOB_SIDES(STOPPING, READY),
    /* that response is being sent */
    JOB_STOPPING_SENDING = SKR_JOB_SIDES(STOPPING, SENDING),
    /* nobody waits, but a message before the response is being sent: its bytes must not move */
    JOB_STOPPING_LAST = SKR_JOB_SIDES(STOPPING, LAST),
    /* the handler has ended, and the response still says why it had to */
    JOB_STOPPED_READY = SKR_JOB_SIDES(STOPPED, READY),
    /* that response is being sent */
    JOB_STOPPED_SENDING = SKR_JOB_SIDES(STOPPED, SENDING),
    /* nobody waits: the result of a task; any other slot becomes free immediately */
    JOB_ENDED = SKR_JOB_SIDES(ENDED, NONE),
    /* the response can be sent */
    JOB_ENDED_READY = SKR_JOB_SIDES(ENDED, READY),
    /* the response is being sent */
    JOB_ENDED_SENDING = SKR_JOB_SIDES(ENDED, SENDING),
    /* as JOB_STOPPING_LAST */
    JOB_ENDED_LAST = SKR_JOB_SIDES(ENDED, LAST),
};

enum job_event {
    JOB_START,  /* a slot is taken for the call */
    JOB_REFUSE, /* the response is already an error */
    JOB_PEND,   /* the first call has returned SKR_PENDING */
    JOB_DETACH, /* the call becomes a task, whose id is the response */
    JOB_END,    /* the handler has ended, or its client requests are the response (MRTR-03) */
    JOB_EXPIRE, /* the deadline is over */
    JOB_STOP,   /* the handler is to end: tasks/cancel */
    JOB_DROP,   /* the same, and nobody waits any more */
    JOB_CUT,    /* the same as JOB_DROP while a message of this job is being sent */
    JOB_LOSE,   /* nobody waits any more; the handler goes on */
    JOB_SEND,   /* it is the response's turn on its connection */
    JOB_SENT,   /* the response, or the last message, has been sent */
    JOB_UNSEND, /* the client lost the response while it was being sent, and may come back for it */
    JOB_AWAIT,  /* tasks/result */
};

/* Every legal edge: E(from, event, to, reason). */
#define SKR_JOB_EDGES(E)                                                                                               \
    E(FREE, START, STARTING, "before the first call: a call can be refused only before it has begun")                  \
    E(STARTING, REFUSE, FREE, "an error needs nothing of the job")                                                     \
    E(STARTING, PEND, WORKING_AWAITED, "the request is released; the response follows")                                \
    E(STARTING, DETACH, WORKING, "the id of the task is the response")                                                 \
    E(STARTING, END, ENDED_READY, "there is a response, after the messages that precede it")                           \
    E(WORKING_AWAITED, END, ENDED_READY, "there is a response")                                                        \
    E(ENDED_READY, SEND, ENDED_SENDING, "nothing else is being sent")                                                  \
    E(ENDED_SENDING, SENT, ENDED, "a task stays until its time is over; any other slot becomes free")                  \
    E(WORKING, END, ENDED, "the result of a task is kept; any other is dropped")                                       \
    E(WORKING, AWAIT, WORKING_AWAITED, "tasks/result before the end")                                                  \
    E(ENDED, AWAIT, ENDED_READY, "tasks/result after the end")                                                         \
    E(WORKING, EXPIRE, STOPPING, "the result of a task says so")                                                       \
    E(WORKING_AWAITED, EXPIRE, STOPPING_READY, "the response says so, and the handler is to end")                      \
    E(WORKING, STOP, STOPPING, "there will be no result")                                                              \
    E(WORKING_AWAITED, STOP, STOPPING_AWAITED, "tasks/result is told when the handler has ended")                      \
    E(STOPPING, AWAIT, STOPPING_READY, "how the task ended is known, although its handler still runs")                 \
    E(STOPPING, END, ENDED, "the slot is free unless a task has it")                                                   \
    E(STOPPING_AWAITED, END, STOPPED_READY, "tasks/result is told that the task was cancelled")                        \
    E(STOPPING_READY, END, STOPPED_READY, "the response is not the handler's, but stays")                              \
    E(STOPPING_READY, SEND, STOPPING_SENDING, "the response does not wait for the handler")                            \
    E(STOPPING_SENDING, END, STOPPED_SENDING, "the rest is being sent")                                                \
    E(STOPPING_SENDING, SENT, STOPPING, "the handler keeps the slot, and its tool stays busy")                         \
    E(STOPPED_READY, SEND, STOPPED_SENDING, "nothing else is being sent")                                              \
    E(STOPPED_SENDING, SENT, ENDED, "as after any other response")                                                     \
    E(WORKING, DROP, STOPPING, "the client cancels, or a task belongs to nobody any more")                             \
    E(WORKING_AWAITED, DROP, STOPPING, "the client cancels, or can neither be reached nor come back (CAN-04)")         \
    E(ENDED_READY, DROP, ENDED, "the client cancels, or does not come back")                                           \
    E(ENDED, DROP, FREE, "a task belongs to nobody any more, its time is over, or its slot is needed")                 \
    E(STOPPING, DROP, STOPPING, "a stopped task belongs to nobody any more")                                           \
    E(STOPPING_READY, DROP, STOPPING, "the client does not come back")                                                 \
    E(STOPPED_READY, DROP, ENDED, "the client does not come back")                                                     \
    E(WORKING_AWAITED, CUT, STOPPING_LAST, "the client cancels while it reads a message before the response")          \
    E(ENDED_READY, CUT, ENDED_LAST, "the client cancels while it reads a message before the response")                 \
    E(STOPPING_LAST, END, ENDED_LAST, "the rest is being sent")                                                        \
    E(STOPPING_LAST, SENT, STOPPING, "as after a response")                                                            \
    E(ENDED_LAST, SENT, ENDED, "as after a response")                                                                  \
    E(WORKING_AWAITED, LOSE, WORKING, "a call within a session survives its link (CAN-05); a task survives any")       \
    E(STOPPING_AWAITED, LOSE, STOPPING, "the link is lost, or a handshake came on it")                                 \
    E(STOPPING_READY, LOSE, STOPPING, "the link is lost, or a handshake came on it")                                   \
    E(STOPPING_SENDING, LOSE, STOPPING, "the link is lost")                                                            \
    E(STOPPING_LAST, LOSE, STOPPING, "the link is lost")                                                               \
    E(STOPPED_READY, LOSE, ENDED, "the link is lost, or a handshake came on it")                                       \
    E(STOPPED_SENDING, LOSE, ENDED, "the link is lost")                                                                \
    E(ENDED_READY, LOSE, ENDED, "the link is lost, or a handshake came on it")                                         \
    E(ENDED_SENDING, LOSE, ENDED, "the link is lost")                                                                  \
    E(ENDED_LAST, LOSE, ENDED, "the link is lost")                                                                     \
    E(STOPPING_SENDING, UNSEND, STOPPING_READY, "the client has come back to its stream")                              \
    E(STOPPED_SENDING, UNSEND, STOPPED_READY, "the client has come back to its stream")                                \
    E(ENDED_SENDING, UNSEND, ENDED_READY, "the client has come back to its stream, or may come back")

#if SKR_JOBS

/* The only function that changes job->state. A slot that is needed by neither side becomes free. */
void skri_job_move(struct skr_job *job, enum job_event event);

/* ---- What a state means ---- */

static inline unsigned skri_job_handler(const struct skr_job *job)
{
    return job->state >> 3;
}

static inline unsigned skri_job_response(const struct skr_job *job)
{
    return job->state & 7u;
}

/* The handler runs, and its result is still open. */
static inline bool skri_job_is_working(const struct skr_job *job)
{
    return skri_job_handler(job) == HANDLER_WORKING;
}

/* The handler has been told to end. */
static inline bool skri_job_is_stopping(const struct skr_job *job)
{
    return skri_job_handler(job) == HANDLER_STOPPING;
}

/* The handler may be called again. */
static inline bool skri_job_runs(const struct skr_job *job)
{
    return skri_job_is_working(job) || skri_job_is_stopping(job);
}

/* A request waits, and there is no response yet. */
static inline bool skri_job_is_awaited(const struct skr_job *job)
{
    return skri_job_response(job) == RESPONSE_AWAITED;
}

static inline bool skri_job_is_ready(const struct skr_job *job)
{
    return skri_job_response(job) == RESPONSE_READY;
}

static inline bool skri_job_is_sending(const struct skr_job *job)
{
    return skri_job_response(job) == RESPONSE_SENDING;
}

/* The last message of this job is being sent: its response, or a message before a response that nobody needs. */
static inline bool skri_job_is_last(const struct skr_job *job)
{
    return skri_job_response(job) >= RESPONSE_SENDING;
}

/* Awaited, ready or being sent: a request or a client waits for this job. */
static inline bool skri_job_is_owed(const struct skr_job *job)
{
    return skri_job_response(job) != RESPONSE_NONE;
}

/* ---- Parts of a job that its switch may leave out: call these after `if (SKR_... &&` ---- */

#if SKR_INTERACTIVE
#define skri_requests_of(job) (&(job)->requests)
#define skri_messages_of(job) (&(job)->messages)
#else
#define skri_requests_of(job) ((void)(job), (struct skr_job_requests *)NULL)
#define skri_messages_of(job) ((void)(job), (struct skr_job_messages *)NULL)
#endif
#if SKR_RESUME
#define skri_stream_of(job) (&(job)->stream)
#else
#define skri_stream_of(job) ((void)(job), (struct skr_job_stream *)NULL)
#endif
#if SKR_TASKS
#define skri_task_of(job) (&(job)->task)
#else
#define skri_task_of(job) ((void)(job), (struct skr_job_task *)NULL)
#endif

static inline bool skri_job_is_task(const struct skr_job *job)
{
    return SKR_TASKS && skri_task_of(job)->kind != NO_TASK;
}

/* Client requests are open. */
static inline bool skri_job_has_requests(const struct skr_job *job)
{
    return SKR_INTERACTIVE && skri_requests_of(job)->count > 0;
}

/* Its client requests are open no longer. */
static inline void skri_job_drop_requests(struct skr_job *job)
{
    if (SKR_INTERACTIVE) {
        skri_requests_of(job)->count = 0;
    }
}

/* True while a message of this job is being sent. Its bytes must not move meanwhile. */
static inline bool skri_job_is_leaving(const struct skr_job *job)
{
    return job->conn != NULL && job->conn->job.sending == job;
}

/* True while its client has lost the stream, and may come back for the rest. */
static inline bool skri_job_is_away(const struct skr_job *job)
{
    return job->conn == NULL && skri_job_is_owed(job);
}

/* True when progress, a log message or the end of the stream has to be sent before the response. */
static inline bool skri_job_has_messages(const struct skr_job *job)
{
    return (SKR_RESUME && skri_stream_of(job)->closing) ||
           (SKR_INTERACTIVE && skri_messages_of(job)->sent < skri_messages_of(job)->used);
}

#endif

#endif
