/* http_stream.c -- an HTTP answer that is a stream of events, because its run sends messages before its result.
 *
 * A client of 2025-11-25 can come back for the rest of such a stream (handler/resume.h). Its first event is then empty and
 * has an id, stream-event, as have all that follow. */
#include "handler/progress.h"
#include "handler/resume.h"
#include "handler/transport.h"
#include "wire/batch.h"
#include "wire/http_types.h"

#if SKR_HTTP && SKR_JOBS

#if SKR_RESUME
static void put_id(struct skr_conn *c, const struct skr_job *job)
{
    skri_http_put(c, "id: ");
    skri_http_put_number(c, job->stream, 10);
    skri_http_put(c, "-");
    skri_http_put_number(c, job->event, 10);
    skri_http_put(c, "\n");
}

static void put_retry(struct skr_conn *c, const struct skr_job *job)
{
    skri_http_put(c, "retry: ");
    skri_http_put_number(c, job->retry_ms, 10);
    skri_http_put(c, "\n");
}

static void put_first_event(struct skr_conn *c, struct skr_job *job)
{
    job->stream = ++c->srv->job_streams;
    put_id(c, job);
    if (job->closing) {
        put_retry(c, job);
    }
    skri_http_put(c, "data: \n\n");
}

#endif

#if SKR_INTERACTIVE
static void put_stream_head(struct skr_conn *c)
{
    c->http.flags |= HTTP_EVENTS | HTTP_CLOSE;
    skri_http_put_stream_head(c);
}

/* What comes before the next message. */
static void put_message_start(struct skr_conn *c, struct skr_job *job)
{
    c->answer.framing = &skri_framing_sse;
#if SKR_RESUME
    if (skri_stream_has_ids(job)) {
        job->event++;
        put_id(c, job);
    }
#else
    (void)job;
#endif
}

static uint16_t event_in_stream(struct skr_conn *c, struct skr_job *job, bool message)
{
    uint32_t from = c->scratch_used;
    bool begun = (c->http.flags & HTTP_EVENTS) != 0;
    if (!begun) {
        put_stream_head(c);
    }
#if SKR_RESUME
    if (!begun && skri_stream_has_ids(job)) {
        put_first_event(c, job);
    } else if (!message) {
        put_retry(c, job);
        skri_http_put(c, "\n");
    }
#endif
    if (message) {
        put_message_start(c, job);
    }
    skri_http_put_done(c, from);
#if SKR_RESUME
    if (message && job->noted < job->notes) {
        skri_progress_number(job, job->event);
    }
    return job->event;
#else
    return 0;
#endif
}
#endif

static void answer_in_stream(struct skr_conn *c, struct skr_job *job)
{
#if SKR_EXTRAS
    if (skri_in_batch(c)) {
        skri_batch_send(c);
        return;
    }
#endif
#if SKR_INTERACTIVE
    if ((c->http.flags & HTTP_EVENTS) != 0) {
        uint32_t from = c->scratch_used;
        put_message_start(c, job);
        skri_http_put_done(c, from);
        return;
    }
#endif
    (void)job;
    skri_http_send_response(c);
}

static void give_up_on_stream(struct skr_conn *c)
{
    if ((c->http.flags & HTTP_EVENTS) != 0) {
        c->finished = true;
    } else {
        skri_http_send_status(c, 202);
    }
}

const struct skr_transport skri_http_transport = {
    .answer = answer_in_stream,
    .give_up = give_up_on_stream,
#if SKR_INTERACTIVE
    .event = event_in_stream,
#endif
};

#if SKR_RESUME

bool skri_stream_resume(struct skr_conn *c)
{
    struct skr_job *job = skri_stream_find(c, c->http.last_stream);
    if (job == NULL) {
        return false;
    }
    if (c->http.headers.only_json) { /* HTTP-04: the stream can still be resumed */
        skri_http_send_error(c, SKR_STREAM_ONLY);
        return true;
    }
    skri_stream_take(c, job, c->http.last_event);
    uint32_t from = c->scratch_used;
    skri_http_send_nothing(c);
    put_stream_head(c);
    skri_http_put_done(c, from);
    c->apart = true;
    return true;
}

#endif

#endif
