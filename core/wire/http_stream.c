/* http_stream.c -- an HTTP response that is a stream of events: its tool sends messages before the result, or it is the
 * GET stream of a session.
 *
 * A client of 2025-11-25 can come back for the rest of a tool's stream (handler/resume.h). Its first event is then
 * empty and has an id, stream-event, as have all that follow. */
#include "handler/progress.h"
#include "handler/resume.h"
#include "handler/transport.h"
#include "mcp/session.h"
#include "wire/batch.h"
#include "wire/http_types.h"

#if SKR_HTTP && SKR_CHANGES

/* GET: the stream for a session's notifications. It replaces an older one, which the client has most likely lost
 * (SSE-10: a message goes to one stream). */
void skri_http_open_session_stream(struct skr_conn *c)
{
    struct skr_http *h = &c->http;
    struct skr_server *s = c->srv;
    uint16_t session = h->headers.session_slot;

    if (session == 0) {
        skri_http_send_error(c, skri_session_error(h->headers.session));
    } else if ((h->flags & HTTP_ACCEPTS_SSE) == 0) {
        skri_http_send_error(c, SKR_STREAM_ONLY);
    } else if (skri_http_comes_back(c)) { /* for a call that is over: it must not replace the session's stream */
        skri_http_send_error(c, SKR_HTTP_METHOD);
    } else if (!skri_notify_stream(c)) {
        skri_http_send_error(c, SKR_HTTP_STREAMS);
    } else {
        s->changes.count++; /* so that the older one notices */
        c->stream.session = session;
        c->stream.number = s->sessions[session - 1].stream = ++s->streams.ever;
        skri_http_send_stream(c);
    }
}
#endif

#if SKR_RESUME

static void put_id(struct skr_conn *c, const struct skr_job *job)
{
    skri_http_put(c, "id: ");
    skri_http_put_number(c, job->stream.number, 10);
    skri_http_put(c, "-");
    skri_http_put_number(c, job->stream.event, 10);
    skri_http_put(c, "\n");
}

static void put_retry(struct skr_conn *c, const struct skr_job *job)
{
    skri_http_put(c, "retry: ");
    skri_http_put_number(c, job->stream.retry_ms, 10);
    skri_http_put(c, "\n");
}

static void put_first_event(struct skr_conn *c, struct skr_job *job)
{
    job->stream.number = ++c->srv->counters.streams;
    put_id(c, job);
    if (job->stream.closing) {
        put_retry(c, job);
    }
    skri_http_put(c, "data: \n\n");
}

static void put_stream_head(struct skr_conn *c)
{
    c->http.flags |= HTTP_EVENTS | HTTP_CLOSE;
    skri_http_put_stream_head(c);
}

/* Puts the lines before the next message. */
static void put_message_start(struct skr_conn *c, struct skr_job *job)
{
    c->response.framing = &skri_framing_sse;
    if (skri_stream_has_ids(job)) {
        job->stream.event++;
        put_id(c, job);
    }
}

static uint16_t http_event(struct skr_conn *c, struct skr_job *job, bool message)
{
    uint32_t from = c->tx.scratch_used;
    bool begun = (c->http.flags & HTTP_EVENTS) != 0;

    if (!begun) {
        put_stream_head(c);
    }
    if (!begun && skri_stream_has_ids(job)) {
        put_first_event(c, job);
    } else if (!message) {
        put_retry(c, job);
        skri_http_put(c, "\n");
    }
    if (message) {
        put_message_start(c, job);
    }
    skri_http_put_done(c, from);
    if (message && job->messages.sent < job->messages.used) {
        skri_progress_number(job, job->stream.event);
    }
    return job->stream.event;
}

static bool http_respond_in_stream(struct skr_conn *c, struct skr_job *job)
{
    uint32_t from = c->tx.scratch_used;

    if ((c->http.flags & HTTP_EVENTS) == 0) {
        return false;
    }
    put_message_start(c, job);
    skri_http_put_done(c, from);
    return true;
}

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
    uint32_t from = c->tx.scratch_used;
    skri_http_send_nothing(c);
    put_stream_head(c);
    skri_http_put_done(c, from);
    c->apart = true;
    return true;
}

#else

#define http_event NULL
#define http_respond_in_stream(c, job) ((void)(job), false)

#endif

#if SKR_HTTP && SKR_JOBS

static void http_respond(struct skr_conn *c, struct skr_job *job)
{
    if (SKR_EXTRAS && skri_in_batch(c)) {
        skri_batch_send(c);
    } else if (!http_respond_in_stream(c, job)) {
        skri_http_send_response(c);
    }
}

static void http_give_up(struct skr_conn *c)
{
    if ((c->http.flags & HTTP_EVENTS) != 0) {
        c->finished = true;
    } else {
        skri_http_send_status(c, 202);
    }
}

const struct skr_transport skri_http_transport = {
    .respond = http_respond, .event = http_event, .give_up = http_give_up};

#endif
