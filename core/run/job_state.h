/* job_state.h -- what a job is about to do, for the files that belong to jobs. */
#ifndef SKR_JOB_STATE_H
#define SKR_JOB_STATE_H

#include "run/job_task.h"

#if SKR_JOBS

static inline bool skri_job_is_task(const struct skr_job *job)
{
#if SKR_TASKS
    return job->task != NO_TASK;
#else
    (void)job;
    return false;
#endif
}

static inline bool skri_job_asks(const struct skr_job *job)
{
#if SKR_TALK
    return job->question_count > 0;
#else
    (void)job;
    return false;
#endif
}

static inline bool skri_job_has_notes(const struct skr_job *job)
{
#if SKR_TALK
    return job->noted < job->notes;
#else
    (void)job;
    return false;
#endif
}

/* True while a message made of this job leaves. What it is made of lies still until then. */
static inline bool skri_job_is_leaving(const struct skr_job *job)
{
    return job->conn != NULL && job->conn->leaving == job;
}

#if SKR_RESUME
/* True while its client has lost the stream, and may come back for the rest. */
static inline bool skri_job_is_away(const struct skr_job *job)
{
    return job->conn == NULL && job->owed != OWED_NOTHING;
}
#endif

/* True when something has to leave before the answer. */
static inline bool skri_job_talks(const struct skr_job *job)
{
#if SKR_RESUME
    if (job->closing) {
        return true;
    }
#endif
    return skri_job_has_notes(job);
}

#endif

#endif
