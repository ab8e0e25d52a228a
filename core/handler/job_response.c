/* job_response.c -- the answers of jobs, and the messages before them, one at a time. See job.h. */
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

/* Can this job's answer, or a message before it, be sent on c when nothing else is being sent? */
static bool can_leave(const struct skr_conn *c, struct skr_job *job)
{
    if (job->conn != c || (c->waits != NULL && c->waits != job)) {
        return false;
    }
#if SKR_INTERACTIVE
    if (skri_job_is_awaited(job) && c->srv->backend->asking->unsent(job) != NULL) {
        return true;
    }
#endif
    return skri_job_is_ready(job) || (skri_job_is_awaited(job) && skri_job_talks(job));
}

bool skri_job_owes(const struct skr_conn *c, bool *ready)
{
    bool owes = false;
    *ready = false;
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs_end; job++) {
        owes |= job->conn == c && skri_job_is_owed(job);
        *ready |= can_leave(c, job);
    }
    return owes;
}

void skri_job_respond(struct skr_conn *c, struct skr_job *job)
{
    struct skr_response *a = &c->answer;
    bool waited = c->waits == job;
    skri_rpc_begin(c);
    skri_log_resume(c, job);
    a->envelope.id = job->id;
    a->envelope.modern = job->modern;
    c->srv->backend->answer(a, &job->run, &job->out);
#if SKR_INTERACTIVE
    if (skri_job_asks(job)) {
        c->srv->backend->asking->result(c->srv, a, job);
    }
#endif
    if (SKR_TASKS && skri_job_is_task(job)) {
        skri_task_answer(a, job);
    }
    skri_job_move(job, JOB_SEND);
    c->leaving = job;
    c->waits = NULL;
    c->answering = true;
    c->apart = !waited;
    if (waited) {
        c->outlet->answer(c, job);
    }
}

#if SKR_INTERACTIVE

static bool render_talk(struct skr_response *a)
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

/* Prepares the next message before the answer: a notification, a question, or the end of a stream. False: none. */
static bool talk(struct skr_conn *c, struct skr_job *job)
{
    struct skr_span text = skri_progress_next(job);
    uint32_t id = 0;
    struct skr_client_request *question =
        text.n == 0 && skri_job_is_awaited(job) ? c->srv->backend->asking->unsent(job) : NULL;
    if (question != NULL) {
        question->id = question->id != 0 ? question->id : ++c->srv->asked;
        question->sent = true;
        id = question->id;
        text = c->srv->backend->asking->request(c->srv, job, question);
    }
    if (text.n == 0 && !skri_job_talks(job)) {
        return false;
    }
    skri_rpc_begin(c);
    skri_response_result(&c->answer, NULL);
    c->answer.render = render_talk;
    SKRI_MAKE(&c->answer, message)->text = text.p;
    SKRI_AS(&c->answer, message)->text_n = (uint32_t)text.n;
    SKRI_AS(&c->answer, message)->id = id;
    c->answering = c->apart = true;
    c->leaving = job;
    uint16_t event = c->outlet->event(c, job, text.n > 0);
    if (question != NULL) {
        question->event = event;
    }
    return true;
}

#endif

bool skri_job_next(struct skr_conn *c)
{
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs_end; job++) {
        if (!can_leave(c, job)) {
            continue;
        }
#if SKR_INTERACTIVE
        if (talk(c, job)) {
            return true;
        }
#endif
        skri_job_respond(c, job);
        return true;
    }
    return false;
}

void skri_job_sent(struct skr_conn *c)
{
    struct skr_job *job = c->leaving;
    c->leaving = NULL;
    if (job == NULL) {
        return;
    }
    SKR_ASSERT(job->conn == c); /* whoever takes a job from its connection ends what that is sending */
#if SKR_INTERACTIVE
    if (!skri_job_is_last(job)) { /* not the answer, but a message before it */
        if (SKRI_AS(&c->answer, message)->id == 0 && SKRI_AS(&c->answer, message)->text_n > 0) { /* a notification */
            skri_progress_left(job);
        }
        c->srv->backend->asking->told(c->srv, job);
#if SKR_RESUME
        skri_stream_told(c, job);
#endif
        return;
    }
#endif
    skri_job_abandon(job, JOB_SENT);
}

#endif
