/* job.c -- handlers that ask for time. See job.h.
 *
 * A job has two sides that end on their own: the handler, which runs until it yields,
 * and the answer, which is owed until it has left or nobody wants it. The struct is
 * free when both are over. A handler that ignores the cancel flag thus keeps its job,
 * and its tool stays busy, but no client waits for it. */
#include "job.h"

#include "ask.h"
#include "batch.h"
#include "call.h"
#include "http_types.h"
#include "job_task.h"
#include "notes.h"
#include "run.h"

#if SKR_JOBS

static bool is_task(const struct skr_job *job)
{
#if SKR_TASKS
    return job->task != NO_TASK;
#else
    (void)job;
    return false;
#endif
}

/* True while somebody will look at what the handler puts. */
static bool is_wanted(const struct skr_job *job)
{
#if SKR_TASKS
    if (job->task == TASK_OPEN) {
        return true;
    }
#endif
    return job->owed == OWED_LATER;
}

static void release(struct skr_job *job)
{
    if (!job->running && job->owed == OWED_NOTHING && !is_task(job)) {
        job->run.tool = NULL;
    }
}

/* Nobody waits any more: what the handler writes from now on is dropped. */
static void abandon(struct skr_job *job)
{
    job->owed = OWED_NOTHING;
    job->conn = NULL;
#if SKR_RESUME
    job->away = false;
#endif
    if (!is_task(job)) {
        job->out.n = job->out.max = 0;
    }
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

uint16_t skr_job_session(struct skr_conn *c)
{
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1 && c->http.session.p != NULL) {
        return skr_session_find(c->srv, c->http.session);
    }
#endif
    (void)c;
    return 0;
}

/* A place nobody uses; else that of a task which is kept longer than it must be. */
static struct skr_job *free_place(struct skr_server *s)
{
    for (struct skr_job *j = s->jobs; j < s->jobs + SKR_JOBS; j++) {
        if (j->run.tool == NULL) {
            return j;
        }
    }
#if SKR_TASKS
    for (unsigned hard = 0; hard < 2; hard++) {
        for (struct skr_job *j = s->jobs; j < s->jobs + SKR_JOBS; j++) {
            if (skr_task_expire(s, j, hard != 0)) {
                return j;
            }
        }
    }
#endif
    return NULL;
}

static bool is_busy(const struct skr_server *s, const struct skr_tool *tool)
{
    for (const struct skr_job *j = s->jobs; !tool->parallel && j < s->jobs + SKR_JOBS; j++) {
        if (j->run.tool == tool && (j->running || !is_task(j))) {
            return true;
        }
    }
    return false;
}

/* What may come before the answer, and to whom. */
static void ready_to_talk(struct skr_call *call, struct skr_job *job, size_t used)
{
#if SKR_TALK
    struct skr_conn *c = call->conn;
    job->mute = skr_batch_active(c);
#if SKR_HTTP
    job->mute |= c->wire == SKR_HTTP_1 && (c->http.flags & HTTP_HAS_ACCEPT) != 0 &&
                 (c->http.flags & HTTP_ACCEPTS_SSE) == 0;
#endif
#endif
#if SKR_NOTES
    struct skr_span token = skr_notes_begin(call, job);
    if (token.n <= sizeof job->text - used) { /* without room for it there is no progress to tell */
        job->token = keep(job, token, &used);
    }
#endif
    (void)call;
    (void)job;
    (void)used;
}

/* A job for this run; NULL when the refusal has been answered. */
static struct skr_job *take(struct skr_call *call, const struct skr_run *run)
{
    struct skr_server *srv = call->srv;
    struct skr_span id = call->answer->id;
    if (is_busy(srv, run->tool)) {
        skr_run_refuse(call, run, SKR_BUSY, "busy: its last run has not ended yet");
        return NULL;
    }
    struct skr_job *job = free_place(srv);
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
#if SKR_PROMPTS
    job->run.prompt = run->prompt;
#endif
    job->id = keep(job, id, &used);
    job->run.name = keep(job, run->name, &used);
    job->run.file = keep(job, run->file, &used);
    job->conn = call->conn;
    job->session = call->modern ? 0 : skr_job_session(call->conn);
    job->modern = call->modern;
    job->serial = ++srv->job_changes;
    job->out.p = srv->job_output[job - srv->jobs];
    job->out.max = SKR_JOB_OUTPUT_MAX;
    job->out.version = call->modern ? SKR_V_2026_07_28 : call->legacy->version;
    skr_run_limit(&job->out, run->tool);
    ready_to_talk(call, job, used);
    return job;
}

/* One call of the handler; job->running tells whether it wants another. */
static void call_handler(struct skr_call *call, struct skr_job *job)
{
#if SKR_ASK
    skr_ask_before(job);
#endif
    job->running = job->run.tool->run(call) == SKR_PENDING;
#if SKR_ASK
    job->running &= !call->ended;
    skr_ask_after(call, job);
#endif
}

static bool asks(const struct skr_job *job)
{
#if SKR_ASK
    return job->question_count > 0;
#else
    (void)job;
    return false;
#endif
}

static bool has_notes(const struct skr_job *job)
{
#if SKR_NOTES
    return job->noted < job->notes;
#else
    (void)job;
    return false;
#endif
}

/* True when something has to leave before the answer. */
static bool talks(const struct skr_job *job)
{
#if SKR_RESUME
    if (job->closing) {
        return true;
    }
#endif
    return has_notes(job);
}

static void wait_for(struct skr_call *call, struct skr_job *job, enum job_owed owed)
{
    struct skr_conn *c = call->conn;
    job->owed = (uint8_t)owed;
    call->later = true;
    c->waits = c->wire == SKR_LINE && !skr_batch_active(c) ? NULL : job;
}

/* The first call of the handler is over. */
static void settle_first(struct skr_call *call, struct skr_job *job)
{
#if SKR_TASKS
    if (skr_task_create(call, job)) {
        if (!job->running) {
            record(call->srv, job, NULL);
        }
        return;
    }
#endif
#if SKR_ASK
    if (job->modern && asks(job)) { /* MRTR-03: nothing is kept but what the client keeps */
        job->running = false;
        job->owed = OWED_LEAVING;
        call->conn->leaving = job;
        record(call->srv, job, "asked");
        skr_ask_result(call->srv, call->answer, job);
        return;
    }
#endif
    if (job->running) {
        wait_for(call, job, OWED_LATER);
        return;
    }
    record(call->srv, job, NULL);
    if (talks(job)) {
        wait_for(call, job, OWED_NOW);
        return;
    }
    job->owed = OWED_LEAVING;
    call->conn->leaving = job;
    skr_run_answer(call->answer, &job->run, &job->out);
}

void skr_job_start(struct skr_call *call, const struct skr_run *run)
{
    struct skr_job *job = take(call, run);
    if (job == NULL) {
        return;
    }
#if SKR_ASK
    if (!skr_ask_begin(call, job)) {
        job->run.tool = NULL;
        return;
    }
#endif
#if SKR_TASKS
    skr_task_begin(call, job);
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
        release(job);
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
    call->arguments = call->meta = call->version = call->offers = call->params = -1;
#if SKR_ASK
    call->replies = call->reply = -1;
#endif
    call->tool = job->run.tool;
    call->job = job;
    call->out = job->out;
}

/* What the handler put is the result. */
static void finish(struct skr_server *s, struct skr_job *job)
{
    record(s, job, NULL);
    if (job->owed == OWED_LATER) {
        job->owed = OWED_NOW;
    }
#if SKR_TASKS
    if (job->task == TASK_OPEN) {
        skr_task_end(s, job, TASK_ENDED);
    }
#endif
}

static void expire(struct skr_job *job, struct skr_call *call, uint32_t limit_ms)
{
    job->cancelled = true;
    if (is_wanted(job)) {
        skr_stop(call, SKR_TIMEOUT,
                 asks(job) ? "timed out: no answer came within " : "timed out: not done within ");
        skr_put_int(call, (int32_t)limit_ms);
        skr_put(call, " ms");
        job->out = call->out;
        finish(call->srv, job);
    }
#if SKR_ASK
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
        if (job->modern && asks(job) && !is_task(job)) { /* MRTR-03 */
            job->running = false;
            job->owed = OWED_NOW;
            record(call->srv, job, "asked");
        } else if (!job->running) {
            finish(call->srv, job);
        }
    } else if (!job->running) {
        record(call->srv, job, NULL);
    }
    release(job);
}

void skr_job_go_on(struct skr_server *s, struct skr_job *job, const struct skr_call *from)
{
    struct skr_call call;
    later_call(&call, s, job);
#if SKR_ASK
    call.json = from->json;
    call.replies = from->replies;
    call.reply = from->reply;
#else
    (void)from;
#endif
    job->ticked = false; /* the deadline begins anew */
    job->took_ms = 0;
    go_on(&call, job);
}

/* How long the job may go on as it is. */
static uint32_t limit_of(const struct skr_job *job)
{
    uint32_t limit_ms = job->run.tool->deadline_ms;
#if SKR_ASK
    if (asks(job)) {
        return SKR_ASK_MS;
    }
#endif
    return limit_ms < SKR_JOB_DEADLINE_MAX_MS ? limit_ms : SKR_JOB_DEADLINE_MAX_MS;
}

static void step(struct skr_server *s, struct skr_job *job, uint32_t now_ms)
{
    struct skr_call call;
    uint32_t limit_ms = limit_of(job);
    if (!job->ticked) {
        job->ticked = true;
        job->since_ms = now_ms;
    }
    job->took_ms = now_ms - job->since_ms;
    bool over = !job->cancelled && job->took_ms >= limit_ms;
    if (!over && !job->cancelled && asks(job)) {
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
    skr_task_tick(s, now_ms - s->first_ms - s->now_ms);
#endif
    s->now_ms = now_ms - s->first_ms;
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (job->running) {
            step(s, job, now_ms);
        }
#if SKR_RESUME
        skr_stream_expire(s, job);
#endif
        pending |= job->running || (job->conn != NULL && (job->owed == OWED_NOW || talks(job)));
    }
    return pending;
}

/* ---- Answering ---- */

/* Can this job's answer, or what comes before it, be sent on c as soon as nothing else is? */
static bool can_leave(const struct skr_conn *c, struct skr_job *job)
{
    if (job->conn != c || (c->waits != NULL && c->waits != job)) {
        return false;
    }
#if SKR_ASK
    if (job->owed == OWED_LATER && skr_ask_unsent(job) != NULL) {
        return true;
    }
#endif
    return job->owed == OWED_NOW || (job->owed == OWED_LATER && talks(job));
}

bool skr_job_owes(const struct skr_conn *c, bool *ready)
{
    bool owes = false;
    *ready = false;
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        owes |= job->conn == c && job->owed != OWED_NOTHING;
        *ready |= can_leave(c, job);
    }
    return owes;
}

void skr_job_answer(struct skr_conn *c, struct skr_job *job)
{
    struct skr_answer *a = &c->answer;
    bool waited = c->waits == job;
    skr_rpc_begin(c);
    a->id = job->id;
    a->modern = job->modern;
    skr_run_answer(a, &job->run, &job->out);
#if SKR_ASK
    if (asks(job)) {
        skr_ask_result(c->srv, a, job);
    }
#endif
#if SKR_TASKS
    if (is_task(job)) {
        skr_task_answer(a, job);
    }
#endif
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
    if (waited && !skr_stream_last(c, job)) {
        skr_http_send_answer(c);
    }
#endif
}

#if SKR_TALK

/* `subject` is what stands behind "jsonrpc", and behind the id of a request of ours. */
static bool render_talk(struct skr_answer *a)
{
    if (a->step++ > 0 || a->subject.n == 0) {
        return false;
    }
    skr_push_own(a, SKR_START);
    skr_push_text(a, "{\"jsonrpc\":\"2.0\",");
    if (a->total > 0) {
        skr_push_text(a, "\"id\":");
        skr_push_number(a, a->total);
        skr_push_text(a, ",");
    }
    skr_push(a, SKR_RAW, a->subject);
    skr_push_text(a, a->total > 0 ? "" : "}");
    skr_push_own(a, SKR_END);
    return true;
}

/* Readies the next thing that comes before the answer. False when there is none. */
static bool talk(struct skr_conn *c, struct skr_job *job)
{
    struct skr_span text = {NULL, 0};
    uint32_t id = 0;
#if SKR_NOTES
    text = skr_notes_next(job);
#endif
#if SKR_ASK
    struct skr_question *question = text.n == 0 && job->owed == OWED_LATER ? skr_ask_unsent(job) : NULL;
    if (question != NULL) {
        question->id = question->id != 0 ? question->id : ++c->srv->asked;
        question->sent = true;
        id = question->id;
        text = skr_ask_request(c->srv, job, question);
    }
#endif
    if (text.n == 0 && !talks(job)) {
        return false;
    }
    skr_rpc_begin(c);
    skr_answer_result(&c->answer, NULL);
    c->answer.render = render_talk;
    c->answer.subject = text;
    c->answer.total = id;
    c->answering = c->apart = c->telling = true;
    c->leaving = job;
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1) {
        uint16_t event = skr_stream_event(c, job, text.n > 0);
#if SKR_ASK
        if (question != NULL) {
            question->event = event;
        }
#endif
        (void)event;
    }
#endif
    return true;
}

#endif

bool skr_job_next(struct skr_conn *c)
{
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        if (!can_leave(c, job)) {
            continue;
        }
#if SKR_TALK
        if (talk(c, job)) {
            return true;
        }
#endif
        skr_job_answer(c, job);
        return true;
    }
    return false;
}

void skr_job_left(struct skr_conn *c)
{
    struct skr_job *job = c->leaving;
    c->leaving = NULL;
    if (job == NULL || job->conn != c) {
        c->telling = false;
        return;
    }
#if SKR_TALK
    if (c->telling) {
        c->telling = false;
#if SKR_NOTES
        skr_notes_left(job);
#endif
#if SKR_RESUME
        skr_stream_told(c, job);
#endif
        return;
    }
#endif
    abandon(job);
}

/* ---- Replies ---- */

bool skr_job_is_theirs(const struct skr_job *job, const struct skr_conn *c, uint16_t session)
{
    if (job->run.tool == NULL) {
        return false;
    }
    if (c->wire != SKR_LINE) {
        return session != 0 && job->session == session;
    }
#if SKR_TASKS
    if (job->owner == c) {
        return true;
    }
#endif
    return job->conn == c;
}

#if SKR_ASK
void skr_job_reply(struct skr_call *call)
{
    struct skr_server *s = call->srv;
    uint16_t session = skr_job_session(call->conn);
    struct skr_span id = skr_json_raw(&call->json, call->id);
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        bool open = job->running && !job->cancelled && !job->modern;
        struct skr_question *question =
            open && skr_job_is_theirs(job, call->conn, session) ? skr_ask_find(job, id) : NULL;
        if (question != NULL) {
            question->answered = true;
            call->replies = -1;
            call->reply = skr_json_get(&call->json, 0, "result");
            skr_job_go_on(s, job, call);
            return;
        }
    }
}

void skr_conn_heard_all(struct skr_conn *c)
{
    struct skr_server *s = c->srv;
    struct skr_call nothing = {.replies = -1, .reply = -1};
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (job->run.tool == NULL || job->conn != c || !asks(job)) {
            continue;
        }
        for (unsigned i = 0; i < job->question_count; i++) {
            job->questions[i].answered = true;
        }
        skr_job_go_on(s, job, &nothing);
        if (asks(job)) { /* it does not take no for an answer */
            skr_job_drop(s, job);
        }
    }
}
#endif

/* ---- Nobody waits any more ---- */

void skr_job_stop(struct skr_server *s, struct skr_job *job)
{
    job->cancelled = true;
#if SKR_ASK
    job->question_count = 0;
#endif
    record(s, job, "cancelled");
}

void skr_job_drop(struct skr_server *s, struct skr_job *job)
{
    skr_job_stop(s, job);
    abandon(job);
}

/* The request is not answered; over HTTP only its POST is. */
static void cancel(struct skr_server *s, struct skr_job *job)
{
    struct skr_conn *c = job->conn;
    skr_job_stop(s, job);
    if (c != NULL && c->leaving == job) { /* a message before the answer lies here until it has left */
        c->telling = false;
        job->owed = OWED_LEAVING;
    } else {
        abandon(job);
    }
#if SKR_HTTP
    if (c != NULL && c->waits == job) {
        c->waits = NULL;
        if (!skr_stream_cut(c)) {
            skr_http_send_status(c, 202);
        }
    }
#else
    (void)c;
#endif
}

void skr_job_cancel(struct skr_call *call, struct skr_span id)
{
    struct skr_conn *c = call->conn;
    uint16_t session = skr_job_session(c);
    for (struct skr_job *job = c->srv->jobs; job < c->srv->jobs + SKR_JOBS; job++) {
        bool open = !job->cancelled && job->owed != OWED_LEAVING && !is_task(job); /* CAN-06 */
        bool in_batch = job->conn != NULL && skr_batch_active(job->conn); /* its answer is a part of one */
        if (skr_job_is_theirs(job, c, session) && open && !in_batch && skr_span_eq(job->id, id)) {
            cancel(c->srv, job);
            return;
        }
    }
}

/* The connection that waits for a job is gone. */
static void lose_link(struct skr_server *s, struct skr_job *job)
{
#if SKR_RESUME
    if (skr_stream_away(s, job)) {
        return;
    }
#endif
    if (job->owed == OWED_LATER && (job->session == 0 || asks(job)) &&
        !is_task(job)) { /* CAN-04; but CAN-05 */
        skr_job_stop(s, job);
    }
    abandon(job);
}

void skr_job_forget(struct skr_server *s, const struct skr_conn *c)
{
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (job->run.tool != NULL && job->conn == c) {
            lose_link(s, job);
        }
#if SKR_TASKS
        if (job->run.tool != NULL && job->task != NO_TASK && job->owner == c) { /* SER-03 */
            job->task = NO_TASK;
            job->owner = NULL;
            skr_job_drop(s, job);
        }
#endif
    }
}

void skr_job_forget_session(struct skr_server *s, uint16_t session)
{
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (job->run.tool == NULL || job->session != session) {
            continue;
        }
        job->session = 0;
#if SKR_TASKS
        job->task = NO_TASK;
#endif
        if (job->conn == NULL) { /* nobody can pick it up any more */
            skr_job_drop(s, job);
        }
    }
}

/* ---- What handlers see ---- */

void *skr_job_state(struct skr_call *call, size_t size)
{
    if (call->job == NULL || size > SKR_JOB_STATE) {
        return NULL;
    }
#if SKR_ASK
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
