/* talk.c -- see talk.h. The core sends what is queued here, as it does for a device's handlers. */
#include "talk.h"

#include <stdio.h>
#include <string.h>

#include "run/notes.h"
#include "clock.h"
#include "names.h"
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

/* In the format of core/run/notes.c: length and event number, then the text. */
static void add_note(struct skr_job *job, struct skr_span method, struct skr_span params)
{
    const struct skr_span parts[] = {SPAN("\"method\":"), method, SPAN(",\"params\":"), params};
    size_t n = parts[0].n + parts[1].n + parts[2].n + parts[3].n;
    while (job->notes + SKR_NOTE_HEAD + n > sizeof job->note_text) {
        if (!skri_notes_forget(job)) {
            return; /* the client is too slow: it misses one */
        }
    }
    char *to = job->note_text + job->notes;
    const uint8_t head[SKR_NOTE_HEAD] = {(uint8_t)n, (uint8_t)(n >> 8), 0xFF, 0xFF};
    memcpy(to, head, sizeof head);
    to += sizeof head;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        memcpy(to, parts[i].p, parts[i].n);
        to += parts[i].n;
    }
    job->notes = (uint16_t)(job->notes + SKR_NOTE_HEAD + n);
}

static bool hears_logs(const struct skr_request *q)
{
    return q->hears || !q->modern;
}

static void on_log(struct skr_relay *r, struct skr_span method, struct skr_span params)
{
    struct skr_request *q = oldest(r, hears_logs);
    struct skr_job *job = q != NULL ? skr_request_job(q) : NULL;
    if (job != NULL && !job->mute) {
        add_note(job, method, params);
    }
}

static void on_progress(struct skr_relay *r, struct skr_span method, struct skr_span params)
{
    struct skr_span token = skri_scan_get(params, "progressToken");
    char text[SKR_BRIDGE_NOTE];
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state != SKR_REQUEST_SENT || q->token == 0 || token.n != SKR_WIRE_ID ||
            memcmp(token.p, q->wire_id, SKR_WIRE_ID) != 0) {
            continue;
        }
        struct skr_job *job = skr_request_job(q);
        if (job == NULL || job->token.n == 0 || params.n + job->token.n > sizeof text) {
            return;
        }
        size_t head = (size_t)(token.p - params.p), tail = params.n - head - token.n;
        memcpy(text, params.p, head);
        memcpy(text + head, job->token.p, job->token.n);
        memcpy(text + head + job->token.n, token.p + token.n, tail);
        add_note(job, method, (struct skr_span){text, head + job->token.n + tail});
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
    char *to = skr_bridge_server.job_output[job - skr_bridge_server.jobs] + job->asked;
    size_t room = SKR_JOB_OUTPUT_MAX - job->asked;
    int n = snprintf(to, room, "\"method\":%.*s,\"params\":%.*s}", (int)method.n, method.p, (int)params.n, params.p);
    if (n < 0 || (size_t)n >= room) {
        return false;
    }
    n = (int)skr_names_tasks(q->relay, to, (size_t)n, room);
    q->repeatable = false; /* nobody should be asked the same question twice */
    q->asked[slot].n = id.n;
    memcpy(q->asked[slot].id, id.p, id.n);
    q->asked_count++;
    job->questions[job->question_count++] =
        (struct skr_question){.at = job->asked, .n = (uint32_t)n, .key = (uint8_t)slot};
    job->asked += (uint32_t)n;
    job->change = ++skr_bridge_server.job_changes;
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
        on_progress(r, method, params);
    } else if (params.p != NULL && skri_scan_is(method, "notifications/message")) {
        on_log(r, method, params);
    }
}
