/* interim.c -- see interim.h. The core sends the messages that are queued here, as it does for a device's handlers. */
#include "interim.h"

#include <stdio.h>
#include <string.h>

#include "client_requests.h"
#include "clock.h"
#include "handler/job_state.h"
#include "json_edit.h"
#include "notification.h"
#include "requests.h"
#include "routing.h"

#define NO_CLIENT "{\"code\":-32603,\"message\":\"No client takes this request\"}"

/* ---- Requests ---- */

/* Replaces the client's progress token with a placeholder for the bridge's id; the core keeps the token. */
void bridge_interim_begin(struct bridge_request *q)
{
    struct skr_span message = {q->text, q->text_n}, params = skr_scan_get(message, "params");
    static const char *const run_handlers[] = {"tools/call", "prompts/get", "tasks/result", "skills/execute", NULL};
    struct skr_span meta = skr_scan_get(params, "_meta"), token = skr_scan_get(meta, "progressToken");

    q->has_interim = host_json_is_any(skr_scan_get(message, "method"), run_handlers);
    q->wants_logs = q->has_interim && skr_scan_get(meta, "io.modelcontextprotocol/logLevel").p != NULL;
    q->client_request_count = 0;
    q->replies_n = 0;
    q->token = 0;
    if (token.p == NULL) {
        return;
    }
    size_t at = (size_t)(token.p - q->text), n = q->text_n - token.n + BRIDGE_WIRE_ID;
    q->text_n = host_json_splice(q->text, q->text_n, sizeof q->text, token.p, token.n, "\"........\"");
    q->token = q->text_n == n ? at : 0; /* without room the client gets no progress */
}

bool bridge_interim_waits(const struct bridge_request *q)
{
    BRIDGE_EACH_REQUEST(o, q->relay)
    {
        if (q->wants_logs && o->wants_logs && o->state == BRIDGE_REQUEST_SENT) {
            return true;
        }
    }
    return false;
}

/* The request in whose response the message came; if that is unknown, the oldest pending one that fits. */
static struct bridge_request *find_origin(const struct bridge_relay *r, bool (*fits)(const struct bridge_request *q))
{
    struct bridge_request *found = NULL;

    BRIDGE_EACH_REQUEST(q, r)
    {
        bool elsewhere = r->transport->stream.n > 0 && !bridge_id_is(r->transport->stream, q->wire_id);
        if (q->state == BRIDGE_REQUEST_SENT && q->has_interim && !elsewhere && fits(q) &&
            (found == NULL || (int32_t)(q->order - found->order) < 0)) {
            found = q;
        }
    }
    return found;
}

/* ---- Notifications ---- */

static bool takes_logs(const struct bridge_request *q)
{
    return q->wants_logs || !q->modern;
}

static void on_log(struct bridge_relay *r, struct skr_span method, struct skr_span params)
{
    struct bridge_request *q = find_origin(r, takes_logs);
    struct skr_job *job = q != NULL ? bridge_request_job(q) : NULL;

    if (job != NULL && !job->messages.mute) {
        bridge_notification_add(job, method, params);
    }
}

static void on_progress(struct bridge_relay *r, struct skr_span params)
{
    struct skr_span token = skr_scan_get(params, "progressToken");

    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state != BRIDGE_REQUEST_SENT || q->token == 0 || token.n != BRIDGE_WIRE_ID ||
            memcmp(token.p, q->wire_id, BRIDGE_WIRE_ID) != 0) {
            continue;
        }
        bridge_notification_progress(bridge_request_job(q), params);
        q->since_ms = host_clock_ms(); /* the device is alive */
        bridge_relay_has_read(r, q->line);
        return;
    }
}

/* ---- Client requests ---- */

static bool takes_client_requests(const struct bridge_request *q)
{
    return !q->modern; /* other clients get client requests as a result */
}

/* A slot for one more client request of q; SKR_CLIENT_REQUESTS if there is none. */
static unsigned free_slot(const struct bridge_request *q, const struct skr_job *job)
{
    unsigned slot = 0;

    while (slot < SKR_CLIENT_REQUESTS && q->client_requests[slot].n > 0) {
        slot++;
    }
    bool can =
        job != NULL && !job->messages.mute && !skri_job_is_stopping(job) && job->requests.count < SKR_CLIENT_REQUESTS;
    return can ? slot : SKR_CLIENT_REQUESTS;
}

static void fill_slot(struct bridge_request *q, unsigned slot, struct skr_span id, bool sure)
{
    q->repeatable = false; /* a user should not get the same elicitation twice */
    q->client_requests[slot].n = id.n;
    q->client_requests[slot].sure = sure;
    memcpy(q->client_requests[slot].id, id.p, id.n);
    q->client_request_count++;
}

static bool add_client_request(struct bridge_request *q, struct skr_span method, struct skr_span params,
                               struct skr_span id)
{
    struct skr_job *job = bridge_request_job(q);
    unsigned slot = free_slot(q, job);

    if (slot == SKR_CLIENT_REQUESTS) {
        return false;
    }
    struct bridge_text_room at = bridge_client_requests_room(&bridge_server, job);
    int n = bridge_client_requests_write(at, method, params);
    if (n < 0) {
        return false;
    }
    n = (int)bridge_routing_tasks(q->relay, at.p, (size_t)n, at.n);
    fill_slot(q, slot, id, q->relay->transport->stream.n > 0);
    bridge_client_requests_add(&bridge_server, job, (uint32_t)n, slot);
    return true;
}

static void keep_reply(struct bridge_request *q, struct skr_span id, const char *member, struct skr_span value)
{
    char *to = q->small + q->replies_n;
    size_t room = sizeof q->small - q->replies_n;
    int n = snprintf(to, room, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"%s\":", (int)id.n, id.p, member);

    if (n > 0 && (size_t)n + value.n + 2 <= room) { /* compact, because a newline in it would start another message */
        size_t used = (size_t)n + host_json_compact(to + n, value);
        memcpy(to + used, "}\n", 2);
        q->replies_n += used + 2;
    }
}

static void on_client_request(struct bridge_relay *r, struct skr_span method, struct skr_span params,
                              struct skr_span id)
{
    struct bridge_request *q = find_origin(r, takes_client_requests);

    if (id.n > sizeof q->client_requests[0].id) {
        return; /* no response would fit */
    }
    params = params.p != NULL ? params : SPAN("{}");
    if (q != NULL) {
        bridge_relay_has_read(r, q->line);
    }
    if (q != NULL && add_client_request(q, method, params, id)) {
        return;
    }
    if (q != NULL) {
        keep_reply(q, id, "error", SPAN(NO_CLIENT));
    } else if (transport_can_send(r->transport)) {
        char start[64];
        int n = snprintf(start, sizeof start, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":", (int)id.n, id.p);
        transport_send(r->transport, (struct skr_span){start, (size_t)n}, SPAN(NO_CLIENT), SPAN("}"));
    }
}

void bridge_interim_reply(struct bridge_request *q, const struct skr_call *call)
{
    struct skr_job *job = call->job;
    struct skr_span value = SPAN(NO_CLIENT);

    if (call->reply >= 0) {
        value = skr_json_raw(&call->json, call->reply);
    } else if (call->json.count > 0 && skr_json_get(&call->json, 0, "error") >= 0) {
        value = skr_json_raw(&call->json, skr_json_get(&call->json, 0, "error"));
    }
    for (unsigned i = 0; i < job->requests.count; i++) {
        unsigned slot = job->requests.list[i].key;
        if (job->requests.list[i].replied && q->client_requests[slot].n > 0) {
            struct skr_span id = {q->client_requests[slot].id, q->client_requests[slot].n};
            keep_reply(q, id, call->reply >= 0 ? "result" : "error", value);
            q->client_requests[slot].n = 0;
            q->client_request_count--;
            q->since_ms = host_clock_ms(); /* the device's timeout starts again */
        }
    }
}

bool bridge_interim_send(struct bridge_relay *r)
{
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state == BRIDGE_REQUEST_SENT && q->replies_n > 0) {
            size_t n = (size_t)((char *)memchr(q->small, '\n', q->replies_n) - q->small);
            transport_send_text(r->transport, (struct skr_span){q->small, n});
            q->replies_n -= n + 1;
            memmove(q->small, q->small + n + 1, q->replies_n);
            return true;
        }
    }
    return false;
}

/* The oldest other pending request of the same client that has room for a client request. */
static struct bridge_request *next_candidate(const struct bridge_request *q)
{
    struct bridge_request *found = NULL;

    BRIDGE_EACH_REQUEST(o, q->relay)
    {
        if (o != q && o->state == BRIDGE_REQUEST_SENT && o->has_interim && takes_client_requests(o) &&
            o->client == q->client && free_slot(o, bridge_request_job(o)) < SKR_CLIENT_REQUESTS &&
            (found == NULL || (int32_t)(o->order - found->order) < 0)) {
            found = o;
        }
    }
    return found;
}

/* Moves responses that have not been sent yet. */
static void move_replies(const struct bridge_request *q, struct bridge_request *to)
{
    if (to != NULL && q->replies_n <= sizeof to->small - to->replies_n) {
        memcpy(to->small + to->replies_n, q->small, q->replies_n);
        to->replies_n += q->replies_n;
    }
}

void bridge_interim_pass_on(struct bridge_request *q)
{
    struct skr_job *job = q->client_request_count > 0 ? bridge_request_job(q) : NULL;

    for (unsigned i = 0; job != NULL && i < job->requests.count; i++) {
        const struct skr_client_request *request = &job->requests.list[i];
        struct bridge_request *to = next_candidate(q);
        unsigned old = request->key;
        if (to != NULL && q->client_requests[old].n > 0 && !q->client_requests[old].sure) {
            unsigned slot = free_slot(to, bridge_request_job(to));
            struct skr_span id = {q->client_requests[old].id, q->client_requests[old].n};
            if (bridge_client_requests_move(&bridge_server, job, request, bridge_request_job(to), slot)) {
                fill_slot(to, slot, id, false);
            }
        }
    }
    if (q->replies_n > 0) {
        move_replies(q, next_candidate(q));
    }
}

void bridge_interim_end(struct bridge_request *q)
{
    struct skr_job *job = bridge_request_job(q);

    if (job != NULL && q->client_request_count > 0) {
        job->requests.count = 0;
    }
    q->client_request_count = 0;
    q->replies_n = 0;
    memset(q->client_requests, 0, sizeof q->client_requests);
}

/* ---- Messages ---- */

void bridge_interim_message(struct bridge_relay *r, struct skr_span message, struct skr_span method, struct skr_span id)
{
    struct skr_span params = skr_scan_get(message, "params");

    if (id.p != NULL) {
        on_client_request(r, method, params, id);
    } else if (params.p != NULL && skr_scan_is(method, "notifications/progress")) {
        on_progress(r, params);
    } else if (params.p != NULL && skr_scan_is(method, "notifications/message")) {
        on_log(r, method, params);
    }
}
