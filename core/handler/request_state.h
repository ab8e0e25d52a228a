/* request_state.h -- the sealed token that a client of 2026-07-28 carries between the calls of a handler: requestState
 * (request_state.c). It has the handler's state, and how far a guarded tool call has come. */
#ifndef SKR_REQUEST_STATE_H
#define SKR_REQUEST_STATE_H

#include "skillrom.h"

#if SKR_INTERACTIVE

/* False without a seed: then no state can be given to clients. */
bool skri_state_can_seal(const struct skr_server *s);

/* True when the client must keep anything for this job. */
static inline bool skri_state_is_kept(const struct skr_job *job)
{
#if SKR_GUARD
    return job->handler_state.size > 0 || job->call.phase != 0;
#else
    return job->handler_state.size > 0;
#endif
}

/* Seals the state, before it is sent. */
void skri_state_seal(struct skr_server *s, struct skr_job *job);

/* Binds the job to the arguments of this request and to its client (STATE-03), and restores the state that came with
 * it. False when that is forged, too old, or of a guarded tool call and has come before (STATE-01). */
bool skri_state_restore(struct skr_call *call, struct skr_job *job);

#endif

#endif
