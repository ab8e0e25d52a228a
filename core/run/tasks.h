/* tasks.h -- what the methods of tasks and job_task.c share. */
#ifndef SKR_TASKS_H
#define SKR_TASKS_H

#include "run/job_task.h"

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
