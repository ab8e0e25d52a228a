/* job_end.c -- how jobs end, and whose they are: cancelling, lost links and sessions. See job.h. */
#include "handler/client_request.h"
#include "handler/job.h"
#include "handler/resume.h"
#include "handler/tool_call.h"
#include "handler/transport.h"
#include "response/log.h"
#include "text/assert.h"

#if SKR_JOBS

void skri_job_abandon(struct skr_job *job, enum job_event why)
{
    skri_log_lost(job);
    job->conn = NULL;
    if (!skri_job_is_task(job)) {
        job->out.n = job->out.max = 0;
    }
    skri_job_move(job, why);
}

void skri_job_record(const struct skr_server *s, struct skr_job *job, const char *how)
{
    if (!job->recorded) {
        job->recorded = true;
        skri_tool_call_record(s, &job->run, &job->out, how, job->took_ms);
    }
}

bool skri_job_is_theirs(const struct skr_job *job, const struct skr_conn *c, uint16_t session)
{
    if (job->state == JOB_FREE) {
        return false;
    }
    if (c->wire != SKR_LINE) {
        return session != 0 && job->session == session;
    }
#if SKR_TASKS
    if (job->owner == c) {
        return true;
    }
#endif
    return job->conn == c;
}

/* ---- Nobody waits any more ---- */

/* Nobody wants the result, and nothing is asked for it any more. */
static void withdraw(struct skr_server *s, struct skr_job *job)
{
#if SKR_INTERACTIVE
    job->question_count = 0;
#endif
    skri_job_record(s, job, "cancelled");
}

void skri_job_stop(struct skr_server *s, struct skr_job *job)
{
    withdraw(s, job);
    skri_job_move(job, JOB_STOP);
}

void skri_job_drop(struct skr_server *s, struct skr_job *job)
{
    withdraw(s, job);
    if (skri_job_is_leaving(job)) { /* the message being sent is in its buffer, and is the last */
        skri_job_move(job, JOB_CUT);
    } else {
        skri_job_abandon(job, JOB_DROP);
    }
}

/* The request gets no answer; over HTTP only its POST does. */
static void cancel(struct skr_server *s, struct skr_job *job)
{
    struct skr_conn *c = job->conn;
    skri_job_drop(s, job);
    if (c != NULL && c->waits == job) {
        c->waits = NULL;
        c->outlet->give_up(c);
    }
}

bool skri_job_awaited(const struct skr_conn *c, struct skr_span id)
{
    for (const struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        if (skri_job_is_owed(job) && job->conn == c && skr_json_same_id(job->id, id)) {
            SKR_ASSERT(!skri_job_is_last(job)); /* nothing is leaving */
            return true;
        }
    }
    return false;
}

void skri_job_cancel(struct skr_call *call, struct skr_span id)
{
    struct skr_conn *c = call->conn;
    uint16_t session = skri_job_session(c);
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        bool open = (skri_job_is_working(job) || job->state == JOB_ENDED_READY) && !skri_job_is_task(job); /* CAN-06 */
        bool in_batch = job->conn != NULL && skri_in_batch(job->conn); /* its answer is part of that of the batch */
        if (skri_job_is_theirs(job, c, session) && open && !in_batch && skr_json_same_id(job->id, id)) {
            cancel(c->srv, job);
            return;
        }
    }
}

/* The connection that waits for a job is gone. */
static void lose_link(struct skr_server *s, struct skr_job *job)
{
    if (SKR_RESUME && skri_stream_away(s, job)) {
        return;
    }
    bool stops = job->state == JOB_WORKING_AWAITED && (job->session == 0 || skri_job_asks(job)) &&
                 !skri_job_is_task(job); /* CAN-04; but CAN-05 */
    if (stops) {
        withdraw(s, job);
    }
    skri_job_abandon(job, stops ? JOB_DROP : JOB_LOSE);
}

void skri_job_forget(struct skr_server *s, const struct skr_conn *c)
{
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (skri_job_is_owed(job) && job->conn == c) {
            lose_link(s, job);
        }
#if SKR_TASKS
        if (skri_job_is_task(job) && job->owner == c) {
            job->owner = NULL;
            if (!job->modern) { /* SER-03; in 2026-07-28 whoever has its id may come back for it */
                job->task = NO_TASK;
                skri_job_drop(s, job);
            }
        }
#endif
    }
}

/* ERA-12. Tasks stay, because a bridge repeats the handshakes of its clients in turn; replies to their questions count
 * only once these have been asked again. */
void skri_job_restart(const struct skr_conn *c)
{
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        if (job->modern || !skri_job_is_theirs(job, c, 0)) {
            continue;
        }
        if (!skri_job_is_task(job)) {
            skri_job_drop(c->srv, job);
            continue;
        }
#if SKR_INTERACTIVE
        for (unsigned i = 0; i < job->question_count; i++) {
            job->questions[i].id = 0;
        }
#endif
        if (skri_job_is_owed(job)) {
            skri_job_abandon(job, JOB_LOSE);
        }
    }
}

void skri_job_forget_session(struct skr_server *s, uint16_t session)
{
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (job->state == JOB_FREE || job->session != session) {
            continue;
        }
        job->session = 0;
#if SKR_TASKS
        job->task = NO_TASK;
#endif
        if (job->conn == NULL) { /* nobody can pick it up any more */
            skri_job_drop(s, job);
        }
    }
}

#endif
