/* client_request.c -- the requests that a handler sends to the client: elicitation, sampling and roots. See
 * client_request.h. */
#include "handler/client_request.h"

#include <string.h>

#include "handler/guard.h"
#include "handler/handler.h"
#include "handler/job_state.h"
#include "handler/request_state.h"
#include "handler/tool_call.h"

#if SKR_INTERACTIVE

/* ---- Before the handler ---- */

static bool requests_begin(struct skr_call *call, struct skr_job *job)
{
    job->requests.capabilities = skri_client_request_offered(call);
    if (!call->modern) {
        return true;
    }
    call->replies = skr_json_get(&call->json, call->params, "inputResponses");
    if (!skri_state_restore(call, job)) {
        skri_rpc_error(call, SKR_BAD_STATE, SPAN(""));
        return false;
    }
    return true;
}

/* ---- Open requests ---- */

static char *job_buffer(const struct skr_server *s, const struct skr_job *job)
{
    return (char *)s->job_output[job - s->jobs];
}

/* The output follows the requests. */
static void set_output(const struct skr_server *s, const struct skr_job *job, struct skr_output *out)
{
    out->p = job_buffer(s, job) + job->requests.bytes;
    out->max = SKR_JOB_OUTPUT_MAX - job->requests.bytes - skri_guard_kept(&job->call);
    out->n = 0;
}

/* Drops the output. */
static void clear_output(const struct skr_server *s, const struct skr_job *job, struct skr_output *out)
{
    set_output(s, job, out);
    out->nest = 0;
    out->end = NULL;
    out->binary = out->structured = false;
}

static void requests_before(struct skr_job *job)
{
    for (unsigned i = 0; i < job->requests.count; i++) {
        job->requests.list[i].wanted = false;
    }
}

/* Moves the open requests to the front of the buffer, and the output after them. While a message of this job is being
 * sent, nothing moves: the room of requests with a reply is reclaimed afterwards. */
static void requests_pack(const struct skr_server *s, struct skr_job *job, struct skr_output *out)
{
    char *buffer = job_buffer(s, job);
    const char *from = out->p;
    uint32_t at = 0, n = out->n;

    if (skri_job_is_leaving(job)) {
        return;
    }
    for (unsigned i = 0; i < job->requests.count; i++) { /* they are stored in this order */
        struct skr_client_request *q = &job->requests.list[i];
        memmove(buffer + at, buffer + q->at, q->n);
        q->at = at;
        at += q->n;
    }
    if (at != job->requests.bytes) {
        job->requests.bytes = at;
        set_output(s, job, out);
        memmove(out->p, from, n);
        out->n = n;
    }
}

static void requests_sent(const struct skr_server *s, struct skr_job *job)
{
    requests_pack(s, job, &job->out);
}

static void requests_after(struct skr_call *call, struct skr_job *job, bool pending)
{
    unsigned left = 0, before = job->requests.count;

    if (!pending) {
        job->requests.count = 0;
        return;
    }
    for (unsigned i = 0; i < before; i++) {
        const struct skr_client_request *q = &job->requests.list[i];
        if (!q->replied && (q->wanted || !job->modern)) {
            job->requests.list[left++] = *q;
        }
    }
    if (left == before) {
        return;
    }
    job->requests.count = (uint8_t)left;
    job->requests.change = ++call->srv->counters.jobs;
    if (left > 0) { /* no output is kept beside open requests */
        clear_output(call->srv, job, &call->out);
    }
    requests_pack(call->srv, job, &call->out);
}

static struct skr_client_request *request_with_key(struct skr_call *call, const char *key)
{
    struct skr_job *job = call->job;

    for (unsigned i = 0; i < job->requests.count; i++) {
        struct skr_client_request *q = &job->requests.list[i];
        struct skr_span member = {job_buffer(call->srv, job) + q->at + 1, q->key};
        if (skr_span_is(member, key)) {
            return q;
        }
    }
    return NULL;
}

/* ---- Replies ---- */

/* True when the reply is in this call. */
static bool request_is_replied(struct skr_call *call, enum skr_capability kind, const char *key,
                               struct skr_client_request *open, struct skr_reply *reply)
{
    if (call->modern) { /* MRTR-05: a reply of the wrong shape is ignored */
        int token = skr_json_get(&call->json, call->replies, key);
        bool good = token >= 0 && skr_json_is_object(&call->json, token) &&
                    skri_client_request_read_reply(call, kind, token, reply);
        if (good && open != NULL) {
            open->replied = true;
        }
        return good;
    }
    if (open == NULL || !open->replied) {
        return false;
    }
    if (!skri_client_request_read_reply(call, kind, call->reply, reply)) { /* an error, or unreadable: S2C-03 */
        reply->action = SKR_DECLINE;
    }
    return true;
}

/* ---- Sending ---- */

/* A request as a handler's call meets it. */
enum request_step {
    REQUEST_NEW,     /* the caller puts its params, then calls request_end */
    REQUEST_OPEN,    /* there is no reply yet */
    REQUEST_REPLIED, /* the reply is in this call */
    REQUEST_REFUSED, /* it cannot be sent, and the tool call ends */
};

static enum request_step request_refuse(struct skr_call *call, const char *why)
{
    skr_stop(call, SKR_RPC_ERROR, why);
    call->out.final = true;
    return REQUEST_REFUSED;
}

/* Decides whether a request of this kind can be sent now. */
static enum request_step request_check(struct skr_call *call, enum skr_capability kind)
{
    const struct skr_job *job = call->job;

    if (!skr_need(call, kind)) { /* which has put the error */
        call->out.final = true;
        return REQUEST_REFUSED;
    }
    if (job->messages.mute && !job->modern) {
        return request_refuse(
            call, "client requests cannot be sent here: in a batch, or when text/event-stream is not accepted");
    }
    if (job->modern && skri_state_is_kept(job) && !skri_state_can_seal(call->srv)) {
        return request_refuse(call, "cannot keep a state for the client: the device has no seed (skr_server_seed)");
    }
    if (job->requests.count == SKR_CLIENT_REQUESTS) {
        return request_refuse(call, "too many open client requests (limit SKR_CLIENT_REQUESTS)");
    }
    return REQUEST_NEW;
}

/* Puts the beginning of a request, up to its params. */
static void request_put(struct skr_call *call, enum skr_capability kind, const char *key, const char *method)
{
    const struct skr_job *job = call->job;

    clear_output(call->srv, job, &call->out);
    skr_put(call, "\"");
    skr_put(call, key);
    skr_put(call, "\":{\"method\":\"");
    skr_put(call, method);
    skr_put(call, "\",\"params\":{");
    if (SKR_TASKS && skri_job_is_task(job) && !job->modern) { /* TSK-11 */
        skr_put(call, "\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"");
        skr_put_span(call, (struct skr_span){skri_task_of(job)->id, sizeof skri_task_of(job)->id});
        skr_put(call, kind == SKR_CAP_ROOTS ? "\"}}" : "\"}},");
    }
}

static enum request_step request_begin(struct skr_call *call, enum skr_capability kind, const char *key,
                                       const char *method, struct skr_reply *reply)
{
    struct skr_job *job = call->job;

    if (job == NULL) {
        call->needs_job = true;
        return REQUEST_REFUSED;
    }
    if (skri_job_is_stopping(job) || call->out.final) { /* nobody is left to reply */
        call->out.final = true;
        return REQUEST_REFUSED;
    }
    struct skr_client_request *open = request_with_key(call, key);
    bool replied = request_is_replied(call, kind, key, open, reply);
    if (open != NULL) {
        open->wanted = true;
    }
    enum request_step step = replied ? REQUEST_REPLIED : open != NULL ? REQUEST_OPEN : request_check(call, kind);
    if (step == REQUEST_NEW) {
        request_put(call, kind, key, method);
    }
    return step;
}

/* Adds the request, whose params have been put, to the open ones. */
static void request_end(struct skr_call *call, enum skr_capability kind, const char *key)
{
    struct skr_job *job = call->job;

    skr_put(call, "}}");
    if (call->out.overflow) {
        (void)request_refuse(call, "the client request exceeds " SKRI_JOB_OUTPUT_LIMIT);
        return;
    }
    job->requests.list[job->requests.count++] = (struct skr_client_request){.at = job->requests.bytes,
                                                                            .n = call->out.n,
                                                                            .key = (uint8_t)strlen(key),
                                                                            .kind = (uint8_t)kind,
                                                                            .wanted = true};
    job->requests.bytes += call->out.n;
    job->requests.change = ++call->srv->counters.jobs;
    clear_output(call->srv, job, &call->out);
}

bool skr_elicit_form(struct skr_call *call, const char *key, const char *message, const char *schema,
                     struct skr_reply *reply)
{
    enum request_step step = request_begin(call, SKR_CAP_ELICITATION, key, "elicitation/create", reply);

    if (step == REQUEST_NEW) {
        skr_put(call, "\"message\":");
        skri_put_quoted(call, skr_span_of(message));
        skr_put(call, ",\"requestedSchema\":");
        skr_put(call, schema);
        request_end(call, SKR_CAP_ELICITATION, key);
    }
    return step == REQUEST_REPLIED;
}

bool skr_elicit_url(struct skr_call *call, const char *key, const char *message, const char *url,
                    struct skr_reply *reply)
{
    enum request_step step = request_begin(call, SKR_CAP_URL, key, "elicitation/create", reply);

    if (step == REQUEST_NEW) {
        skr_put(call, "\"mode\":\"url\",\"message\":");
        skri_put_quoted(call, skr_span_of(message));
        skr_put(call, ",\"url\":");
        skri_put_quoted(call, skr_span_of(url));
        if (!call->job->modern) { /* GATE-02 */
            skr_put(call, ",\"elicitationId\":\"");
            skr_put(call, key);
            skr_put(call, "-");
            skr_put_int(call, (int32_t)(++call->srv->counters.requests));
            skr_put(call, "\"");
        }
        request_end(call, SKR_CAP_URL, key);
    }
    return step == REQUEST_REPLIED;
}

bool skr_sample(struct skr_call *call, const char *key, const char *prompt, int32_t max_tokens, struct skr_reply *reply)
{
    enum request_step step = request_begin(call, SKR_CAP_SAMPLING, key, "sampling/createMessage", reply);

    if (step == REQUEST_NEW) {
        skr_put(call, "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":");
        skri_put_quoted(call, skr_span_of(prompt));
        skr_put(call, "}}],\"maxTokens\":");
        skr_put_int(call, max_tokens);
        request_end(call, SKR_CAP_SAMPLING, key);
    }
    return step == REQUEST_REPLIED;
}

bool skr_list_roots(struct skr_call *call, const char *key, struct skr_reply *reply)
{
    enum request_step step = request_begin(call, SKR_CAP_ROOTS, key, "roots/list", reply);

    if (step == REQUEST_NEW) {
        request_end(call, SKR_CAP_ROOTS, key);
    }
    return step == REQUEST_REPLIED;
}

/* ---- In the response: inputRequests and requestState; or as messages before it ---- */

bool skri_client_request_push(struct skr_response *a)
{
    const struct skr_job *job = SKRI_AS(a, job)->job;

    if (a->index >= job->requests.count) {
        return false;
    }
    const struct skr_client_request *q = &job->requests.list[a->index];
    skri_push_text(a, a->index > 0 ? "," : "");
    skri_push(a, SKR_RAW, (struct skr_span){job->out.p - job->requests.bytes + q->at, q->n});
    a->index++;
    return true;
}

static bool input_required_body(struct skr_response *a)
{
    const struct skr_job *job = SKRI_AS(a, job)->job;

    if (a->body_step++ == 0) {
        skri_push_text(a, "\"inputRequests\":{");
    }
    if (skri_client_request_push(a)) {
        return true;
    }
    skri_push_text(a, "}");
    if (skri_state_is_kept(job)) {
        skri_push_text(a, ",\"requestState\":\"");
        skri_push(a, SKR_BASE64_URL, /* STATE-04 */
                  (struct skr_span){job->handler_state.kept.bytes, SKR_SEAL_BYTES + (size_t)job->handler_state.size});
        skri_push_text(a, "\"");
    }
    return false;
}

static void requests_result(struct skr_server *s, struct skr_response *a, struct skr_job *job)
{
    skri_state_seal(s, job);
    SKRI_MAKE(a, job)->job = job;
    a->envelope.result = SKR_INPUT_REQUIRED;
    a->envelope.cached = false; /* CACHE-02 */
    skri_response_result(a, input_required_body);
}

static struct skr_client_request *requests_next(struct skr_job *job)
{
    const struct skr_conn *c = job->conn;
    uint8_t capabilities = c->wire == SKR_LINE
                               ? c->legacy.capabilities
                               : job->requests.capabilities; /* S2C-01: a task may outlive a handshake */

    for (unsigned i = 0; !job->modern && i < job->requests.count; i++) {
        struct skr_client_request *q = &job->requests.list[i];
        if (!q->sent && (capabilities >> q->kind & 1) != 0) {
            return q;
        }
    }
    return NULL;
}

static struct skr_span request_text(const struct skr_server *s, const struct skr_job *job,
                                    const struct skr_client_request *request)
{
    uint32_t skip = request->key + 4u; /* quotes, colon and brace */

    return (struct skr_span){job_buffer(s, job) + request->at + skip, request->n - skip};
}

const struct skr_client_request_ops skri_client_request_by_handler = {
    .begin = requests_begin,
    .before = requests_before,
    .after = requests_after,
    .sent = requests_sent,
    .result = requests_result,
    .next = requests_next,
    .text = request_text,
};

#endif
