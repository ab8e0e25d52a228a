/* job.c -- handlers that ask for time. See job.h.
 *
 * A job has two sides that end on their own: the handler, which runs until it yields,
 * and the answer, which is owed until it has left or nobody wants it. The struct is
 * free when both are over. A handler that ignores the cancel flag thus keeps its job,
 * and its tool stays busy, but no client waits for it. */
#include "job.h"

#include "batch.h"
#include "call.h"
#include "http_types.h"
#include "run.h"

#if SKR_JOBS

enum job_owed {
    OWED_NOTHING, /* nobody waits, or the answer has left */
    OWED_LATER,   /* the handler is not done */
    OWED_NOW,     /* `out` is the answer; it can be sent */
    OWED_LEAVING, /* the connection's answer is made of this job */
};

static void release(struct skr_job *job)
{
    if (!job->running && job->owed == OWED_NOTHING) {
        job->run.tool = NULL;
    }
}

/* Nobody waits any more: what the handler writes from now on is dropped. */
static void abandon(struct skr_job *job)
{
    job->owed = OWED_NOTHING;
    job->conn = NULL;
    job->out.n = job->out.max = 0;
    release(job);
}

/* Once for each job, when it is clear what the client gets. */
static void record(const struct skr_server *s, struct skr_job *job, const char *how)
{
    if (!job->recorded) {
        job->recorded = true;
        skr_run_record(s, &job->run, &job->out, how, job->took_ms);
    }
}

/* ---- Starting ---- */

/* Copies s into the job's own bytes behind *used. */
static struct skr_span keep(struct skr_job *job, struct skr_span s, size_t *used)
{
    struct skr_span kept = {s.p == NULL ? NULL : job->text + *used, s.n};
    if (s.n > 0) {
        memcpy(job->text + *used, s.p, s.n);
    }
    *used += s.n;
    return kept;
}

/* The slot + 1 of the session that a message over HTTP belongs to, else 0. */
static uint16_t session_of(struct skr_conn *c)
{
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1 && c->http.session.p != NULL) {
        return skr_session_find(c->srv, c->http.session);
    }
#endif
    (void)c;
    return 0;
}

/* A job for this run; NULL when the refusal has been answered. */
static struct skr_job *take(struct skr_call *call, const struct skr_run *run)
{
    struct skr_server *srv = call->srv;
    struct skr_job *job = NULL;
    struct skr_span id = call->answer->id;
    for (struct skr_job *j = srv->jobs; j < srv->jobs + SKR_JOBS; j++) {
        if (j->run.tool == run->tool) {
            skr_run_refuse(call, run, SKR_BUSY, "busy: its last run has not ended yet");
            return NULL;
        }
        if (j->run.tool == NULL) {
            job = j;
        }
    }
    if (job == NULL) {
        skr_run_refuse(call, run, SKR_BUSY, "busy: as many runs as SKR_JOBS have not ended yet");
        return NULL;
    }
    if (id.n + run->name.n + run->file.n > sizeof job->text) {
        skr_rpc_error(call, SKR_JOB_TEXT_LONG, SPAN(""));
        return NULL;
    }
    size_t used = 0;
    memset(job, 0, sizeof *job);
    job->run.tool = run->tool;
    job->id = keep(job, id, &used);
    job->run.name = keep(job, run->name, &used);
    job->run.file = keep(job, run->file, &used);
    job->conn = call->conn;
    job->session = call->modern ? 0 : session_of(call->conn);
    job->modern = call->modern;
    job->out.p = srv->job_output[job - srv->jobs];
    job->out.max = SKR_JOB_OUTPUT_MAX;
    job->out.version = call->modern ? SKR_V_2026_07_28 : call->legacy->version;
    skr_run_limit(&job->out, run->tool);
    return job;
}

void skr_job_start(struct skr_call *call, const struct skr_run *run)
{
    struct skr_conn *c = call->conn;
    struct skr_job *job = take(call, run);
    if (job == NULL) {
        return;
    }
    call->job = job;
    call->out = job->out;
    job->running = run->tool->run(call) == SKR_PENDING;
    job->out = call->out;
    if (call->refused) { /* an error is the answer already; it needs nothing of the job */
        job->running = false;
        release(job);
    } else if (job->running) {
        job->owed = OWED_LATER;
        call->later = true;
        c->waits = c->wire == SKR_LINE && !skr_batch_active(c) ? NULL : job;
    } else {
        record(call->srv, job, NULL);
        job->owed = OWED_LEAVING;
        c->leaving = job;
        skr_run_answer(call->answer, run, &job->out);
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
    call->arguments = call->meta = call->params = -1;
    call->tool = job->run.tool;
    call->job = job;
    call->out = job->out;
}

static void expire(struct skr_job *job, struct skr_call *call, uint32_t deadline_ms)
{
    job->cancelled = true;
    if (job->owed == OWED_LATER) {
        skr_stop(call, SKR_TIMEOUT, "timed out: not done within ");
        skr_put_int(call, (int32_t)deadline_ms);
        skr_put(call, " ms");
        job->out = call->out;
        job->owed = OWED_NOW;
        record(call->srv, job, NULL);
    }
    call->out.n = call->out.max = 0; /* a late result is dropped */
}

static void step(struct skr_server *s, struct skr_job *job, uint32_t now_ms)
{
    struct skr_call call;
    uint32_t deadline_ms = job->run.tool->deadline_ms;
    if (deadline_ms > SKR_JOB_DEADLINE_MAX_MS) {
        deadline_ms = SKR_JOB_DEADLINE_MAX_MS;
    }
    if (!job->ticked) {
        job->ticked = true;
        job->since_ms = now_ms;
    }
    job->took_ms = now_ms - job->since_ms;
    later_call(&call, s, job);
    if (!job->cancelled && job->took_ms >= deadline_ms) {
        expire(job, &call, deadline_ms);
    } else if (job->owed != OWED_LATER) {
        call.out.n = call.out.max = 0;
    }
    job->running = job->run.tool->run(&call) == SKR_PENDING;
    if (job->owed == OWED_LATER) {
        job->out = call.out;
        job->owed = job->running ? OWED_LATER : OWED_NOW;
    }
    if (!job->running) {
        record(s, job, NULL);
    }
    release(job);
}

bool skr_server_tick(struct skr_server *s, uint32_t now_ms)
{
    bool pending = false;
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (job->running) {
            step(s, job, now_ms);
        }
        pending |= job->running || job->owed == OWED_NOW;
    }
    return pending;
}

/* ---- Answering ---- */

/* Can this job's answer be sent on c as soon as nothing else is? */
static bool can_leave(const struct skr_conn *c, const struct skr_job *job)
{
    return job->conn == c && job->owed == OWED_NOW && (c->waits == NULL || c->waits == job);
}

bool skr_job_owes(const struct skr_conn *c, bool *ready)
{
    bool owes = false;
    *ready = false;
    for (const struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        owes |= job->conn == c && job->owed != OWED_NOTHING;
        *ready |= can_leave(c, job);
    }
    return owes;
}

static void answer(struct skr_conn *c, struct skr_job *job)
{
    struct skr_answer *a = &c->answer;
    bool waited = c->waits == job;
    skr_rpc_begin(c);
    a->id = job->id;
    a->modern = job->modern;
    skr_run_answer(a, &job->run, &job->out);
    job->owed = OWED_LEAVING;
    c->leaving = job;
    c->waits = NULL;
    c->answering = true;
    c->apart = !waited;
#if SKR_BATCH
    if (waited && skr_batch_active(c)) {
        skr_batch_send(c);
        return;
    }
#endif
#if SKR_HTTP
    if (waited) {
        skr_http_send_answer(c);
    }
#endif
}

bool skr_job_next(struct skr_conn *c)
{
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        if (can_leave(c, job)) {
            answer(c, job);
            return true;
        }
    }
    return false;
}

void skr_job_left(struct skr_conn *c)
{
    if (c->leaving != NULL) {
        abandon(c->leaving);
        c->leaving = NULL;
    }
}

/* ---- Nobody waits any more ---- */

/* The request is not answered; over HTTP only its POST is. */
static void cancel(struct skr_server *s, struct skr_job *job)
{
    struct skr_conn *c = job->conn;
    job->cancelled = true;
    record(s, job, "cancelled");
    abandon(job);
#if SKR_HTTP
    if (c != NULL && c->waits == job) {
        c->waits = NULL;
        skr_http_send_status(c, 202);
    }
#else
    (void)c;
#endif
}

void skr_job_cancel(struct skr_call *call, struct skr_span id)
{
    struct skr_conn *c = call->conn;
    uint16_t session = session_of(c);
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        bool theirs = c->wire == SKR_LINE ? job->conn == c : session != 0 && job->session == session;
        bool open = job->run.tool != NULL && !job->cancelled && job->owed != OWED_LEAVING;
        bool in_batch = job->conn != NULL && skr_batch_active(job->conn); /* its answer is a part of one */
        if (theirs && open && !in_batch && skr_span_eq(job->id, id)) {
            cancel(c->srv, job);
            return;
        }
    }
}

void skr_job_forget(struct skr_server *s, const struct skr_conn *c)
{
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (job->run.tool == NULL || job->conn != c) {
            continue;
        }
        if (job->owed == OWED_LATER && job->session == 0) { /* CAN-04; but CAN-05 */
            job->cancelled = true;
            record(s, job, "cancelled");
        }
        abandon(job);
    }
}

/* ---- What handlers see ---- */

void *skr_job_state(struct skr_call *call, size_t size)
{
    return call->job != NULL && size <= SKR_JOB_STATE ? call->job->state.bytes : NULL;
}

bool skr_cancelled(const struct skr_call *call)
{
    return call->job != NULL && call->job->cancelled;
}

#endif
