/* resume.h -- a job whose client has lost its stream of events, and may come back with Last-Event-ID (resume.c).
 *
 * Messages that have not been sent, and sent progress and log messages that are still stored, wait in the job. */
#ifndef SKR_RESUME_H
#define SKR_RESUME_H

#include "handler/job.h"

/* SSE-07: ids only where clients expect the empty event that comes with them. */
static inline bool skri_stream_has_ids(const struct skr_job *job)
{
    return job->session != 0 && job->out.version >= SKR_V_2025_11_25;
}

/* The connection of a job is gone. True when its client may come back for it. */
bool skri_stream_away(struct skr_server *s, struct skr_job *job);

/* Stops waiting for that, SKR_RESUME_MS after the handler has ended. */
void skri_stream_expire(struct skr_server *s, struct skr_job *job);

/* An event of the stream has been sent. */
void skri_stream_sent(struct skr_conn *c, struct skr_job *job);

/* The job whose stream has this number, if it belongs to the session of the request on c; else NULL. */
struct skr_job *skri_stream_find(struct skr_conn *c, uint32_t stream);

/* Continues the stream on c, after the last event that the client has seen. */
void skri_stream_take(struct skr_conn *c, struct skr_job *job, uint16_t last_event);

#endif
