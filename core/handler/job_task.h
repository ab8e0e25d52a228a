/* job_task.h -- tool calls that continue after the response to their request (job_task.c).
 *
 * A task is a job that has an id of its own. There are two dialects: the feature of 2025-11-25, where the client
 * requests a task, and the extension of 2026-07-28, where the handler's first SKR_PENDING makes one. */
#ifndef SKR_JOB_TASK_H
#define SKR_JOB_TASK_H

#include "handler/job.h"

/* Whether this device has tools that may become tasks. */
bool skri_task_offered(const struct skr_device *d);

/* True when the tool may be called as this request wants, as a task or not. False when the response is already an error. */
bool skri_task_allowed(struct skr_call *call, const struct skr_tool *tool);

/* Before the handler's first call: in 2025-11-25, the tool call is a task from here on. */
void skri_task_begin(struct skr_call *call, struct skr_job *job);

/* The handler's first call has returned, `pending` if it wants another. If the tool call is to be a task, makes it one
 * and that the response; else returns false. */
bool skri_task_create(struct skr_call *call, struct skr_job *job, bool pending);

/* The status of the task is about to change: records the time. */
void skri_task_touch(struct skr_server *s, struct skr_job *job);

/* Frees a task that has ended and whose time is over. */
bool skri_task_expire(struct skr_server *s, struct skr_job *job);

/* Frees the slot of a task that has ended, even before its time is over: preferably of one whose time is over or whose
 * end its client has seen, else of the oldest. Only of the client that sent `from`, unless that is NULL. NULL: there is
 * none. */
struct skr_job *skri_task_evict(struct skr_server *s, const struct skr_call *from);

/* If the tool call becomes a task: may this client have one more? One of its tasks that has ended makes room if
 * needed. */
bool skri_task_has_room(struct skr_call *call, const struct skr_tool *tool);

/* `ms` milliseconds have passed, for the dates of tasks. */

/* ---- What the methods of tasks need ---- */

enum task_status {
    TASK_IS_WORKING,
    TASK_IS_INPUT_REQUIRED,
    TASK_IS_COMPLETED,
    TASK_IS_FAILED,
    TASK_IS_CANCELLED,
};

enum task_status skri_task_status(const struct skr_job *job);

/* The task of this client with this id, or NULL. */
struct skr_job *skri_task_find(struct skr_call *call, struct skr_span id);

/* ---- Responses about tasks (task_response.c) ---- */

/* Responses that a task has been created. */
void skri_tasks_created(struct skr_call *call, const struct skr_job *job);

/* Responds to tasks/get; and to tasks/list, with the page that skri_page has found. */
void skri_task_show(struct skr_call *call, const struct skr_job *job);
void skri_task_show_list(struct skr_call *call);

/* Prepares the response to tasks/result, which waited for the end of this job. */
void skri_task_respond(struct skr_response *a, struct skr_job *job);

#endif
