/* job.c -- handlers that need time. See job.h.
 *
 * The two sides of a job end independently (job_state.h), and the slot is free when both have ended. A handler that
 * ignores skr_cancelled thus keeps its slot, and its tool stays busy, but no client waits for it. */
#include "handler/job.h"

#include "handler/client_request.h"
#include "handler/guard.h"
#include "handler/handler.h"
#include "handler/job_task.h"
#include "handler/progress.h"
#include "handler/resume.h"
#include "handler/tool_call.h"
#include "response/backend.h"

#if SKR_JOBS

/* True while the handler's output is of use: a request awaits it, or a task keeps it. */
static bool job_is_wanted(const struct skr_job *job)
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
static struct skr_job *job_slot(struct skr_server *s)
{
    for (struct skr_job *j = s->jobs; j < s->jobs + SKR_JOBS; j++) {
        if (j->state == JOB_FREE) {
            return j;
        }
    }
    return SKR_TASKS ? skri_task_evict(s, NULL) : NULL;
}

static bool tool_is_busy(const struct skr_server *s, const struct skr_tool *tool)
{
    for (const struct skr_job *j = s->jobs; !tool->parallel && j < s->jobs + SKR_JOBS; j++) {
        if (j->call.tool == tool && (skri_job_runs(j) || !skri_job_is_task(j))) {
            return true;
        }
    }
    return false;
}

/* Prepares the progress and log messages of a job. */
static void job_open_messages(struct skr_call *call, struct skr_job *job, size_t used)
{
    struct skr_job_messages *messages = skri_messages_of(job);

    messages->mute = skri_in_batch(call->conn) || skri_takes_only_json(call->conn);
    struct skr_span token = SKR_INTERACTIVE ? skri_progress_begin(call, job) : NOTHING;
    if (token.n <= sizeof job->text - used) { /* without room for it no progress is sent */
        messages->token = keep_text(job, token, &used);
    }
}

/* Fills a slot for this tool call, copying what outlives the request. */
static void job_fill(struct skr_job *job, struct skr_call *call, const struct skr_tool_call *tool_call)
{
    struct skr_server *srv = call->srv;
    size_t used = 0;

    memset(job, 0, sizeof *job);
    if (job >= srv->jobs_end) {
        srv->jobs_end = job + 1;
    }
    skri_job_move(job, JOB_START);
    job->call = *tool_call;
    job->id = keep_text(job, call->response->envelope.id, &used);
    job->call.name = keep_text(job, tool_call->name, &used);
    job->call.file = keep_text(job, tool_call->file, &used);
    job->conn = call->conn;
    job->session = call->modern ? 0 : skri_job_session(call->conn);
    job->modern = call->modern;
    job->serial = ++srv->counters.jobs;
    job->out.p = srv->job_output[job - srv->jobs];
    job->out.max = SKR_JOB_OUTPUT_MAX;
    job->out.version = call->modern ? SKR_V_2026_07_28 : call->legacy->version;
    if (SKR_INTERACTIVE) {
        job_open_messages(call, job, used);
    }
}

/* A job for this tool call; NULL when the response is already a refusal. */
static struct skr_job *job_take(struct skr_call *call, const struct skr_tool_call *tool_call)
{
    const char *busy = NULL;
    struct skr_job *job = NULL;

    if (tool_is_busy(call->srv, tool_call->tool)) {
        busy = "busy: its previous call has not ended yet";
    } else if (SKR_TASKS && !skri_task_has_room(call, tool_call->tool)) {
        busy = "busy: this client has as many unfinished tasks as one may have";
    } else if ((job = job_slot(call->srv)) == NULL) {
        busy = "busy: as many tool calls as SKR_JOBS have not ended yet";
    }
    if (busy != NULL) {
        skri_tool_call_refuse(call, tool_call, SKR_BUSY, busy);
        return NULL;
    }
    if (call->response->envelope.id.n + tool_call->name.n + tool_call->file.n > sizeof job->text) {
        skri_rpc_error(call, SKR_JOB_TEXT_LONG, SPAN(""));
        return NULL;
    }
    job_fill(job, call, tool_call);
    return job;
}

/* Calls the handler once. True when it wants another call. */
static bool handler_call(struct skr_call *call, struct skr_job *job)
{
    const struct skr_client_request_ops *requests = call->srv->backend->requests;

    if (SKR_INTERACTIVE) {
        requests->before(job);
    }
    bool pending = skri_guard_run(call, &job->call) == SKR_PENDING && !call->out.final;
    if (SKR_INTERACTIVE) {
        requests->after(call, job, pending);
    }
    return pending;
}

/* The response follows. Over HTTP and in a batch nothing else is handled before it. */
static void job_hold_conn(struct skr_call *call, struct skr_job *job)
{
    struct skr_conn *c = call->conn;

    c->job.awaited = c->wire == SKR_LINE && !skri_in_batch(c) ? NULL : job;
}

/* The response is sent as the one to the request in hand. */
static void job_send_now(struct skr_call *call, struct skr_job *job)
{
    skri_job_move(job, JOB_END);
    skri_job_move(job, JOB_SEND);
    call->conn->job.sending = job;
}

/* The first call of the handler is over. */
static void job_end_first_call(struct skr_call *call, struct skr_job *job, bool pending)
{
    if (SKR_TASKS && skri_task_create(call, job, pending)) {
        return;
    }
    if (job->modern && skri_job_has_requests(job)) { /* MRTR-03: the state goes to the client, nothing is kept here */
        job_send_now(call, job);
        skri_job_record(call->srv, job, CALL_ASKED);
        call->srv->backend->requests->result(call->srv, call->response, job);
        return;
    }
    if (pending) {
        skri_job_move(job, JOB_PEND);
        job_hold_conn(call, job);
        return;
    }
    skri_job_record(call->srv, job, CALL_AS_PUT);
    if (skri_job_has_messages(job)) {
        skri_job_move(job, JOB_END);
        job_hold_conn(call, job);
        return;
    }
    job_send_now(call, job);
    call->srv->backend->make_response(call->response, &job->call, &job->out);
}

/* The response is already an error. */
static void job_refuse(struct skr_call *call, struct skr_job *job)
{
    skri_job_record(call->srv, job, SKR_RPC_ERROR);
    skri_job_move(job, JOB_REFUSE);
}

void skri_job_start(struct skr_call *call, const struct skr_tool_call *tool_call)
{
    struct skr_job *job = job_take(call, tool_call);

    if (job == NULL) {
        return;
    }
    if (SKR_INTERACTIVE && !call->srv->backend->requests->begin(call, job)) {
        job_refuse(call, job);
        return;
    }
    if (SKR_TASKS) {
        skri_task_begin(call, job);
    }
    call->job = job;
    call->out = job->out;
    bool pending = handler_call(call, job);
    job->out = call->out;
    if (skri_rpc_has_failed(call)) {
        job_refuse(call, job);
    } else {
        job_end_first_call(call, job, pending);
    }
}

/* ---- Later calls ---- */

/* Prepares a call of the handler after the first: the request is gone, so there are no arguments. */
static void prepare_later_call(struct skr_call *call, struct skr_server *s, struct skr_job *job)
{
    memset(call, 0, sizeof *call);
    call->srv = s;
    call->fs = s->fs;
    call->conn = job->conn;
    call->arguments = call->params = call->replies = call->reply = -1;
    memset(call->meta, -1, sizeof call->meta);
    memset(call->given, -1, sizeof call->given);
    call->modern = job->modern;
    call->tool = job->call.tool;
    call->job = job;
    call->out = job->out;
}

/* The handler's side comes to this event, and with it a task to its result. */
static void job_end_work(struct skr_server *s, struct skr_job *job, enum job_event event)
{
    if (SKR_TASKS && skri_job_is_task(job) && skri_job_is_working(job)) {
        skri_task_touch(s, job);
    }
    skri_job_move(job, event);
}

/* True when the lock of the device ends this tool call. */
static bool job_is_locked(const struct skr_server *s, const struct skr_job *job)
{
#if SKR_GUARD
    return skri_guard_locks(s->guard.lock, job->call.tool);
#else
    (void)s;
    (void)job;
    return false;
#endif
}

/* The result of a tool call that had to end before its handler did. */
static void put_expired(struct skr_call *call, const struct skr_job *job, uint32_t limit_ms)
{
#if SKR_GUARD
    bool asked = job->call.phase == GUARD_ASKED;

    if (skri_guard_locks(call->srv->guard.lock, job->call.tool)) {
        skri_guard_stop(call, asked);
        return;
    }
#endif
    skr_stop(call, SKR_TIMEOUT,
             skri_job_has_requests(job) ? "timed out: no reply came within " : "timed out: not done within ");
    skr_put_int(call, (int32_t)limit_ms);
    skr_put(call, " ms");
#if SKR_GUARD
    skr_put(call, asked ? SKRI_NOTHING_DONE : "");
#endif
}

static void job_expire(struct skr_job *job, struct skr_call *call, uint32_t limit_ms)
{
    if (job_is_wanted(job)) {
        put_expired(call, job, limit_ms);
        job->out = call->out;
        skri_job_record(call->srv, job, CALL_AS_PUT);
    }
    job_end_work(call->srv, job, JOB_EXPIRE);
    skri_job_drop_requests(job);
    call->out.n = call->out.max = 0; /* a late result is dropped */
}

/* Calls the handler, and keeps its output if that is of use. */
static void job_continue(struct skr_call *call, struct skr_job *job)
{
    bool wanted = job_is_wanted(job);

    if (!wanted) {
        call->out.n = call->out.max = 0;
    }
    bool pending = handler_call(call, job);
    bool has_requests = wanted && job->modern && skri_job_has_requests(job) && !skri_job_is_task(job); /* MRTR-03 */
    if (wanted) {
        job->out = call->out;
    }
    if (has_requests || !pending) {
        skri_job_record(call->srv, job, has_requests ? CALL_ASKED : CALL_AS_PUT);
        job_end_work(call->srv, job, JOB_END);
    }
}

void skri_job_continue(struct skr_server *s, struct skr_job *job, const struct skr_call *from)
{
    struct skr_call call;

    prepare_later_call(&call, s, job);
    call.json = from->json;
    call.replies = from->replies;
    call.reply = from->reply;
    job->time.ticked = false; /* the deadline starts again */
    job->time.took_ms = 0;
    job_continue(&call, job);
}

/* How long the handler may work, or a client request may stay open. */
static uint32_t job_limit_ms(const struct skr_job *job)
{
    return skri_job_has_requests(job) ? SKR_CLIENT_REQUEST_MS : skri_tool_deadline_ms(job->call.tool);
}

static void job_tick(struct skr_server *s, struct skr_job *job, uint32_t now_ms)
{
    struct skr_call call;
    uint32_t limit_ms = job_limit_ms(job);

    if (!job->time.ticked) {
        job->time.ticked = true;
        job->time.since_ms = now_ms;
    }
    job->time.took_ms = now_ms - job->time.since_ms;
    bool over = skri_job_is_working(job) && (job->time.took_ms >= limit_ms || job_is_locked(s, job));
    if (!over && skri_job_is_working(job) && skri_job_has_requests(job)) {
        return; /* the client's turn */
    }
    prepare_later_call(&call, s, job);
    if (over) {
        job_expire(job, &call, limit_ms);
    }
    job_continue(&call, job);
}

/* Counts time without wrapping around. */
static void clock_count(struct skr_clock *clock, uint32_t ms)
{
    clock->up_ms += ms;
    clock->up_s += clock->up_ms / 1000;
    clock->up_ms %= 1000;
}

bool skr_server_tick(struct skr_server *s, uint32_t now_ms)
{
    bool pending = false;

    if (!s->clock.ticking) {
        s->clock.ticking = true;
        s->clock.first_ms = now_ms;
    }
    uint32_t passed_ms = now_ms - s->clock.first_ms - s->clock.now_ms;
    if (passed_ms > INT32_MAX) { /* it went back: no limit may take that for weeks */
        s->clock.first_ms += passed_ms;
        passed_ms = 0;
    }
    if (SKR_TASKS || SKR_GUARD) {
        clock_count(&s->clock, passed_ms);
    }
    s->clock.now_ms = now_ms - s->clock.first_ms;
    for (struct skr_job *job = s->jobs; job < s->jobs_end; job++) {
        if (skri_job_runs(job)) {
            job_tick(s, job, s->clock.now_ms);
        }
        if (SKR_RESUME) {
            skri_stream_expire(s, job);
        }
        pending |= skri_job_runs(job) || (job->conn != NULL && (skri_job_is_ready(job) || skri_job_has_messages(job)));
    }
    return pending;
}

/* ---- What handlers see ---- */

/* The handler of a tool without a deadline also gets memory, so that its call ends with an error instead of a crash:
 * that of the output, which the error replaces (skri_end_needs_job). */
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
    if (size > call->job->handler_state.size) {
        call->job->handler_state.size = (uint16_t)size;
    }
    return call->job->handler_state.kept.bytes + SKR_SEAL_BYTES;
}

uint32_t skr_job_ms(const struct skr_call *call)
{
    return call->job != NULL ? call->job->time.took_ms : 0;
}

bool skr_cancelled(const struct skr_call *call)
{
    return call->job != NULL && skri_job_is_stopping(call->job);
}

#endif
