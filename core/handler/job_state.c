/* job_state.c -- see job_state.h. */
#include "handler/job_state.h"

#include "text/assert.h"

#if SKR_JOBS

static const struct edge {
    uint8_t from, event, to;
} edges[] = {
#define EDGE(from, event, to, reason) {JOB_##from, JOB_##event, JOB_##to},
    SKR_JOB_EDGES(EDGE)
#undef EDGE
};

void skri_job_move(struct skr_job *job, enum job_event event)
{
    size_t i = 0;

    while (i < sizeof edges / sizeof *edges && (edges[i].from != job->state || edges[i].event != event)) {
        i++;
    }
    SKR_ASSERT(i < sizeof edges / sizeof *edges); /* the edge is legal */
    if (i < sizeof edges / sizeof *edges) {
        job->state = edges[i].to;
    }
    if (job->state == JOB_ENDED && !skri_job_is_task(job)) {
        job->state = JOB_FREE;
    }
    if (job->state == JOB_FREE) {
        job->call.tool = NULL;
        if (SKR_TASKS) {
            skri_task_of(job)->kind = NO_TASK;
        }
    }
}

#endif
