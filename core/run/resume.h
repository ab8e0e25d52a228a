/* resume.h -- a run whose client has lost its stream of events, and may come back for the rest (resume.c).
 *
 * What has not left, and notes that still lie there, wait in the job. */
#ifndef SKR_RESUME_H
#define SKR_RESUME_H

#include "run/job.h"

/* SSE-07: ids only where clients expect the empty event that comes with them. */
static inline bool skri_stream_has_ids(const struct skr_job *job)
{
    return job->session != 0 && job->out.version >= SKR_V_2025_11_25;
}

/* The connection of a job is gone. True when its client may come back for it. */
bool skri_stream_away(struct skr_server *s, struct skr_job *job);

/* Ends the wait for that. */
void skri_stream_expire(struct skr_server *s, struct skr_job *job);

/* An event of the stream has left. */
void skri_stream_told(struct skr_conn *c, struct skr_job *job);

/* The run whose stream has this number, if it belongs to the session of the request on c; NULL: there is none. */
struct skr_job *skri_stream_find(struct skr_conn *c, uint32_t stream);

/* The stream goes on on c, behind the last event that the client has seen. */
void skri_stream_take(struct skr_conn *c, struct skr_job *job, uint16_t last_event);

#endif
