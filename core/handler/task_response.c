/* task_response.c -- tasks as JSON. See job_task.h.
 *
 * While a response is sent, a task may end, and its slot may be used for another. So what is said of every task is
 * copied before, into the connection's buffer for output. Only a task's outcome, which may be long, is sent from the
 * job: if the slot is reused or its client requests change meanwhile, the response breaks off, and its client asks
 * again (`is_current`). */
#include "handler/client_request.h"
#include "handler/job_task.h"
#include "handler/tool_call.h"
#include "response/shape.h"
#include "store/cursor.h"
#include "text/date.h"

#if SKR_TASKS

enum task_step { STEP_ID, STEP_CREATED, STEP_UPDATED, STEP_TIMES, STEP_END };

/* The members of every task. Their buffer is aligned for bytes, so they are copied in and out. */
struct facts {
    char id[32];
    uint32_t created_s, updated_s, ttl_ms;
    uint8_t status; /* enum task_status */
};

typedef char facts_fit_the_output[sizeof(struct facts) <= SKR_OUTPUT_MAX ? 1 : -1];

static void write_facts(char *to, const struct skr_job *job, enum task_status status)
{
    struct facts facts = {
        .created_s = job->task.created_s, .updated_s = job->task.updated_s, .ttl_ms = job->task.ttl_ms};

    memcpy(facts.id, job->task.id, sizeof facts.id);
    facts.status = (uint8_t)status;
    memcpy(to, &facts, sizeof facts);
}

static void push_two(struct skr_response *a, const char *before, uint32_t value)
{
    /* `before` ends in a zero, for numbers of one digit */
    skri_push(a, SKR_RAW, (struct skr_span){before, strlen(before) - (value > 9)});
    skri_push_number(a, value);
}

/* ISO 8601. */
static void push_date(struct skr_response *a, uint32_t seconds)
{
    struct skr_date date = skr_date_of(seconds);

    skri_push_number(a, date.year);
    push_two(a, "-0", date.month);
    push_two(a, "-0", date.day);
    push_two(a, "T0", date.hour);
    push_two(a, ":0", date.minute);
    push_two(a, ":0", date.second);
    skri_push_text(a, "Z");
}

/* One step of a task's members, from its facts. */
static void push_step(struct skr_response *a, const char *from, enum task_step step)
{
    static const char *const names[] = {"working", "input_required", "completed", "failed", "cancelled"};
    struct facts facts;

    memcpy(&facts, from, sizeof facts);
    switch (step) {
    case STEP_ID:
        skri_push_text(a, "\"taskId\":\"");
        skri_push(a, SKR_RAW, (struct skr_span){from + offsetof(struct facts, id), sizeof facts.id});
        skri_push_text(a, "\",\"status\":\"");
        skri_push_text(a, names[facts.status]);
        break;
    case STEP_CREATED:
        skri_push_text(a, "\",\"createdAt\":\"");
        push_date(a, facts.created_s);
        break;
    case STEP_UPDATED:
        skri_push_text(a, "\",\"lastUpdatedAt\":\"");
        push_date(a, facts.updated_s);
        break;
    default:
        skri_push_text(a, a->envelope.modern ? "\",\"ttlMs\":" : "\",\"ttl\":");
        skri_push_number(a, facts.ttl_ms);
        skri_push_text(a, a->envelope.modern ? ",\"pollIntervalMs\":" : ",\"pollInterval\":");
        skri_push_number(a, SKR_TASK_POLL_MS);
        break;
    }
}

/* Begins a response with what is said of every task. */
static void begin_response(struct skr_call *call, const struct skr_job *job, enum task_status status,
                           bool (*body)(struct skr_response *a))
{
    struct skr_response *a = call->response;

    skri_response_result(a, body);
    char *facts = skri_lease(call->conn, SKR_TASK_FACTS);
    write_facts(facts, job, status);
    SKRI_MAKE(a, job)->facts = facts;
}

static bool created_body(struct skr_response *a)
{
    if (a->body_step == STEP_ID && !a->envelope.modern) {
        skri_push_text(a, "\"task\":{");
    }
    push_step(a, SKRI_AS(a, job)->facts, (enum task_step)a->body_step++);
    if (a->body_step == STEP_END && !a->envelope.modern) {
        skri_push_text(a, "}");
    }
    return a->body_step < STEP_END;
}

void skri_tasks_created(struct skr_call *call, const struct skr_job *job)
{
    begin_response(call, job, TASK_IS_WORKING, created_body); /* TSK-01 */
    call->response->envelope.result = SKR_TASK;
}

static void push_error(struct skr_response *a, const struct skr_output *out)
{
    int32_t code = out->code;

    skri_push_text(a, ",\"statusMessage\":\"");
    skri_push(a, SKR_ANY_TEXT, a->outcome.text);
    skri_push_text(a, code < 0 ? "\",\"error\":{\"code\":-" : "\",\"error\":{\"code\":");
    skri_push_number(a, code < 0 ? 0u - (uint32_t)code : (uint32_t)code);
    skri_push_text(a, ",\"message\":\"");
    skri_push(a, SKR_ANY_TEXT, a->outcome.text);
    skri_push_text(a, "\"");
    if (out->lack != NULL) { /* skri_tool_call_respond has set a->subject to its name */
        skri_push_text(a, ",\"data\":");
        skri_push_shape(a, skri_error_data((enum skr_rpc_error)out->lack->error), NULL, NULL);
        skri_push_text(a, "}");
    }
    skri_push_text(a, "}");
}

/* The result of the call, whose steps are counted after ours. */
static bool push_task_result(struct skr_response *a)
{
    if (a->body_step == STEP_END) {
        skri_push_text(a, ",\"result\":{");
    }
    a->body_step = (uint8_t)(a->body_step - STEP_END);
    bool more = a->outcome.content(a);
    a->body_step = (uint8_t)(a->body_step + STEP_END);
    if (!more) {
        skri_push_text(a, "}");
    }
    return more;
}

/* False when the slot holds another job by now, or the job asks something else. */
static bool task_is_current(const struct skr_response *a)
{
    const struct skr_job *job = SKRI_AS(a, job)->job;

    return SKRI_AS(a, job)->change ==
           (SKRI_AS(a, job)->status == TASK_IS_INPUT_REQUIRED ? job->requests.change : job->serial);
}

/* TSK-06: what the extension adds for each status. */
static bool push_outcome(struct skr_response *a)
{
    const struct skr_job *job = SKRI_AS(a, job)->job;

    switch ((enum task_status)SKRI_AS(a, job)->status) {
    case TASK_IS_INPUT_REQUIRED:
        if (a->body_step++ == STEP_END) {
            skri_push_text(a, ",\"inputRequests\":{");
        }
        if (skri_client_request_push(a)) {
            return true;
        }
        skri_push_text(a, "}");
        return false;
    case TASK_IS_COMPLETED: return push_task_result(a);
    case TASK_IS_FAILED: push_error(a, &job->out); return false;
    default: return false;
    }
}

static bool task_get_body(struct skr_response *a)
{
    if (a->body_step < STEP_END) {
        push_step(a, SKRI_AS(a, job)->facts, (enum task_step)a->body_step++);
        return a->envelope.modern || a->body_step < STEP_END;
    }
    return push_outcome(a);
}

void skri_task_show(struct skr_call *call, const struct skr_job *job)
{
    struct skr_response *a = call->response;
    enum task_status status = skri_task_status(job);

    begin_response(call, job, status, task_get_body);
    SKRI_MAKE(a, job)->job = job;
    SKRI_AS(a, job)->status = (uint8_t)status;
    SKRI_AS(a, job)->change = status == TASK_IS_INPUT_REQUIRED ? job->requests.change : job->serial;
    bool outcome = status == TASK_IS_INPUT_REQUIRED || status == TASK_IS_COMPLETED || status == TASK_IS_FAILED;
    SKRI_AS(a, job)->is_current =
        outcome && a->envelope.modern ? task_is_current : NULL; /* in 2025-11-25 tasks/get tells none */
}

/* A page of them. */
static bool tasks_list_body(struct skr_response *a)
{
    uint32_t n = a->index - a->first;

    if (a->body_step == STEP_ID) {
        skri_push_text(a, n == 0 ? "\"tasks\":[" : "");
        if (n == SKRI_AS(a, list)->shown) {
            skri_push_list_end(a);
            return false;
        }
        skri_push_text(a, n == 0 ? "{" : ",{");
    }
    push_step(a, SKRI_AS(a, list)->facts + n * sizeof(struct facts), (enum task_step)a->body_step++);
    if (a->body_step == STEP_END) {
        skri_push_text(a, "}");
        a->body_step = STEP_ID;
        a->index++;
    }
    return true;
}

void skri_task_show_list(struct skr_call *call)
{
    struct skr_response *a = call->response;
    struct skr_server *s = call->srv;
    uint16_t session = skri_job_session(call->conn);
    char *facts = skri_lease(call->conn, SKR_TASK_FACTS);
    uint32_t shown = 0, room = sizeof call->conn->output / sizeof(struct facts);

    room = s->page < room ? s->page : room;
    for (a->end = a->first; a->end < SKRI_AS(a, list)->total; a->end++) {
        struct skr_job *job = &s->jobs[a->end];
        (void)skri_task_expire(s, job);
        if (!skri_job_is_task(job) || job->modern || !skri_job_is_theirs(job, call->conn, session)) {
            continue;
        }
        if (shown == room) {
            break;
        }
        write_facts(facts + shown++ * sizeof(struct facts), job, skri_task_status(job));
    }
    SKRI_AS(a, list)->facts = facts;
    SKRI_AS(a, list)->shown = shown;
    skri_response_result(a, tasks_list_body);
}

/* TSK-11: what the call would have returned, and the task it belongs to. */
static bool result_body(struct skr_response *a)
{
    if (a->outcome.content(a)) {
        return true;
    }
    skri_push_text(a, ",\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"");
    skri_push(a, SKR_RAW, (struct skr_span){SKRI_AS(a, job)->job->task.id, sizeof SKRI_AS(a, job)->job->task.id});
    skri_push_text(a, "\"}}");
    return false;
}

void skri_task_respond(struct skr_response *a, struct skr_job *job)
{
    job->task.fetched = true;
    if (job->task.kind == TASK_CANCELLED) {
        skri_response_error(a, SKR_TASK_OVER, (struct skr_span){job->task.id, sizeof job->task.id});
    } else if (a->envelope.error == SKR_NO_ERROR) {
        SKRI_MAKE(a, job)->job = job;
        a->body = result_body;
    }
}

#endif
