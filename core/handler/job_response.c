/* job_response.c -- the responses of jobs, and the messages before them, one at a time. See job.h. */
#include "handler/client_request.h"
#include "handler/job_task.h"
#include "handler/progress.h"
#include "handler/resume.h"
#include "handler/tool_call.h"
#include "handler/transport.h"
#include "response/backend.h"
#include "response/log.h"
#include "text/assert.h"

#if SKR_JOBS

/* The job's next client request that can be sent, or NULL. */
static struct skr_client_request *job_next_request(const struct skr_conn *c, struct skr_job *job)
{
    return SKR_INTERACTIVE && skri_job_is_awaited(job) ? c->srv->backend->requests->next(job) : NULL;
}

/* True when this job's response, or a message before it, can be sent on c as soon as nothing else is being sent. */
static bool job_can_send(const struct skr_conn *c, struct skr_job *job)
{
    if (job->conn != c || (c->job.awaited != NULL && c->job.awaited != job)) {
        return false;
    }
    return skri_job_is_ready(job) || (skri_job_is_awaited(job) && skri_job_has_messages(job)) ||
           job_next_request(c, job) != NULL;
}

bool skri_job_owes(const struct skr_conn *c, bool *ready)
{
    bool owes = false;

    *ready = false;
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs_end; job++) {
        owes |= job->conn == c && skri_job_is_owed(job);
        *ready |= job_can_send(c, job);
    }
    return owes;
}

/* Makes the job's response the one that c sends. */
static void job_respond(struct skr_conn *c, struct skr_job *job)
{
    struct skr_response *a = &c->response;
    bool waited = c->job.awaited == job;

    skri_rpc_begin(c);
    skri_log_resume(c, job);
    a->envelope.id = job->id;
    a->envelope.modern = job->modern;
    c->srv->backend->make_response(a, &job->call, &job->out);
    if (skri_job_has_requests(job)) {
        c->srv->backend->requests->result(c->srv, a, job);
    }
    if (SKR_TASKS && skri_job_is_task(job)) {
        skri_task_respond(a, job);
    }
    skri_job_move(job, JOB_SEND);
    c->job.sending = job;
    c->job.awaited = NULL;
    c->responding = true;
    c->apart = !waited;
    if (waited) {
        c->job.transport->respond(c, job);
    }
}

static bool render_job_message(struct skr_response *a)
{
    if (a->step++ > 0 || SKRI_AS(a, message)->text_n == 0) {
        return false;
    }
    skri_push_start(a);
    skri_push_text(a, "{\"jsonrpc\":\"2.0\",");
    if (SKRI_AS(a, message)->id > 0) {
        skri_push_text(a, "\"id\":");
        skri_push_number(a, SKRI_AS(a, message)->id);
        skri_push_text(a, ",");
    }
    skri_push_bytes(a, SKR_RAW, SKRI_AS(a, message)->text, SKRI_AS(a, message)->text_n);
    skri_push_text(a, SKRI_AS(a, message)->id > 0 ? "" : "}");
    skri_push_end(a);
    return true;
}

/* Prepares the next message before the response: a notification, a client request, or the end of a stream. False when
 * there is none. */
static bool job_send_message(struct skr_conn *c, struct skr_job *job)
{
    struct skr_span text = SKR_INTERACTIVE ? skri_progress_next(job) : NOTHING;
    uint32_t id = 0;
    struct skr_client_request *request = text.n == 0 ? job_next_request(c, job) : NULL;

    if (request != NULL) {
        request->id = request->id != 0 ? request->id : ++c->srv->counters.requests;
        request->sent = true;
        id = request->id;
        text = c->srv->backend->requests->text(c->srv, job, request);
    }
    if (text.n == 0 && !skri_job_has_messages(job)) {
        return false;
    }
    skri_rpc_begin(c);
    skri_response_result(&c->response, NULL);
    c->response.render = render_job_message;
    SKRI_MAKE(&c->response, message)->text = text.p;
    SKRI_AS(&c->response, message)->text_n = (uint32_t)text.n;
    SKRI_AS(&c->response, message)->id = id;
    c->responding = c->apart = true;
    c->job.sending = job;
    uint16_t event = c->job.transport->event(c, job, text.n > 0);
    if (request != NULL) {
        request->event = event;
    }
    return true;
}

bool skri_job_next(struct skr_conn *c)
{
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs_end; job++) {
        if (job_can_send(c, job)) {
            if (!SKR_INTERACTIVE || !job_send_message(c, job)) {
                job_respond(c, job);
            }
            return true;
        }
    }
    return false;
}

void skri_job_sent(struct skr_conn *c)
{
    struct skr_job *job = c->job.sending;

    c->job.sending = NULL;
    if (job == NULL) {
        return;
    }
    SKR_ASSERT(job->conn == c); /* a connection stops sending before its job is taken away */
    if (!SKR_INTERACTIVE || skri_job_is_last(job)) {
        skri_job_abandon(job, JOB_SENT);
        return;
    }
    if (SKRI_AS(&c->response, message)->id == 0 && SKRI_AS(&c->response, message)->text_n > 0) { /* a notification */
        skri_progress_sent(job);
    }
    c->srv->backend->requests->sent(c->srv, job);
    if (SKR_RESUME) {
        skri_stream_sent(c, job);
    }
}

#endif
