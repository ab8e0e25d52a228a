/* job_task.c -- tool calls that continue after the response to their request. See job_task.h.
 *
 * A task keeps its slot until its time is over, with its result in the job's buffer. When slots are needed, one that
 * has ended makes room. */
#include "handler/job_task.h"

#include <string.h>

#include "handler/client_request.h"
#include "handler/handler.h"
#include "handler/tool_call.h"
#include "text/number.h"
#include "text/siphash.h"

#if SKR_TASKS

#define EPOCH_S 1767225600u /* 2026-01-01: where time begins on a device without a clock */

/* ---- Time ---- */

static uint32_t now_s(const struct skr_server *s)
{
    const struct skr_device *d = s->device;

    return d->clock != NULL ? d->clock(d->context) : EPOCH_S + s->clock.up_s;
}

/* The longest that a task of this tool is kept. */
static uint32_t longest_ttl(const struct skr_tool *tool)
{
    return skri_tool_deadline_ms(tool) + SKR_TASK_KEEP_MS;
}

/* ---- Slots ---- */

/* A task that has ended and is only kept: any other call would be free. */
static bool task_is_kept(const struct skr_job *job)
{
    return job->state == JOB_ENDED;
}

static bool task_is_over(const struct skr_server *s, const struct skr_job *job)
{
    return s->clock.now_ms - job->task.created_ms >= job->task.ttl_ms;
}

bool skri_task_expire(struct skr_server *s, struct skr_job *job)
{
    bool expired = task_is_kept(job) && task_is_over(s, job);

    if (expired) {
        skri_job_move(job, JOB_DROP);
    }
    return expired;
}

/* True when the task was requested with the token of this request (AUTH-08). Lines have no tokens. */
static bool task_has_token(const struct skr_job *job, const struct skr_conn *c)
{
    return !SKR_AUTH || c->wire == SKR_LINE || memcmp(job->task.who, skri_who_id(c), sizeof job->task.who) == 0;
}

/* True when the task belongs to the client that the request comes from. Clients over HTTP without a session, but with the
 * same token, cannot be distinguished and count as one. */
static bool task_is_of_client(const struct skr_job *job, const struct skr_call *from)
{
    struct skr_conn *c = from->conn;
    const struct skr_conn *line = c->wire == SKR_LINE ? c : NULL;

    return task_has_token(job, c) && job->task.owner == line &&
           job->session == (from->modern ? 0 : skri_job_session(c));
}

struct skr_job *skri_task_evict(struct skr_server *s, const struct skr_call *from)
{
    struct skr_job *found = NULL;
    bool found_seen = false;

    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (!task_is_kept(job) || (from != NULL && !task_is_of_client(job, from))) {
            continue;
        }
        bool seen = job->task.fetched || task_is_over(s, job);
        bool older = found == NULL || s->counters.jobs - job->serial > s->counters.jobs - found->serial;
        if (seen > found_seen || (seen == found_seen && older)) {
            found = job;
            found_seen = seen;
        }
    }
    if (found != NULL) {
        skri_job_move(found, JOB_DROP);
    }
    return found;
}

static bool tool_can_be_task(const struct skr_tool *tool)
{
    return tool->deadline_ms > 0 && tool->task != SKR_TASK_NEVER;
}

bool skri_task_has_room(struct skr_call *call, const struct skr_tool *tool)
{
    struct skr_server *s = call->srv;
    unsigned count = 0;

    if (!call->task && !(call->modern && tool_can_be_task(tool) && skr_can(call, SKR_CAP_TASKS))) {
        return true;
    }
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        count += skri_job_is_task(job) && task_is_of_client(job, call);
    }
    return count < SKR_CLIENT_TASKS || skri_task_evict(s, call) != NULL;
}

/* ---- Beginning and end ---- */

bool skri_task_offered(const struct skr_device *d)
{
    for (size_t i = 0; i < d->tool_count; i++) {
        if (tool_can_be_task(&d->tools[i])) {
            return true;
        }
    }
    return false;
}

/* Reads the ttl that the client requests, and limits it. False when it is not valid: then the response is already an
 * error. */
static bool task_read_ttl(struct skr_call *call, const struct skr_tool *tool, int task)
{
    const struct skr_json *json = &call->json;
    int ttl = skr_json_get(json, task, "ttl");
    bool rest, number = skr_json_is_number(json, ttl);
    int64_t value = number ? skr_number_scaled(skr_json_raw(json, ttl), 0, &rest) : -1;

    call->ttl_ms = longest_ttl(tool);
    if (ttl < 0 || *skr_json_raw(json, ttl).p == 'n') { /* null: as long as possible */
        return true;
    }
    if (value < 0) {
        skri_rpc_error(call, SKR_BAD_TTL, SPAN("ttl"));
        return false;
    }
    call->ttl_ms = value < call->ttl_ms ? (uint32_t)value : call->ttl_ms;
    return true;
}

bool skri_task_allowed(struct skr_call *call, const struct skr_tool *tool)
{
    if (call->modern) { /* TSK-04 */
        return tool->task != SKR_TASK_REQUIRED || skr_need(call, SKR_CAP_TASKS);
    }
    if (call->legacy->version != SKR_V_2025_11_25 || !skri_task_offered(call->srv->device) || skri_is_forgotten(call)) {
        return true; /* TSK-10 */
    }
    int task = skr_json_get(&call->json, call->params, "task");
    call->task = skr_json_is_object(&call->json, task);
    bool fits = call->task ? tool_can_be_task(tool) : tool->task != SKR_TASK_REQUIRED;
    if (!fits) {
        skri_rpc_error(call, call->task ? SKR_NEVER_A_TASK : SKR_ONLY_A_TASK, skr_span_of(tool->name));
        return false;
    }
    return !call->task || task_read_ttl(call, tool, task);
}

static void task_name(struct skr_call *call, struct skr_job *job)
{
    struct skr_server *s = call->srv;
    uint32_t id[4];

    skr_seal_id(s->seed, s->counters.tasks++, id);
    skr_id_text(id, job->task.id);
    job->task.kind = IS_TASK;
    job->task.created_s = job->task.updated_s = now_s(s);
    job->task.created_ms = s->clock.now_ms;
    job->task.ttl_ms = job->modern ? longest_ttl(job->call.tool) : call->ttl_ms;
    job->task.owner = call->conn->wire == SKR_LINE ? call->conn : NULL;
    if (SKR_AUTH) {
        memcpy(job->task.who, skri_who_id(call->conn), sizeof job->task.who);
    }
}

void skri_task_begin(struct skr_call *call, struct skr_job *job)
{
    if (call->task) {
        task_name(call, job);
    }
}

bool skri_task_create(struct skr_call *call, struct skr_job *job, bool pending)
{
    bool wanted = job->modern ? (job->requests.capabilities >> SKR_CAP_TASKS & 1) != 0 &&
                                    tool_can_be_task(job->call.tool) && pending && job->requests.count == 0
                              : call->task;

    if (!wanted) {
        return false;
    }
    if (job->modern) {
        task_name(call, job);
    }
    job->conn = NULL;
    job->messages.token.n = 0; /* TSK-09 */
    job->messages.log_level = SKR_LEVEL_NONE;
    job->messages.sent = job->messages.used;
    skri_tasks_created(call, job);
    skri_job_move(job, JOB_DETACH);
    if (!pending) {
        skri_task_touch(call->srv, job);
        skri_job_record(call->srv, job, CALL_AS_PUT);
        skri_job_move(job, JOB_END);
    }
    return true;
}

void skri_task_touch(struct skr_server *s, struct skr_job *job)
{
    job->task.updated_s = now_s(s);
}

/* ---- Looking up ---- */

enum task_status skri_task_status(const struct skr_job *job)
{
    const struct skr_output *out = &job->out;
    bool failed = out->failed || out->overflow || skri_is_unbalanced(out) ||
                  (job->call.tool->structured && !out->structured); /* as skri_tool_call_respond says */

    if (skri_job_is_working(job)) {
        return job->requests.count > 0 ? TASK_IS_INPUT_REQUIRED : TASK_IS_WORKING;
    }
    if (job->task.kind == TASK_CANCELLED) {
        return TASK_IS_CANCELLED;
    }
    return out->code != 0 || (failed && !job->modern) ? TASK_IS_FAILED : TASK_IS_COMPLETED;
}

struct skr_job *skri_task_find(struct skr_call *call, struct skr_span id)
{
    struct skr_server *s = call->srv;
    uint16_t session = call->modern ? 0 : skri_job_session(call->conn);

    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (!skri_job_is_task(job) || skri_task_expire(s, job) || job->modern != call->modern) {
            continue;
        }
        bool theirs = call->modern ? task_has_token(job, call->conn) : skri_job_is_theirs(job, call->conn, session);
        if (theirs && skr_span_eq(id, (struct skr_span){job->task.id, sizeof job->task.id})) {
            return job;
        }
    }
    return NULL;
}

#endif
