/* job.c -- handlers that need time. See job.h.
 *
 * A job has two sides that end independently: the handler, which runs until it returns something other than
 * SKR_PENDING, and the answer, which is owed until it has left or nobody wants it. The slot is free when both are over.
 * A handler that ignores the cancel flag thus keeps its slot, and its tool stays busy, but no client waits for it. */
#include "run/job.h"

#include "answer/backend.h"
#include "run/ask.h"
#include "run/call.h"
#include "run/job_state.h"
#include "run/notes.h"
#include "run/resume.h"
#include "run/run.h"

#if SKR_JOBS

/* True while somebody wants what the handler puts. */
static bool is_wanted(const struct skr_job *job)
{
#if SKR_TASKS
    if (job->task == TASK_OPEN) {
        return true;
    }
#endif
    return job->owed == OWED_LATER;
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
        if (j->run.tool == NULL) {
            return j;
        }
    }
    return SKR_TASKS ? skri_task_evict(s, NULL) : NULL;
}

static bool is_busy(const struct skr_server *s, const struct skr_tool *tool)
{
    for (const struct skr_job *j = s->jobs; !tool->parallel && j < s->jobs + SKR_JOBS; j++) {
        if (j->run.tool == tool && (j->running || !skri_job_is_task(j))) {
            return true;
        }
    }
    return false;
}

/* Sets up what may be sent before the answer. */
static void ready_to_talk(struct skr_call *call, struct skr_job *job, size_t used)
{
#if SKR_TALK
    job->mute = skri_in_batch(call->conn) || skri_takes_only_json(call->conn);
    struct skr_span token = skri_notes_begin(call, job);
    if (token.n <= sizeof job->text - used) { /* without room for it no progress is sent */
        job->token = keep_text(job, token, &used);
    }
#endif
    (void)call;
    (void)job;
    (void)used;
}

/* A job for this run; NULL when the answer is already a refusal. */
static struct skr_job *take(struct skr_call *call, const struct skr_run *run)
{
    struct skr_server *srv = call->srv;
    struct skr_span id = call->answer->id;
    if (is_busy(srv, run->tool)) {
        skri_run_refuse(call, run, SKR_BUSY, "busy: its last run has not ended yet");
        return NULL;
    }
    if (SKR_TASKS && !skri_task_has_room(call, run->tool)) {
        skri_run_refuse(call, run, SKR_BUSY, "busy: this client has as many unfinished tasks as one may have");
        return NULL;
    }
    struct skr_job *job = free_place(srv);
    if (job == NULL) {
        skri_run_refuse(call, run, SKR_BUSY, "busy: as many runs as SKR_JOBS have not ended yet");
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
    skri_run_limit(&job->out, run->tool);
    ready_to_talk(call, job, used);
    return job;
}

/* One call of the handler; job->running tells whether it wants another. */
static void call_handler(struct skr_call *call, struct skr_job *job)
{
#if SKR_TALK
    const struct skr_asking *asking = call->srv->backend->asking;
    asking->before(job);
#endif
    job->running = job->run.tool->run(call) == SKR_PENDING;
#if SKR_TALK
    job->running &= !call->ended;
    asking->after(call, job);
#endif
}

static void wait_for(struct skr_call *call, struct skr_job *job, enum job_owed owed)
{
    struct skr_conn *c = call->conn;
    job->owed = (uint8_t)owed;
    call->later = true;
    c->waits = c->wire == SKR_LINE && !skri_in_batch(c) ? NULL : job;
}

/* The first call of the handler is over. */
static void settle_first(struct skr_call *call, struct skr_job *job)
{
    if (SKR_TASKS && skri_task_create(call, job)) {
        if (!job->running) {
            skri_job_record(call->srv, job, NULL);
        }
        return;
    }
#if SKR_TALK
    if (job->modern && skri_job_asks(job)) { /* MRTR-03: the state goes to the client, nothing is kept here */
        job->running = false;
        job->owed = OWED_LEAVING;
        call->conn->leaving = job;
        skri_job_record(call->srv, job, "asked");
        call->srv->backend->asking->result(call->srv, call->answer, job);
        return;
    }
#endif
    if (job->running) {
        wait_for(call, job, OWED_LATER);
        return;
    }
    skri_job_record(call->srv, job, NULL);
    if (skri_job_talks(job)) {
        wait_for(call, job, OWED_NOW);
        return;
    }
    job->owed = OWED_LEAVING;
    call->conn->leaving = job;
    call->srv->backend->answer(call->answer, &job->run, &job->out);
}

void skri_job_start(struct skr_call *call, const struct skr_run *run)
{
    struct skr_job *job = take(call, run);
    if (job == NULL) {
        return;
    }
#if SKR_TALK
    if (!call->srv->backend->asking->begin(call, job)) {
        job->run.tool = NULL;
        return;
    }
#endif
#if SKR_TASKS
    skri_task_begin(call, job);
#endif
    call->job = job;
    call->out = job->out;
    call_handler(call, job);
    job->out = call->out;
#if SKR_TASKS
    job->task = call->refused ? NO_TASK : job->task;
#endif
    if (call->refused) { /* an error is the answer already; it needs nothing of the job */
        job->running = false;
        skri_job_release(job);
    } else {
        settle_first(call, job);
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
#if SKR_TALK
    call->replies = call->reply = -1;
    call->modern = job->modern;
#endif
    call->tool = job->run.tool;
    call->job = job;
    call->out = job->out;
}

/* What the handler put is the result. */
static void finish_job(struct skr_server *s, struct skr_job *job)
{
    skri_job_record(s, job, NULL);
    if (job->owed == OWED_LATER) {
        job->owed = OWED_NOW;
    }
#if SKR_TASKS
    if (job->task == TASK_OPEN) {
        skri_task_end(s, job, TASK_ENDED);
    }
#endif
}

static void expire(struct skr_job *job, struct skr_call *call, uint32_t limit_ms)
{
    job->cancelled = true;
    if (is_wanted(job)) {
        skr_stop(call, SKR_TIMEOUT,
                 skri_job_asks(job) ? "timed out: no answer came within " : "timed out: not done within ");
        skr_put_int(call, (int32_t)limit_ms);
        skr_put(call, " ms");
        job->out = call->out;
        finish_job(call->srv, job);
    }
#if SKR_TALK
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
    call_handler(call, job);
    if (wanted) {
        job->out = call->out;
        if (job->modern && skri_job_asks(job) && !skri_job_is_task(job)) { /* MRTR-03 */
            job->running = false;
            job->owed = OWED_NOW;
            skri_job_record(call->srv, job, "asked");
        } else if (!job->running) {
            finish_job(call->srv, job);
        }
    } else if (!job->running) {
        skri_job_record(call->srv, job, NULL);
    }
    skri_job_release(job);
}

void skri_job_go_on(struct skr_server *s, struct skr_job *job, const struct skr_call *from)
{
    struct skr_call call;
    later_call(&call, s, job);
#if SKR_TALK
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
        return SKR_ASK_MS;
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
    bool over = !job->cancelled && job->took_ms >= limit_ms;
    if (!over && !job->cancelled && skri_job_asks(job)) {
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
        if (job->running) {
            step_job(s, job, now_ms);
        }
#if SKR_RESUME
        skri_stream_expire(s, job);
#endif
        pending |= job->running || (job->conn != NULL && (job->owed == OWED_NOW || skri_job_talks(job)));
    }
    return pending;
}

/* ---- What handlers see ---- */

void *skr_job_state(struct skr_call *call, size_t size)
{
    if (call->job == NULL || size > SKR_JOB_STATE) {
        return NULL;
    }
#if SKR_TALK
    if (size > call->job->state_size) {
        call->job->state_size = (uint16_t)size;
    }
#endif
    return call->job->state.bytes;
}

uint32_t skr_job_ms(const struct skr_call *call)
{
    return call->job != NULL ? call->job->took_ms : 0;
}

bool skr_cancelled(const struct skr_call *call)
{
    return call->job != NULL && call->job->cancelled;
}

#endif
