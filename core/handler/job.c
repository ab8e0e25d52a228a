/* job.c -- handlers that need time. See job.h.
 *
 * Its two sides end independently (job_state.h), and the slot is free when both are over. A handler that ignores
 * skr_cancelled thus keeps its slot, and its tool stays busy, but no client waits for it. */
#include "handler/job.h"

#include "handler/client_request.h"
#include "handler/handler.h"
#include "handler/job_task.h"
#include "handler/progress.h"
#include "handler/resume.h"
#include "handler/tool_call.h"
#include "response/backend.h"

#if SKR_JOBS

/* True while somebody wants what the handler puts. */
static bool is_wanted(const struct skr_job *job)
{
    return skri_job_is_awaited(job) || (job->state == JOB_WORKING && skri_job_is_task(job));
}

/* ---- Starting ---- */

/* Copies s to *used in the job's own text, and advances *used. */
static struct skr_span keep_text(struct skr_job *job, struct skr_span s, size_t *used)
{
    struct skr_span kept = {s.p == NULL ? NULL : job->text + *used, s.n};
    if (s.n > 0) {
        memcpy(job->text + *used, s.p, s.n);
    }
    *used += s.n;
    return kept;
}

/* A free slot; else that of a task which has ended and is only kept. */
static struct skr_job *free_place(struct skr_server *s)
{
    for (struct skr_job *j = s->jobs; j < s->jobs + SKR_JOBS; j++) {
        if (j->state == JOB_FREE) {
            return j;
        }
    }
    return SKR_TASKS ? skri_task_evict(s, NULL) : NULL;
}

static bool is_busy(const struct skr_server *s, const struct skr_tool *tool)
{
    for (const struct skr_job *j = s->jobs; !tool->parallel && j < s->jobs + SKR_JOBS; j++) {
        if (j->run.tool == tool && (skri_job_runs(j) || !skri_job_is_task(j))) {
            return true;
        }
    }
    return false;
}

/* Sets up what may be sent before the answer. */
static void ready_to_talk(struct skr_call *call, struct skr_job *job, size_t used)
{
#if SKR_INTERACTIVE
    job->mute = skri_in_batch(call->conn) || skri_takes_only_json(call->conn);
    struct skr_span token = skri_progress_begin(call, job);
    if (token.n <= sizeof job->text - used) { /* without room for it no progress is sent */
        job->token = keep_text(job, token, &used);
    }
#endif
    (void)call;
    (void)job;
    (void)used;
}

/* A job for this run; NULL when the answer is already a refusal. */
static struct skr_job *take(struct skr_call *call, const struct skr_tool_call *run)
{
    struct skr_server *srv = call->srv;
    struct skr_span id = call->answer->envelope.id;
    if (is_busy(srv, run->tool)) {
        skri_tool_call_refuse(call, run, SKR_BUSY, "busy: its last run has not ended yet");
        return NULL;
    }
    if (SKR_TASKS && !skri_task_has_room(call, run->tool)) {
        skri_tool_call_refuse(call, run, SKR_BUSY, "busy: this client has as many unfinished tasks as one may have");
        return NULL;
    }
    struct skr_job *job = free_place(srv);
    if (job == NULL) {
        skri_tool_call_refuse(call, run, SKR_BUSY, "busy: as many runs as SKR_JOBS have not ended yet");
        return NULL;
    }
    if (id.n + run->name.n + run->file.n > sizeof job->text) {
        skri_rpc_error(call, SKR_JOB_TEXT_LONG, SPAN(""));
        return NULL;
    }
    size_t used = 0;
    memset(job, 0, sizeof *job);
    if (job >= srv->jobs_end) {
        srv->jobs_end = job + 1;
    }
    skri_job_move(job, JOB_START);
    job->run.tool = run->tool;
#if SKR_EXTRAS
    job->run.prompt = run->prompt;
#endif
    job->id = keep_text(job, id, &used);
    job->run.name = keep_text(job, run->name, &used);
    job->run.file = keep_text(job, run->file, &used);
    job->conn = call->conn;
    job->session = call->modern ? 0 : skri_job_session(call->conn);
    job->modern = call->modern;
    job->serial = ++srv->job_changes;
    job->out.p = srv->job_output[job - srv->jobs];
    job->out.max = SKR_JOB_OUTPUT_MAX;
    job->out.version = call->modern ? SKR_V_2026_07_28 : call->legacy->version;
    skri_tool_call_limit(&job->out, run->tool);
    ready_to_talk(call, job, used);
    return job;
}

/* One call of the handler. True when it wants another. */
static bool call_handler(struct skr_call *call, struct skr_job *job)
{
#if SKR_INTERACTIVE
    const struct skr_client_request_ops *asking = call->srv->backend->asking;
    asking->before(job);
#endif
    bool pending = job->run.tool->run(call) == SKR_PENDING;
#if SKR_INTERACTIVE
    pending &= !call->out.final;
    asking->after(call, job, pending);
#endif
    return pending;
}

/* The response follows, after other messages where that is possible. */
static void wait_for(struct skr_call *call, struct skr_job *job)
{
    struct skr_conn *c = call->conn;
    c->waits = c->wire == SKR_LINE && !skri_in_batch(c) ? NULL : job;
}

/* The response is sent as the one to the request in hand. */
static void send_first(struct skr_call *call, struct skr_job *job)
{
    skri_job_move(job, JOB_END);
    skri_job_move(job, JOB_SEND);
    call->conn->leaving = job;
}

/* The first call of the handler is over. */
static void settle_first(struct skr_call *call, struct skr_job *job, bool pending)
{
    if (SKR_TASKS && skri_task_create(call, job, pending)) {
        return;
    }
#if SKR_INTERACTIVE
    if (job->modern && skri_job_asks(job)) { /* MRTR-03: the state goes to the client, nothing is kept here */
        send_first(call, job);
        skri_job_record(call->srv, job, "asked");
        call->srv->backend->asking->result(call->srv, call->answer, job);
        return;
    }
#endif
    if (pending) {
        skri_job_move(job, JOB_PEND);
        wait_for(call, job);
        return;
    }
    skri_job_record(call->srv, job, NULL);
    if (skri_job_talks(job)) {
        skri_job_move(job, JOB_END);
        wait_for(call, job);
        return;
    }
    send_first(call, job);
    call->srv->backend->answer(call->answer, &job->run, &job->out);
}

void skri_job_start(struct skr_call *call, const struct skr_tool_call *run)
{
    struct skr_job *job = take(call, run);
    if (job == NULL) {
        return;
    }
#if SKR_INTERACTIVE
    if (!call->srv->backend->asking->begin(call, job)) {
        skri_job_move(job, JOB_REFUSE);
        return;
    }
#endif
#if SKR_TASKS
    skri_task_begin(call, job);
#endif
    call->job = job;
    call->out = job->out;
    bool pending = call_handler(call, job);
    job->out = call->out;
    if (skri_rpc_has_failed(call)) {
        skri_job_move(job, JOB_REFUSE);
    } else {
        settle_first(call, job, pending);
    }
}

/* ---- Running ---- */

/* A call of the handler after the first: the request is gone, so there are no arguments. */
static void later_call(struct skr_call *call, struct skr_server *s, struct skr_job *job)
{
    memset(call, 0, sizeof *call);
    call->srv = s;
    call->fs = s->fs;
    call->conn = job->conn;
    call->arguments = call->params = -1; /* nor is anything given */
    memset(call->meta, -1, sizeof call->meta);
    memset(call->given, -1, sizeof call->given);
#if SKR_INTERACTIVE
    call->replies = call->reply = -1;
    call->modern = job->modern;
#endif
    call->tool = job->run.tool;
    call->job = job;
    call->out = job->out;
}

/* The handler's side comes to this event, and with it a task to its result. */
static void end_work(struct skr_server *s, struct skr_job *job, enum job_event event)
{
    if (SKR_TASKS && skri_job_is_task(job) && skri_job_is_working(job)) {
        skri_task_touch(s, job);
    }
    skri_job_move(job, event);
}

static void expire(struct skr_job *job, struct skr_call *call, uint32_t limit_ms)
{
    if (is_wanted(job)) {
        skr_stop(call, SKR_TIMEOUT,
                 skri_job_asks(job) ? "timed out: no answer came within " : "timed out: not done within ");
        skr_put_int(call, (int32_t)limit_ms);
        skr_put(call, " ms");
        job->out = call->out;
        skri_job_record(call->srv, job, NULL);
    }
    end_work(call->srv, job, JOB_EXPIRE);
#if SKR_INTERACTIVE
    job->question_count = 0;
#endif
    call->out.n = call->out.max = 0; /* a late result is dropped */
}

/* Calls the handler, and keeps what it put as long as somebody wants it. */
static void go_on(struct skr_call *call, struct skr_job *job)
{
    bool wanted = is_wanted(job);
    if (!wanted) {
        call->out.n = call->out.max = 0;
    }
    bool pending = call_handler(call, job);
    bool asks = wanted && job->modern && skri_job_asks(job) && !skri_job_is_task(job); /* MRTR-03 */
    if (wanted) {
        job->out = call->out;
    }
    if (asks || !pending) {
        skri_job_record(call->srv, job, asks ? "asked" : NULL);
        end_work(call->srv, job, JOB_END);
    }
}

void skri_job_go_on(struct skr_server *s, struct skr_job *job, const struct skr_call *from)
{
    struct skr_call call;
    later_call(&call, s, job);
#if SKR_INTERACTIVE
    call.json = from->json;
    call.replies = from->replies;
    call.reply = from->reply;
#else
    (void)from;
#endif
    job->ticked = false; /* the deadline starts again */
    job->took_ms = 0;
    go_on(&call, job);
}

/* How long the handler may work, or a question may stay open. */
static uint32_t limit_of(const struct skr_job *job)
{
    uint32_t limit_ms = job->run.tool->deadline_ms;
    if (skri_job_asks(job)) {
        return SKR_CLIENT_REQUEST_MS;
    }
    return limit_ms < SKR_JOB_DEADLINE_MAX_MS ? limit_ms : SKR_JOB_DEADLINE_MAX_MS;
}

static void step_job(struct skr_server *s, struct skr_job *job, uint32_t now_ms)
{
    struct skr_call call;
    uint32_t limit_ms = limit_of(job);
    if (!job->ticked) {
        job->ticked = true;
        job->since_ms = now_ms;
    }
    job->took_ms = now_ms - job->since_ms;
    bool over = skri_job_is_working(job) && job->took_ms >= limit_ms;
    if (!over && skri_job_is_working(job) && skri_job_asks(job)) {
        return; /* the client's turn */
    }
    later_call(&call, s, job);
    if (over) {
        expire(job, &call, limit_ms);
    }
    go_on(&call, job);
}

bool skr_server_tick(struct skr_server *s, uint32_t now_ms)
{
    bool pending = false;
    if (!s->ticking) {
        s->ticking = true;
        s->first_ms = now_ms;
    }
#if SKR_TASKS
    skri_task_tick(s, now_ms - s->first_ms - s->now_ms);
#endif
    s->now_ms = now_ms - s->first_ms;
    for (struct skr_job *job = s->jobs; job < s->jobs_end; job++) {
        if (skri_job_runs(job)) {
            step_job(s, job, now_ms);
        }
#if SKR_RESUME
        skri_stream_expire(s, job);
#endif
        pending |= skri_job_runs(job) || (job->conn != NULL && (skri_job_is_ready(job) || skri_job_talks(job)));
    }
    return pending;
}

/* ---- What handlers see ---- */

/* The handler of a tool without a deadline gets memory, too, so that its run ends with an error instead of a crash: that
 * of the output, which the error replaces (skri_end_needs_job). */
static void *lend_state(struct skr_call *call)
{
    char *p = call->conn->output;
    p += (0 - (uintptr_t)p) % sizeof(uint64_t);
    if (!call->needs_job) {
        memset(p, 0, SKR_JOB_STATE);
    }
    call->needs_job = true;
    call->out.n = call->out.max = 0;
    return p;
}

void *skr_job_state(struct skr_call *call, size_t size)
{
    if (size > SKR_JOB_STATE) {
        skri_end_misused(call, ": its state is larger than SKR_JOB_STATE; raise that in SKR_USER_CONFIG");
        return NULL;
    }
    if (call->job == NULL) {
        return lend_state(call);
    }
#if SKR_INTERACTIVE
    if (size > call->job->state_size) {
        call->job->state_size = (uint16_t)size;
    }
#endif
    return call->job->handler_state.bytes;
}

uint32_t skr_job_ms(const struct skr_call *call)
{
    return call->job != NULL ? call->job->took_ms : 0;
}

bool skr_cancelled(const struct skr_call *call)
{
    return call->job != NULL && skri_job_is_stopping(call->job);
}

#endif
