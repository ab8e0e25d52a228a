/* job_task.h -- runs that go on when their request has been answered (job_task.c).
 *
 * A task is a job that has an id of its own. Two dialects of it are spoken: the feature of
 * 2025-11-25, where the client asks for a task, and the extension of 2026-07-28, where the
 * handler's first SKR_PENDING makes one. */
#ifndef SKR_JOB_TASK_H
#define SKR_JOB_TASK_H

#include "run/job.h"

enum job_task {
    NO_TASK,
    TASK_OPEN,      /* the handler works, or waits for replies */
    TASK_ENDED,     /* `out` is its result */
    TASK_CANCELLED, /* there will be none */
};

/* Whether this device has tools that may become tasks. */
bool skri_task_offered(const struct skr_device *d);

/* May the tool be run as this request wants it? False when that has been answered. */
bool skri_task_allowed(struct skr_call *call, const struct skr_tool *tool);

/* The handler is about to be called first: of 2025-11-25, it is a task from here on. */
void skri_task_begin(struct skr_call *call, struct skr_job *job);

/* The first call of the handler is over. Makes the run a task if it is to be one, and that
 * the answer. */
bool skri_task_create(struct skr_call *call, struct skr_job *job);

/* The task has come to its end. */
void skri_task_end(struct skr_server *s, struct skr_job *job, enum job_task how);

/* Frees a task that has ended and whose time is over. */
bool skri_task_expire(struct skr_server *s, struct skr_job *job);

/* Frees one that has ended, over or not, as places are needed: first one whose time is over or whose end its client has
 * seen, then the oldest. Only those of the client that `from` comes from, unless that is NULL. NULL: there is none. */
struct skr_job *skri_task_evict(struct skr_server *s, const struct skr_call *from);

/* Should the run become a task, may this client have one more? One that it has no use for any more makes room. */
bool skri_task_has_room(struct skr_call *call, const struct skr_tool *tool);

/* So much time has gone by, for dates. */
void skri_task_tick(struct skr_server *s, uint32_t ms);

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

/* ---- Answers about tasks (task_answer.c) ---- */

/* Makes `a` the answer that a task has been created. */
void skri_tasks_created(struct skr_answer *a, const struct skr_job *job);

/* The same as tasks/get shows it; and the page of a list, which skri_page has found. */
void skri_task_show(struct skr_answer *a, const struct skr_job *job);
void skri_task_show_list(struct skr_call *call);

/* Readies the answer to tasks/result, which waited for the end of this job. */
void skri_task_answer(struct skr_answer *a, struct skr_job *job);

#endif
