/* task_answer.c -- tasks as JSON. See job_task.h.
 *
 * An answer is generated from the job while it is sent. If the slot is reused or the questions change meanwhile, the
 * answer breaks off: its client sees a broken message and asks again. */
#include "answer/shape.h"
#include "run/ask.h"
#include "run/run.h"
#include "run/job_task.h"
#include "store/cursor.h"

#if SKR_TASKS

enum task_step { STEP_ID, STEP_CREATED, STEP_UPDATED, STEP_TIMES, STEP_END };

static void push_two(struct skr_answer *a, const char *before, uint32_t value)
{
    /* `before` ends in a zero, for numbers of one digit */
    skri_push(a, SKR_RAW, (struct skr_span){before, strlen(before) - (value > 9)});
    skri_push_number(a, value);
}

/* ISO 8601. Days since 1970 become a date by counting years from March, so that leap days come last. */
static void push_date(struct skr_answer *a, uint32_t seconds)
{
    uint32_t days = seconds / 86400 + 719468, rest = seconds % 86400;
    uint32_t era = days / 146097, day = days % 146097;
    uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    uint32_t month = (5 * day + 2) / 153;
    day -= (153 * month + 2) / 5;
    month = month < 10 ? month + 3 : month - 9;
    skri_push_number(a, era * 400 + year + (month <= 2));
    push_two(a, "-0", month);
    push_two(a, "-0", day + 1);
    push_two(a, "T0", rest / 3600);
    push_two(a, ":0", rest / 60 % 60);
    push_two(a, ":0", rest % 60);
    skri_push_text(a, "Z");
}

/* One step of a task's members. */
static void push_step(struct skr_answer *a, const struct skr_job *job, enum task_step step, uint32_t status,
                      uint32_t updated_s)
{
    static const char *const names[] = {"working", "input_required", "completed", "failed", "cancelled"};
    switch (step) {
    case STEP_ID:
        skri_push_text(a, "\"taskId\":\"");
        skri_push(a, SKR_RAW, (struct skr_span){job->task_id, sizeof job->task_id});
        skri_push_text(a, "\",\"status\":\"");
        skri_push_text(a, names[status]);
        break;
    case STEP_CREATED:
        skri_push_text(a, "\",\"createdAt\":\"");
        push_date(a, job->created_s);
        break;
    case STEP_UPDATED:
        skri_push_text(a, "\",\"lastUpdatedAt\":\"");
        push_date(a, updated_s);
        break;
    default:
        skri_push_text(a, job->modern ? "\",\"ttlMs\":" : "\",\"ttl\":");
        skri_push_number(a, job->ttl_ms);
        skri_push_text(a, job->modern ? ",\"pollIntervalMs\":" : ",\"pollInterval\":");
        skri_push_number(a, SKR_TASK_POLL_MS);
        break;
    }
}

/* Begins an answer about the job as it is now. */
static void begin_answer(struct skr_answer *a, const struct skr_job *job, bool (*body)(struct skr_answer *a))
{
    skri_answer_result(a, body);
    a->of.job = job;
    a->as.task.status = (uint8_t)skri_task_status(job);
    a->as.task.date = job->updated_s;
    a->as.task.change = a->as.task.status == TASK_IS_INPUT_REQUIRED ? job->change : job->serial;
}

/* False when the slot holds another job by now, or the job asks something else. */
static bool is_still(struct skr_answer *a)
{
    const struct skr_job *job = a->of.job;
    a->damaged |= a->as.task.change != (a->as.task.status == TASK_IS_INPUT_REQUIRED ? job->change : job->serial);
    return !a->damaged;
}

static bool created_body(struct skr_answer *a)
{
    const struct skr_job *job = a->of.job;
    if (!is_still(a)) {
        return false;
    }
    if (a->body_step == STEP_ID && !job->modern) {
        skri_push_text(a, "\"task\":{");
    }
    push_step(a, job, (enum task_step)a->body_step++, a->as.task.status, a->as.task.date);
    if (a->body_step == STEP_END && !job->modern) {
        skri_push_text(a, "}");
    }
    return a->body_step < STEP_END;
}

void skri_tasks_created(struct skr_answer *a, const struct skr_job *job)
{
    begin_answer(a, job, created_body);
    a->as.task.status = TASK_IS_WORKING; /* TSK-01 */
    a->as.task.change = job->serial;
    a->result = SKR_TASK;
}

static void push_error(struct skr_answer *a, const struct skr_output *out)
{
    int32_t code = out->code;
    skri_push_text(a, ",\"statusMessage\":\"");
    skri_push(a, SKR_ANY_TEXT, a->output);
    skri_push_text(a, code < 0 ? "\",\"error\":{\"code\":-" : "\",\"error\":{\"code\":");
    skri_push_number(a, code < 0 ? 0u - (uint32_t)code : (uint32_t)code);
    skri_push_text(a, ",\"message\":\"");
    skri_push(a, SKR_ANY_TEXT, a->output);
    skri_push_text(a, "\"");
    if (out->lack != NULL) { /* skri_run_answer has set a->subject to its name */
        skri_push_text(a, ",\"data\":");
        skri_push_shape(a, skri_fault_data((enum skr_fault)out->lack->fault), NULL, NULL);
        skri_push_text(a, "}");
    }
    skri_push_text(a, "}");
}

/* The result of the call, whose steps are counted after ours. */
static bool push_task_result(struct skr_answer *a)
{
    if (a->body_step == STEP_END) {
        skri_push_text(a, ",\"result\":{");
    }
    a->body_step = (uint8_t)(a->body_step - STEP_END);
    bool more = a->content(a);
    a->body_step = (uint8_t)(a->body_step + STEP_END);
    if (!more) {
        skri_push_text(a, "}");
    }
    return more;
}

/* TSK-06: what the extension adds for each status. */
static bool push_outcome(struct skr_answer *a)
{
    const struct skr_job *job = a->of.job;
    switch ((enum task_status)a->as.task.status) {
    case TASK_IS_INPUT_REQUIRED:
        if (a->body_step++ == STEP_END) {
            skri_push_text(a, ",\"inputRequests\":{");
        }
        if (skri_ask_push(a)) {
            return true;
        }
        skri_push_text(a, "}");
        return false;
    case TASK_IS_COMPLETED: return push_task_result(a);
    case TASK_IS_FAILED: push_error(a, &job->out); return false;
    default: return false;
    }
}

static bool task_get_body(struct skr_answer *a)
{
    const struct skr_job *job = a->of.job;
    if (!is_still(a)) {
        return false;
    }
    if (a->body_step < STEP_END) {
        push_step(a, job, (enum task_step)a->body_step++, a->as.task.status, a->as.task.date);
        return job->modern || a->body_step < STEP_END;
    }
    return push_outcome(a);
}

void skri_task_show(struct skr_answer *a, const struct skr_job *job)
{
    begin_answer(a, job, task_get_body);
}

/* Is job number i a task of the client that the answer goes to? */
static bool task_is_listed(const struct skr_answer *a, uint32_t i)
{
    const struct skr_job *job = &a->of.conn->srv->jobs[i];
    return job->task != NO_TASK && !job->modern && skri_job_is_theirs(job, a->of.conn, a->as.list.session);
}

/* A page of them. It breaks off if anything changes while it is sent. */
static bool tasks_list_body(struct skr_answer *a)
{
    const struct skr_server *s = a->of.conn->srv;
    a->damaged |= a->as.list.job_changes != s->job_changes;
    if (a->damaged) {
        return false;
    }
    if (a->body_step == STEP_ID) {
        const char *before = a->index == a->first ? "\"tasks\":[" : ",";
        while (a->index < a->end && !task_is_listed(a, a->index)) {
            a->index++;
        }
        if (a->index == a->end) {
            skri_push_text(a, *before == ',' ? "" : before);
            skri_push_list_end(a);
            return false;
        }
        skri_push_text(a, before);
        skri_push_text(a, "{");
    }
    const struct skr_job *job = &s->jobs[a->index];
    push_step(a, job, (enum task_step)a->body_step++, skri_task_status(job), job->updated_s);
    if (a->body_step == STEP_END) {
        skri_push_text(a, "}");
        a->body_step = STEP_ID;
        a->index++;
    }
    return true;
}

void skri_task_show_list(struct skr_call *call)
{
    struct skr_answer *a = call->answer;
    struct skr_server *s = call->srv;
    uint32_t shown = 0;
    a->of.conn = call->conn;
    a->as.list.session = skri_job_session(call->conn);
    for (a->end = a->first; a->end < a->as.list.total; a->end++) { /* as tools/list does */
        (void)skri_task_expire(s, &s->jobs[a->end]);
        if (task_is_listed(a, a->end) && shown++ == s->page) {
            break;
        }
    }
    a->as.list.job_changes = s->job_changes;
    skri_answer_result(call->answer, tasks_list_body);
}

/* TSK-11: what the call would have returned, and the task it belongs to. */
static bool result_body(struct skr_answer *a)
{
    if (a->content(a)) {
        return true;
    }
    skri_push_text(a, ",\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"");
    skri_push(a, SKR_RAW, (struct skr_span){a->of.job->task_id, sizeof a->of.job->task_id});
    skri_push_text(a, "\"}}");
    return false;
}

void skri_task_answer(struct skr_answer *a, struct skr_job *job)
{
    job->fetched = true;
    if (job->task == TASK_CANCELLED) {
        skri_answer_error(a, SKR_TASK_OVER, (struct skr_span){job->task_id, sizeof job->task_id});
    } else if (a->fault == SKR_NO_FAULT) {
        a->of.job = job;
        a->body = result_body;
    }
}

#endif
