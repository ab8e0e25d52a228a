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

void skri_job_record(const struct skr_server *s, struct skr_job *job, unsigned how)
{
    if (!job->recorded) {
        job->recorded = true;
        skri_tool_call_record(s, &job->call, &job->out, how, job->time.took_ms);
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
    return job->conn == c || (SKR_TASKS && skri_task_of(job)->owner == c);
}

/* ---- Nobody waits any more ---- */

/* Nobody wants the result, so its client requests are open no longer. */
static void job_withdraw(struct skr_server *s, struct skr_job *job)
{
    skri_job_drop_requests(job);
    skri_job_record(s, job, CALL_CANCELLED);
}

void skri_job_stop(struct skr_server *s, struct skr_job *job)
{
    job_withdraw(s, job);
    skri_job_move(job, JOB_STOP);
}

void skri_job_drop(struct skr_server *s, struct skr_job *job)
{
    job_withdraw(s, job);
    if (skri_job_is_leaving(job)) { /* the message being sent is in its buffer, and is the last */
        skri_job_move(job, JOB_CUT);
    } else {
        skri_job_abandon(job, JOB_DROP);
    }
}

/* The request gets no response; over HTTP only its POST does. */
static void job_cancel(struct skr_server *s, struct skr_job *job)
{
    struct skr_conn *c = job->conn;

    skri_job_drop(s, job);
    if (c != NULL && c->job.awaited == job) {
        c->job.awaited = NULL;
        c->job.transport->give_up(c);
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
        bool in_batch = job->conn != NULL && skri_in_batch(job->conn); /* its response is part of that of the batch */
        if (skri_job_is_theirs(job, c, session) && open && !in_batch && skr_json_same_id(job->id, id)) {
            job_cancel(c->srv, job);
            return;
        }
    }
}

/* The connection that waits for a job is gone. */
static void job_lose_link(struct skr_server *s, struct skr_job *job)
{
    if (SKR_RESUME && skri_stream_away(s, job)) {
        return;
    }
    bool stops = job->state == JOB_WORKING_AWAITED && (job->session == 0 || skri_job_has_requests(job)) &&
                 !skri_job_is_task(job); /* CAN-04; but CAN-05 */
    if (stops) {
        job_withdraw(s, job);
    }
    skri_job_abandon(job, stops ? JOB_DROP : JOB_LOSE);
}

void skri_job_forget(struct skr_server *s, const struct skr_conn *c)
{
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (skri_job_is_owed(job) && job->conn == c) {
            job_lose_link(s, job);
        }
        if (SKR_TASKS && skri_job_is_task(job) && skri_task_of(job)->owner == c) {
            skri_task_of(job)->owner = NULL;
            if (!job->modern) { /* SER-03; in 2026-07-28 a client that has its id may come back for it */
                skri_task_of(job)->kind = NO_TASK;
                skri_job_drop(s, job);
            }
        }
    }
}

/* ERA-12. Tasks stay, because a bridge repeats the handshakes of its clients in turn; replies to their requests count
 * only once these have been sent again. */
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
        for (unsigned i = 0; SKR_INTERACTIVE && i < skri_requests_of(job)->count; i++) {
            skri_requests_of(job)->list[i].id = 0;
        }
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
        if (SKR_TASKS) {
            skri_task_of(job)->kind = NO_TASK;
        }
        if (job->conn == NULL) { /* nobody can pick it up any more */
            skri_job_drop(s, job);
        }
    }
}

#endif
