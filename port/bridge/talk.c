/* talk.c -- see talk.h. The core sends what is queued here, as it does for a device's handlers. */
#include "talk.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "names.h"
#include "note.h"
#include "questions.h"
#include "scan.h"
#include "requests.h"

#define NOBODY "{\"code\":-32603,\"message\":\"No client can be asked\"}"

/* ---- Requests ---- */

/* Replaces the client's progress token by a placeholder for the bridge's id; the core keeps the token. */
void skr_talk_begin(struct skr_request *q)
{
    struct skr_span message = {q->text, q->text_n}, params = skri_scan_get(message, "params");
    static const char *const run_handlers[] = {"tools/call", "prompts/get", "tasks/result", "skills/execute", NULL};
    struct skr_span meta = skri_scan_get(params, "_meta"), token = skri_scan_get(meta, "progressToken");
    q->talks = skr_scan_is_any(skri_scan_get(message, "method"), run_handlers);
    q->hears = q->talks && skri_scan_get(meta, "io.modelcontextprotocol/logLevel").p != NULL;
    q->asked_count = 0;
    q->replies_n = 0;
    q->token = 0;
    if (token.p == NULL) {
        return;
    }
    size_t at = (size_t)(token.p - q->text), n = q->text_n - token.n + SKR_WIRE_ID;
    q->text_n = skr_scan_splice(q->text, q->text_n, sizeof q->text, token.p, token.n, "\"........\"");
    q->token = q->text_n == n ? at : 0; /* otherwise there is no room, and it gets no progress */
}

bool skr_talk_waits(const struct skr_request *q)
{
    SKR_EACH_REQUEST(o, q->relay)
    {
        if (q->hears && o->hears && o->state == SKR_REQUEST_SENT) {
            return true;
        }
    }
    return false;
}

/* The oldest request under way that fits. */
static struct skr_request *oldest(const struct skr_relay *r, bool (*fits)(const struct skr_request *q))
{
    struct skr_request *found = NULL;
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state == SKR_REQUEST_SENT && q->talks && fits(q) &&
            (found == NULL || (int32_t)(q->order - found->order) < 0)) {
            found = q;
        }
    }
    return found;
}

/* ---- Notes ---- */

static bool hears_logs(const struct skr_request *q)
{
    return q->hears || !q->modern;
}

static void on_log(struct skr_relay *r, struct skr_span method, struct skr_span params)
{
    struct skr_request *q = oldest(r, hears_logs);
    struct skr_job *job = q != NULL ? skr_request_job(q) : NULL;
    if (job != NULL && !job->mute) {
        skr_note_add(job, method, params);
    }
}

static void on_progress(struct skr_relay *r, struct skr_span params)
{
    struct skr_span token = skri_scan_get(params, "progressToken");
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state != SKR_REQUEST_SENT || q->token == 0 || token.n != SKR_WIRE_ID ||
            memcmp(token.p, q->wire_id, SKR_WIRE_ID) != 0) {
            continue;
        }
        skr_note_progress(skr_request_job(q), params);
        q->since_ms = skr_clock_ms(); /* the device is alive */
        skr_relay_has_read(r, q->line);
        return;
    }
}

/* ---- Questions ---- */

static bool can_be_asked(const struct skr_request *q)
{
    return !q->modern; /* other clients get questions as a result */
}

static bool add_question(struct skr_request *q, struct skr_span method, struct skr_span params, struct skr_span id)
{
    struct skr_job *job = skr_request_job(q);
    unsigned slot = 0;
    while (slot < SKR_ASKS && q->asked[slot].n > 0) {
        slot++;
    }
    if (job == NULL || job->mute || job->cancelled || slot == SKR_ASKS || job->question_count == SKR_ASKS) {
        return false;
    }
    struct skr_text_room at = skr_questions_room(&skr_bridge_server, job);
    int n = skr_questions_write(at, method, params);
    if (n < 0) {
        return false;
    }
    n = (int)skr_names_tasks(q->relay, at.p, (size_t)n, at.n);
    q->repeatable = false; /* nobody should be asked the same question twice */
    q->asked[slot].n = id.n;
    memcpy(q->asked[slot].id, id.p, id.n);
    q->asked_count++;
    skr_questions_add(&skr_bridge_server, job, (uint32_t)n, slot);
    return true;
}

static void keep_reply(struct skr_request *q, struct skr_span id, const char *member, struct skr_span value)
{
    char *to = q->small + q->replies_n;
    size_t room = sizeof q->small - q->replies_n;
    int n = snprintf(to, room, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"%s\":", (int)id.n, id.p, member);
    if (n > 0 && (size_t)n + value.n + 2 <= room) { /* compact, because a line end in it would start another message */
        size_t used = (size_t)n + skr_scan_compact(to + n, value);
        memcpy(to + used, "}\n", 2);
        q->replies_n += used + 2;
    }
}

static void on_question(struct skr_relay *r, struct skr_span method, struct skr_span params, struct skr_span id)
{
    struct skr_request *q = oldest(r, can_be_asked);
    if (id.n > sizeof q->asked[0].id) {
        return; /* it cannot be answered */
    }
    params = params.p != NULL ? params : SPAN("{}");
    if (q != NULL) {
        skr_relay_has_read(r, q->line);
    }
    if (q != NULL && add_question(q, method, params, id)) {
        return;
    }
    if (q != NULL) {
        keep_reply(q, id, "error", SPAN(NOBODY));
    } else if (skr_way_can_send(r->way)) {
        char head[64];
        int n = snprintf(head, sizeof head, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":", (int)id.n, id.p);
        skr_way_send(r->way, (struct skr_span){head, (size_t)n}, SPAN(NOBODY), SPAN("}"));
    }
}

void skr_talk_reply(struct skr_request *q, const struct skr_call *call)
{
    struct skr_job *job = call->job;
    struct skr_span value = SPAN(NOBODY);
    if (call->reply >= 0) {
        value = skri_json_raw(&call->json, call->reply);
    } else if (call->json.count > 0 && skri_json_get(&call->json, 0, "error") >= 0) {
        value = skri_json_raw(&call->json, skri_json_get(&call->json, 0, "error"));
    }
    for (unsigned i = 0; i < job->question_count; i++) {
        unsigned slot = job->questions[i].key;
        if (job->questions[i].answered && q->asked[slot].n > 0) {
            struct skr_span id = {q->asked[slot].id, q->asked[slot].n};
            keep_reply(q, id, call->reply >= 0 ? "result" : "error", value);
            q->asked[slot].n = 0;
            q->asked_count--;
            q->since_ms = skr_clock_ms(); /* now the device's time counts */
        }
    }
}

bool skr_talk_send(struct skr_relay *r)
{
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state == SKR_REQUEST_SENT && q->replies_n > 0) {
            size_t n = (size_t)((char *)memchr(q->small, '\n', q->replies_n) - q->small);
            skr_way_send(r->way, (struct skr_span){q->small, n}, SPAN(""), SPAN(""));
            q->replies_n -= n + 1;
            memmove(q->small, q->small + n + 1, q->replies_n);
            return true;
        }
    }
    return false;
}

void skr_talk_end(struct skr_request *q)
{
    struct skr_job *job = skr_request_job(q);
    if (job != NULL && q->asked_count > 0) {
        job->question_count = 0;
    }
    q->asked_count = 0;
    q->replies_n = 0;
    memset(q->asked, 0, sizeof q->asked);
}

/* ---- Messages ---- */

void skr_talk_message(struct skr_relay *r, struct skr_span message, struct skr_span method, struct skr_span id)
{
    struct skr_span params = skri_scan_get(message, "params");
    if (id.p != NULL) {
        on_question(r, method, params, id);
    } else if (params.p != NULL && skri_scan_is(method, "notifications/progress")) {
        on_progress(r, params);
    } else if (params.p != NULL && skri_scan_is(method, "notifications/message")) {
        on_log(r, method, params);
    }
}
