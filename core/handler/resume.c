/* resume.c -- a stream of events whose client goes and comes back. See resume.h. */
#include "handler/resume.h"

#include "handler/progress.h"

#if SKR_RESUME

bool skr_close_stream(struct skr_call *call, uint32_t retry_ms)
{
    struct skr_job *job = call->job;

    if (job == NULL || job->conn == NULL || job->messages.mute || skri_job_is_stopping(job) ||
        !skri_stream_has_ids(job)) {
        return false;
    }
    job->stream.retry_ms = retry_ms;
    job->stream.closing = true;
    return true;
}

/* A response that was being sent is to be sent again. */
static void job_unsend(struct skr_job *job)
{
    if (skri_job_is_sending(job)) {
        skri_job_move(job, JOB_UNSEND);
    }
}

/* True while there will be a response that is worth coming back for; not one that only says why the handler had to end. */
static bool job_is_resumable(const struct skr_job *job)
{
    return job->state == JOB_WORKING_AWAITED || job->state == JOB_ENDED_READY || job->state == JOB_ENDED_SENDING;
}

bool skri_stream_away(struct skr_server *s, struct skr_job *job)
{
    if (skri_job_is_task(job)) { /* a task is found by its id */
        return false;
    }
    if (job->stream.number == 0 || job->session == 0 || !job_is_resumable(job)) {
        return false;
    }
    job_unsend(job);
    job->conn = NULL;
    job->stream.closing = false;
    job->stream.away_ms = s->clock.now_ms;
    return true;
}

void skri_stream_sent(struct skr_conn *c, struct skr_job *job)
{
    if (job->stream.closing && SKRI_AS(&c->response, message)->text_n == 0) {
        c->finished = true;
        c->job.awaited = NULL;
        (void)skri_stream_away(c->srv, job);
    }
}

void skri_stream_expire(struct skr_server *s, struct skr_job *job)
{
    if (!skri_job_is_away(job)) {
        return;
    }
    if (skri_job_runs(job) &&
        !skri_job_has_requests(job)) { /* a client that stays away and has a request to reply to ends the call */
        job->stream.away_ms = s->clock.now_ms;
    } else if (s->clock.now_ms - job->stream.away_ms >= SKR_RESUME_MS) {
        skri_job_drop(s, job);
    }
}

/* Takes the job from its connection, which the client has most likely lost without our noticing. */
static void job_leave_conn(struct skr_job *job)
{
    struct skr_conn *old = job->conn;

    if (old != NULL) {
        old->responding = false;
        old->tx.count = old->tx.first = 0;
        old->job.sending = old->job.awaited = NULL;
        old->finished = true;
    }
    job_unsend(job);
}

/* Messages that the client has not seen are to be sent again. */
static void job_rewind(struct skr_job *job, uint16_t event)
{
    skri_progress_again(job, event);
    for (unsigned i = 0; i < job->requests.count; i++) {
        job->requests.list[i].sent &= job->requests.list[i].event <= event;
    }
}

struct skr_job *skri_stream_find(struct skr_conn *c, uint32_t stream)
{
    uint16_t session = skri_job_session(c);

    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        if (stream != 0 && job->stream.number == stream && session != 0 && job->session == session &&
            skri_job_is_owed(job) && skri_job_response(job) != RESPONSE_LAST) {
            return job;
        }
    }
    return NULL;
}

void skri_stream_take(struct skr_conn *c, struct skr_job *job, uint16_t last_event)
{
    job_leave_conn(job);
    job_rewind(job, last_event);
    job->conn = c;
    c->job.awaited = job;
}

#endif
