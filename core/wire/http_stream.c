/* http_stream.c -- an HTTP answer that is a stream of events, because its run has something
 * to say before its result.
 *
 * A client of 2025-11-25 can come back for the rest of such a stream. Its first event is then
 * empty and has an id, stream-event, as all that follow; what has not left, and notes
 * that still lie there, wait in the job. */
#include "wire/http_types.h"
#include "run/job.h"
#include "run/notes.h"
#include "run/job_task.h"

#if SKR_HTTP && SKR_TALK

#if SKR_RESUME
/* SSE-07: ids only where clients expect the empty event that comes with them. */
static bool has_ids(const struct skr_job *job)
{
    return job->session != 0 && job->out.version >= SKR_V_2025_11_25;
}

static void put_id(struct skr_conn *c, const struct skr_job *job)
{
    skr_http_put(c, "id: ");
    skr_http_put_number(c, job->stream, 10);
    skr_http_put(c, "-");
    skr_http_put_number(c, job->event, 10);
    skr_http_put(c, "\n");
}

static void put_retry(struct skr_conn *c, const struct skr_job *job)
{
    skr_http_put(c, "retry: ");
    skr_http_put_number(c, job->retry_ms, 10);
    skr_http_put(c, "\n");
}

static void put_first_event(struct skr_conn *c, struct skr_job *job)
{
    job->stream = ++c->srv->job_streams;
    put_id(c, job);
    if (job->closing) {
        put_retry(c, job);
    }
    skr_http_put(c, "data: \n\n");
}

#endif

static void put_head(struct skr_conn *c)
{
    c->http.flags |= HTTP_EVENTS | HTTP_CLOSE;
    skr_http_put_stream_head(c);
}

/* What stands in front of the next message. */
static void put_message_start(struct skr_conn *c, struct skr_job *job)
{
    c->answer.framing = &skr_framing_sse;
#if SKR_RESUME
    if (has_ids(job)) {
        job->event++;
        put_id(c, job);
    }
#else
    (void)job;
#endif
}

uint16_t skr_stream_event(struct skr_conn *c, struct skr_job *job, bool message)
{
    uint32_t from = c->scratch_used;
    bool begun = (c->http.flags & HTTP_EVENTS) != 0;
    if (!begun) {
        put_head(c);
    }
#if SKR_RESUME
    if (!begun && has_ids(job) && job->stream == 0) {
        put_first_event(c, job);
    } else if (!message) {
        put_retry(c, job);
        skr_http_put(c, "\n");
    }
#endif
    if (message) {
        put_message_start(c, job);
    }
    skr_http_put_done(c, from);
#if SKR_RESUME
#if SKR_NOTES
    if (message && job->noted < job->notes) {
        skr_notes_number(job, job->event);
    }
#endif
    return job->event;
#else
    return 0;
#endif
}

bool skr_stream_last(struct skr_conn *c, struct skr_job *job)
{
    uint32_t from = c->scratch_used;
    if ((c->http.flags & HTTP_EVENTS) == 0) {
        return false;
    }
    put_message_start(c, job);
    skr_http_put_done(c, from);
    return true;
}

bool skr_stream_cut(struct skr_conn *c)
{
    if ((c->http.flags & HTTP_EVENTS) == 0) {
        return false;
    }
    c->finished = true;
    return true;
}

#endif

#if SKR_RESUME

/* ---- Closing and coming back ---- */

bool skr_close_stream(struct skr_call *call, uint32_t retry_ms)
{
    struct skr_job *job = call->job;
    if (job == NULL || job->conn == NULL || job->mute || job->cancelled || !has_ids(job)) {
        return false;
    }
    job->retry_ms = retry_ms;
    job->closing = true;
    return true;
}

bool skr_stream_away(struct skr_server *s, struct skr_job *job)
{
#if SKR_TASKS
    if (job->task != NO_TASK) { /* it is asked for by its id */
        return false;
    }
#endif
    if (job->stream == 0 || job->session == 0 || job->cancelled || job->owed == OWED_NOTHING) {
        return false;
    }
    job->owed = job->owed == OWED_LEAVING ? OWED_NOW : job->owed;
    job->conn = NULL;
    job->closing = false;
    job->away = true;
    job->away_ms = s->now_ms;
    return true;
}

void skr_stream_told(struct skr_conn *c, struct skr_job *job)
{
    if (job->closing && c->answer.subject.n == 0) {
        c->finished = true;
        c->waits = NULL;
        (void)skr_stream_away(c->srv, job);
    }
}

void skr_stream_expire(struct skr_server *s, struct skr_job *job)
{
    if (!job->away) {
        return;
    }
    if (job->running) {
        job->away_ms = s->now_ms;
    } else if (s->now_ms - job->away_ms >= SKR_RESUME_MS) {
        skr_job_drop(s, job);
    }
}

/* Its connection has most likely been lost by the client, before we could notice. */
static void take_from(struct skr_job *job)
{
    struct skr_conn *old = job->conn;
    if (old != NULL) {
        old->answering = old->telling = false;
        old->out_count = old->out_first = 0;
        old->leaving = old->waits = NULL;
        old->finished = true;
    }
    job->owed = job->owed == OWED_LEAVING ? OWED_NOW : job->owed;
}

/* What the client has not seen is to be sent again. */
static void rewind_to(struct skr_job *job, uint16_t event)
{
#if SKR_NOTES
    skr_notes_again(job, event);
#endif
#if SKR_ASK
    for (unsigned i = 0; i < job->question_count; i++) {
        job->questions[i].sent &= job->questions[i].event <= event;
    }
#endif
    (void)event;
}

bool skr_stream_resume(struct skr_conn *c)
{
    const struct skr_http *h = &c->http;
    uint16_t session = skr_job_session(c);
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        if (job->run.tool == NULL || h->last_stream == 0 || job->stream != h->last_stream || session == 0 ||
            job->session != session || job->owed == OWED_NOTHING) {
            continue;
        }
        if ((h->flags & HTTP_HAS_ACCEPT) != 0 && (h->flags & HTTP_ACCEPTS_SSE) == 0) { /* HTTP-04: it stays */
            skr_http_send_fault(c, SKR_STREAM_ONLY);
            return true;
        }
        take_from(job);
        rewind_to(job, h->last_event);
        job->conn = c;
        job->away = false;
        c->waits = job;
        uint32_t from = c->scratch_used;
        skr_http_send_nothing(c);
        put_head(c);
        skr_http_put_done(c, from);
        c->apart = true;
        return true;
    }
    return false;
}

#endif
