/* resume.c -- a stream of events whose client goes and comes back. See resume.h. */
#include "handler/resume.h"

#include "handler/progress.h"

#if SKR_RESUME

bool skr_close_stream(struct skr_call *call, uint32_t retry_ms)
{
    struct skr_job *job = call->job;
    if (job == NULL || job->conn == NULL || job->mute || skri_job_is_stopping(job) || !skri_stream_has_ids(job)) {
        return false;
    }
    job->retry_ms = retry_ms;
    job->closing = true;
    return true;
}

/* A response that was being sent is to be sent again. */
static void unsend(struct skr_job *job)
{
    if (skri_job_is_sending(job)) {
        skri_job_move(job, JOB_UNSEND);
    }
}

/* Will there be a response that is worth coming back for? Not for one that only says why the handler had to end. */
static bool is_worth_it(const struct skr_job *job)
{
    return job->state == JOB_WORKING_AWAITED || job->state == JOB_ENDED_READY || job->state == JOB_ENDED_SENDING;
}

bool skri_stream_away(struct skr_server *s, struct skr_job *job)
{
    if (skri_job_is_task(job)) { /* a task is asked for by its id */
        return false;
    }
    if (job->stream == 0 || job->session == 0 || !is_worth_it(job)) {
        return false;
    }
    unsend(job);
    job->conn = NULL;
    job->closing = false;
    job->away_ms = s->now_ms;
    return true;
}

void skri_stream_told(struct skr_conn *c, struct skr_job *job)
{
    if (job->closing && SKRI_AS(&c->answer, message)->text_n == 0) {
        c->finished = true;
        c->waits = NULL;
        (void)skri_stream_away(c->srv, job);
    }
}

void skri_stream_expire(struct skr_server *s, struct skr_job *job)
{
    if (!skri_job_is_away(job)) {
        return;
    }
    if (skri_job_runs(job) && !skri_job_asks(job)) { /* a client that is asked and stays away ends the run */
        job->away_ms = s->now_ms;
    } else if (s->now_ms - job->away_ms >= SKR_RESUME_MS) {
        skri_job_drop(s, job);
    }
}

/* Takes the job from its connection, which the client has most likely lost without our noticing. */
static void take_from(struct skr_job *job)
{
    struct skr_conn *old = job->conn;
    if (old != NULL) {
        old->answering = false;
        old->out_count = old->out_first = 0;
        old->leaving = old->waits = NULL;
        old->finished = true;
    }
    unsend(job);
}

/* What the client has not seen is to be sent again. */
static void rewind_to(struct skr_job *job, uint16_t event)
{
    skri_progress_again(job, event);
    for (unsigned i = 0; i < job->question_count; i++) {
        job->questions[i].sent &= job->questions[i].event <= event;
    }
}

struct skr_job *skri_stream_find(struct skr_conn *c, uint32_t stream)
{
    uint16_t session = skri_job_session(c);
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        if (stream != 0 && job->stream == stream && session != 0 && job->session == session && skri_job_is_owed(job) &&
            skri_job_response(job) != RESPONSE_LAST) {
            return job;
        }
    }
    return NULL;
}

void skri_stream_take(struct skr_conn *c, struct skr_job *job, uint16_t last_event)
{
    take_from(job);
    rewind_to(job, last_event);
    job->conn = c;
    c->waits = job;
}

#endif
