/* method_tasks.c -- tasks/get, update and cancel of the 2026-07-28 extension; tasks/get, list,
 * cancel and result of 2025-11-25. */
#include "handler/client_request.h"
#include "handler/job_task.h"
#include "handler/tool_call.h"
#include "mcp/method.h"
#include "store/cursor.h"

#if SKR_TASKS

/* ---- Requests ---- */

static bool tasks_are_available(struct skr_call *call)
{
    if (call->modern) {
        return skr_need(call, SKR_CAP_TASKS); /* VAL-10 */
    }
    if (call->legacy->version == SKR_V_2025_11_25 && !skri_is_forgotten(call)) {
        return true;
    }
    skri_rpc_error(call, SKR_NO_METHOD, skr_json_inside(&call->json, call->method));
    return false;
}

/* The task that the request names; NULL when the response is an error. */
static struct skr_job *task_named(struct skr_call *call)
{
    struct skr_span id;

    if (!tasks_are_available(call) || !skri_rpc_param(call, SKR_PARAM_TASK, true, &id)) {
        return NULL;
    }
    struct skr_job *job = skri_task_find(call, id);
    if (job == NULL) {
        skri_rpc_error(call, SKR_NO_TASK, id);
    }
    return job;
}

void skri_tasks_get(struct skr_call *call)
{
    struct skr_job *job = task_named(call);

    if (job == NULL) {
        return;
    }
    if (!skri_job_is_working(job) && job->modern) {
        struct skr_output out = job->out;
        skri_tool_call_respond(call->response, &job->call, &out); /* sets the outcome */
        job->task.fetched = true;
    }
    skri_task_show(call, job);
}

void skri_tasks_cancel(struct skr_call *call)
{
    struct skr_job *job = task_named(call);

    if (job == NULL) {
        return;
    }
    bool open = skri_job_is_working(job);
    if (!open && !call->modern) {
        struct skr_span id =
            skr_json_inside(&call->json, call->given[SKR_PARAM_TASK]); /* the job's may be overwritten */
        skri_rpc_error(call, SKR_TASK_OVER, id);
        return;
    }
    if (open) {
        job->task.kind = TASK_CANCELLED;
        skri_task_touch(call->srv, job);
        skri_job_stop(call->srv, job);
    }
    job->task.fetched = true;
    if (call->modern) {
        skri_response_result(call->response, NULL);
    } else {
        skri_task_show(call, job);
    }
}

/* TSK-07 */
void skri_tasks_update(struct skr_call *call)
{
    struct skr_job *job = task_named(call);

    if (job == NULL) {
        return;
    }
    call->replies = skr_json_get(&call->json, call->params, "inputResponses");
    if (!skr_json_is_object(&call->json, call->replies)) {
        skri_rpc_error(call, SKR_NOT_OBJECT, SPAN("inputResponses"));
        return;
    }
    if (skri_job_is_working(job) && job->requests.count > 0) {
        skri_job_continue(call->srv, job, call);
    }
    skri_response_result(call->response, NULL);
}

/* ---- Only 2025-11-25 ---- */

void skri_tasks_list(struct skr_call *call)
{
    if (tasks_are_available(call) && skri_page(call, SKR_LIST_TASKS, 0, SKR_JOBS)) {
        skri_task_show_list(call);
    }
}

/* Waits for the end of the task, if it has not come yet. Only one request at a time may. */
void skri_tasks_result(struct skr_call *call)
{
    struct skr_job *job = task_named(call);
    struct skr_conn *c = call->conn;
    struct skr_span id = call->response->envelope.id;

    if (job == NULL) {
        return;
    }
    if (skri_job_is_owed(job)) {
        skri_rpc_error(call, SKR_TASK_AWAITED, SPAN(""));
        return;
    }
    if (id.n > sizeof job->text) {
        skri_rpc_error(call, SKR_JOB_TEXT_LONG, SPAN(""));
        return;
    }
    memcpy(job->text, id.p, id.n);
    job->id = (struct skr_span){job->text, id.n};
    job->conn = c;
    skri_job_move(job, JOB_AWAIT);
    job->messages.mute = skri_takes_only_json(c);
    for (unsigned i = 0; i < job->requests.count; i++) {
        job->requests.list[i].sent = job->messages.mute;
    }
    call->job = job;
    c->job.awaited = c->wire == SKR_LINE ? NULL : job;
}

#endif
