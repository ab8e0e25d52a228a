/* client_request.c -- elicitation, sampling and roots: client requests of a handler. See client_request.h. */
#include "handler/client_request.h"

#include <string.h>

#include "handler/handler.h"
#include "handler/job_state.h"
#include "text/encode.h"
#include "text/siphash.h"

#if SKR_INTERACTIVE

/* ---- The state that a client keeps ---- */

#define SEAL_MARK 8 /* bytes of job->front.seal that are the mark; the time follows */

static bool has_seed(const struct skr_server *s)
{
    uint8_t any = 0;
    for (unsigned i = 0; i < sizeof s->seed; i++) {
        any |= s->seed[i];
    }
    return any != 0;
}

/* STATE-03: bound to the handler and to its arguments. */
static void make_mark(const struct skr_server *s, const struct skr_job *job, uint8_t mark[SEAL_MARK])
{
    struct skr_sip sip;
    skr_sip_start(&sip, s->seed);
    skr_sip_add(&sip, job->run.tool->name, strlen(job->run.tool->name) + 1);
    skr_sip_add(&sip, &job->binding, sizeof job->binding);
    skr_sip_add(&sip, job->front.seal + SEAL_MARK, sizeof job->front.seal - SEAL_MARK);
    skr_sip_add(&sip, job->handler_state.bytes, job->state_size);
    uint64_t hash = skr_sip_end(&sip);
    memcpy(mark, &hash, sizeof hash);
}

static void seal_state(const struct skr_server *s, struct skr_job *job)
{
    memset(job->front.seal, 0, sizeof job->front.seal);
    memcpy(job->front.seal + SEAL_MARK, &s->now_ms, sizeof s->now_ms);
    make_mark(s, job, job->front.seal);
}

/* STATE-01: a state that comes back is accepted only if the mark is ours, and not too old. */
static bool open_state(const struct skr_server *s, struct skr_job *job, struct skr_span text)
{
    uint8_t mark[SEAL_MARK], differs = 0;
    uint32_t made_ms;
    size_t n;
    char *to = (char *)job + offsetof(struct skr_job, front); /* the state follows it */
    if (!has_seed(s) ||
        !skr_decode_base64(text, true, to, sizeof job->front.seal + sizeof job->handler_state.bytes, &n) ||
        n < sizeof job->front.seal) {
        return false;
    }
    job->state_size = (uint16_t)(n - sizeof job->front.seal);
    make_mark(s, job, mark);
    for (unsigned i = 0; i < SEAL_MARK; i++) {
        differs |= mark[i] ^ job->front.seal[i];
    }
    memcpy(&made_ms, job->front.seal + SEAL_MARK, sizeof made_ms);
    return differs == 0 && s->now_ms - made_ms <= SKR_STATE_MS;
}

/* Of the arguments, and of who gives them (AUTH-08). */
static uint64_t hash_of(const struct skr_call *call, struct skr_span text)
{
    struct skr_sip sip;
    skr_sip_start(&sip, call->srv->seed);
#if SKR_AUTH
    skr_sip_add(&sip, skri_who_id(call->conn), SKR_WHO);
#endif
    skr_sip_add(&sip, text.p, text.n);
    return skr_sip_end(&sip);
}

static bool begin(struct skr_call *call, struct skr_job *job)
{
    struct skr_span text;
    job->can = skri_client_request_offered(call);
    call->replies = -1;
    call->reply = -1;
    if (!call->modern) {
        return true;
    }
    int state = skr_json_get(&call->json, call->params, "requestState");
    call->replies = skr_json_get(&call->json, call->params, "inputResponses");
    job->binding = hash_of(call, call->arguments >= 0 ? skr_json_raw(&call->json, call->arguments) : SPAN("{}"));
    if (state >= 0 && !(skr_json_string(&call->json, state, &text) && open_state(call->srv, job, text))) {
        skri_rpc_error(call, SKR_BAD_STATE, SPAN(""));
        return false;
    }
    return true;
}

/* ---- Open questions ---- */

static char *buffer_of(const struct skr_server *s, const struct skr_job *job)
{
    return (char *)s->job_output[job - s->jobs];
}

/* The output follows the questions. */
static void set_output(const struct skr_server *s, const struct skr_job *job, struct skr_output *out)
{
    uint32_t max = job->run.tool->output_max;
    out->p = buffer_of(s, job) + job->asked;
    out->max = SKR_JOB_OUTPUT_MAX - job->asked;
    out->max = max > 0 && max < out->max ? max : out->max;
    out->n = 0;
}

/* Drops what was put. */
static void clear_output(const struct skr_server *s, const struct skr_job *job, struct skr_output *out)
{
    set_output(s, job, out);
    out->nest = 0;
    out->end = NULL;
    out->binary = out->structured = false;
}

static void before(struct skr_job *job)
{
    for (unsigned i = 0; i < job->question_count; i++) {
        job->questions[i].wanted = false;
    }
}

/* Moves the open questions to the front of the buffer, and the output after them. While a message of this job is being
 * sent, nothing moves: the room of answered questions is reclaimed afterwards. */
static void pack(const struct skr_server *s, struct skr_job *job, struct skr_output *out)
{
    char *buffer = buffer_of(s, job);
    const char *from = out->p;
    uint32_t at = 0, n = out->n;
    if (skri_job_is_leaving(job)) {
        return;
    }
    for (unsigned i = 0; i < job->question_count; i++) { /* they are stored in this order */
        struct skr_client_request *q = &job->questions[i];
        memmove(buffer + at, buffer + q->at, q->n);
        q->at = at;
        at += q->n;
    }
    if (at != job->asked) {
        job->asked = at;
        set_output(s, job, out);
        memmove(out->p, from, n);
        out->n = n;
    }
}

static void told(const struct skr_server *s, struct skr_job *job)
{
    pack(s, job, &job->out);
}

static void after(struct skr_call *call, struct skr_job *job, bool pending)
{
    unsigned left = 0, before = job->question_count;
    if (!pending) {
        job->question_count = 0;
        return;
    }
    for (unsigned i = 0; i < before; i++) {
        const struct skr_client_request *q = &job->questions[i];
        if (!q->answered && (q->wanted || !job->modern)) {
            job->questions[left++] = *q;
        }
    }
    if (left == before) {
        return;
    }
    job->question_count = (uint8_t)left;
    job->change = ++call->srv->job_changes;
    if (left > 0) { /* no output is kept beside open questions */
        clear_output(call->srv, job, &call->out);
    }
    pack(call->srv, job, &call->out);
}

static struct skr_client_request *question_with_key(struct skr_call *call, const char *key)
{
    struct skr_job *job = call->job;
    struct skr_span wanted = skr_span_of(key);
    for (unsigned i = 0; i < job->question_count; i++) {
        struct skr_client_request *q = &job->questions[i];
        struct skr_span known = {buffer_of(call->srv, job) + q->at + 1, q->key};
        if (skr_span_eq(known, wanted)) {
            return q;
        }
    }
    return NULL;
}

/* ---- Replies ---- */

/* True when the reply is in this call. */
static bool is_answered(struct skr_call *call, enum skr_capability kind, const char *key,
                        struct skr_client_request *open, struct skr_reply *reply)
{
    if (call->modern) { /* MRTR-05: a reply of the wrong shape counts as none */
        int token = skr_json_get(&call->json, call->replies, key);
        bool good = token >= 0 && skr_json_is_object(&call->json, token) &&
                    skri_client_request_read_reply(call, kind, token, reply);
        if (good && open != NULL) {
            open->answered = true;
        }
        return good;
    }
    if (open == NULL || !open->answered) {
        return false;
    }
    if (!skri_client_request_read_reply(call, kind, call->reply,
                                        reply)) { /* an error, or unreadable: declined (S2C-03) */
        reply->action = SKR_DECLINE;
    }
    return true;
}

/* ---- Asking ---- */

/* The client cannot be asked, or not this much: the run ends here. */
static bool refuse(struct skr_call *call, const char *why)
{
    skr_stop(call, SKR_RPC_ERROR, why);
    call->out.final = true;
    return false;
}

/* Begins a question, whose params are put between this and end_question. False when it is answered (then *answered is
 * true), already open, or cannot be asked. */
static bool begin_question(struct skr_call *call, enum skr_capability kind, const char *key, const char *method,
                           struct skr_reply *reply, bool *answered)
{
    struct skr_job *job = call->job;
    *answered = false;
    call->needs_job |= job == NULL;
    if (job == NULL || skri_job_is_stopping(job) || call->out.final) {
        call->out.final |= job != NULL; /* nobody is left to be asked */
        return false;
    }
    struct skr_client_request *open = question_with_key(call, key);
    *answered = is_answered(call, kind, key, open, reply);
    if (*answered || open != NULL) {
        if (open != NULL) {
            open->wanted = true;
        }
        return false;
    }
    if (!skr_need(call, kind)) {
        call->out.final = true;
        return false;
    }
    if (job->mute && !job->modern) {
        return refuse(call, "nothing can be asked here: in a batch, or when text/event-stream is not accepted");
    }
    if (job->modern && job->state_size > 0 && !has_seed(call->srv)) {
        return refuse(call, "cannot ask and remember: the device has no seed (skr_server_seed)");
    }
    if (job->question_count == SKR_CLIENT_REQUESTS) {
        return refuse(call, "asks more at once than SKR_CLIENT_REQUESTS");
    }
    clear_output(call->srv, job, &call->out);
    call->out.max = SKR_JOB_OUTPUT_MAX - job->asked;
    skr_put(call, "\"");
    skr_put(call, key);
    skr_put(call, "\":{\"method\":\"");
    skr_put(call, method);
    skr_put(call, "\",\"params\":{");
#if SKR_TASKS
    if (skri_job_is_task(job) && !job->modern) { /* TSK-11 */
        skr_put(call, "\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"");
        skr_put_span(call, (struct skr_span){job->task_id, sizeof job->task_id});
        skr_put(call, kind == SKR_CAP_ROOTS ? "\"}}" : "\"}},");
    }
#endif
    return true;
}

/* Adds the question. Always false: it is open. */
static bool end_question(struct skr_call *call, enum skr_capability kind, const char *key)
{
    struct skr_job *job = call->job;
    skr_put(call, "}}");
    if (call->out.overflow) {
        return refuse(call, "the question exceeds " SKRI_JOB_OUTPUT_LIMIT);
    }
    job->questions[job->question_count++] = (struct skr_client_request){
        .at = job->asked, .n = call->out.n, .key = (uint8_t)strlen(key), .kind = (uint8_t)kind, .wanted = true};
    job->asked += call->out.n;
    job->change = ++call->srv->job_changes;
    clear_output(call->srv, job, &call->out);
    return false;
}

bool skr_ask_form(struct skr_call *call, const char *key, const char *message, const char *schema,
                  struct skr_reply *reply)
{
    bool answered;
    if (!begin_question(call, SKR_CAP_ELICITATION, key, "elicitation/create", reply, &answered)) {
        return answered;
    }
    skr_put(call, "\"message\":");
    skri_put_quoted(call, skr_span_of(message));
    skr_put(call, ",\"requestedSchema\":");
    skr_put(call, schema);
    return end_question(call, SKR_CAP_ELICITATION, key);
}

bool skr_ask_url(struct skr_call *call, const char *key, const char *message, const char *url, struct skr_reply *reply)
{
    bool answered;
    if (!begin_question(call, SKR_CAP_URL, key, "elicitation/create", reply, &answered)) {
        return answered;
    }
    skr_put(call, "\"mode\":\"url\",\"message\":");
    skri_put_quoted(call, skr_span_of(message));
    skr_put(call, ",\"url\":");
    skri_put_quoted(call, skr_span_of(url));
    if (!call->job->modern) { /* GATE-02 */
        skr_put(call, ",\"elicitationId\":\"");
        skr_put(call, key);
        skr_put(call, "-");
        skr_put_int(call, (int32_t)(++call->srv->asked));
        skr_put(call, "\"");
    }
    return end_question(call, SKR_CAP_URL, key);
}

bool skr_ask_model(struct skr_call *call, const char *key, const char *prompt, int32_t max_tokens,
                   struct skr_reply *reply)
{
    bool answered;
    if (!begin_question(call, SKR_CAP_SAMPLING, key, "sampling/createMessage", reply, &answered)) {
        return answered;
    }
    skr_put(call, "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":");
    skri_put_quoted(call, skr_span_of(prompt));
    skr_put(call, "}}],\"maxTokens\":");
    skr_put_int(call, max_tokens);
    return end_question(call, SKR_CAP_SAMPLING, key);
}

bool skr_ask_roots(struct skr_call *call, const char *key, struct skr_reply *reply)
{
    bool answered;
    return begin_question(call, SKR_CAP_ROOTS, key, "roots/list", reply, &answered)
               ? end_question(call, SKR_CAP_ROOTS, key)
               : answered;
}

/* ---- On the wire ---- */

bool skri_client_request_push(struct skr_response *a)
{
    const struct skr_job *job = SKRI_AS(a, job)->job;
    if (a->index >= job->question_count) {
        return false;
    }
    const struct skr_client_request *q = &job->questions[a->index];
    skri_push_text(a, a->index > 0 ? "," : "");
    skri_push(a, SKR_RAW, (struct skr_span){job->out.p - job->asked + q->at, q->n});
    a->index++;
    return true;
}

static bool input_body(struct skr_response *a)
{
    const struct skr_job *job = SKRI_AS(a, job)->job;
    if (a->body_step++ == 0) {
        skri_push_text(a, "\"inputRequests\":{");
    }
    if (skri_client_request_push(a)) {
        return true;
    }
    skri_push_text(a, "}");
    if (job->state_size > 0) {
        skri_push_text(a, ",\"requestState\":\"");
        skri_push(a, SKR_BASE64_URL, /* STATE-04 */
                  (struct skr_span){(const char *)job->front.seal, sizeof job->front.seal + job->state_size});
        skri_push_text(a, "\"");
    }
    return false;
}

static void give_result(const struct skr_server *s, struct skr_response *a, struct skr_job *job)
{
    seal_state(s, job);
    SKRI_MAKE(a, job)->job = job;
    a->envelope.result = SKR_INPUT_REQUIRED;
    a->envelope.cached = false; /* CACHE-02 */
    skri_response_result(a, input_body);
}

static struct skr_client_request *next_unsent(struct skr_job *job)
{
    const struct skr_conn *c = job->conn;
    uint8_t can = c->wire == SKR_LINE ? c->legacy.can : job->can; /* a task may outlive a handshake (S2C-01) */
    for (unsigned i = 0; !job->modern && i < job->question_count; i++) {
        struct skr_client_request *q = &job->questions[i];
        if (!q->sent && (can >> q->kind & 1) != 0) {
            return q;
        }
    }
    return NULL;
}

static struct skr_span request_of(const struct skr_server *s, const struct skr_job *job,
                                  const struct skr_client_request *question)
{
    uint32_t skip = question->key + 4u; /* quotes, colon and brace */
    return (struct skr_span){buffer_of(s, job) + question->at + skip, question->n - skip};
}

const struct skr_client_request_ops skri_client_request_by_handler = {begin,       before,      after,     told,
                                                                      give_result, next_unsent, request_of};

#endif
