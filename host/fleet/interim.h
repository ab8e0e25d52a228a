/* interim.h -- messages of a device before the result of a call to it alone: progress, and requests for the client's input
 * (elicitation, sampling, roots).
 *
 * A device of 2026-07-28 requests input with a result (input_required), and is then called once more, with the responses. A client
 * of the same era gets that result, and sends the responses itself. One of the initialize era gets requests from the core. */
#ifndef SKR_FLEET_INTERIM_H
#define SKR_FLEET_INTERIM_H

#include "job_slots.h"

/* Whether the client wants a plan, which devices read in the same way: any `_plan` in its _meta that is not false. */
bool fleet_interim_wants_plan(const struct skr_call *call);

/* In the first call of a job: records the client's capabilities, and appends the responses that it sends with the request. False when
 * there is no room for them. */
bool fleet_interim_begin(struct skr_call *call, struct fleet_slot *s);

/* Sends the progress of a target to the client; fleet_progress_fn. */
void fleet_interim_progress(void *target, struct skr_span params);

bool fleet_interim_is_input_required(struct skr_span result);

/* Sends the requests of the result to a client of the initialize era. False: impossible. */
bool fleet_interim_request_input(struct fleet_slot *s, struct skr_span result);

/* The state of these requests after a response. */
enum fleet_input_state {
    FLEET_INPUT_OPEN,     /* more responses are to come */
    FLEET_INPUT_COMPLETE, /* the responses are part of the params, which can be sent again */
    FLEET_INPUT_FAILED,   /* the client has responded with an error, or with too much */
};
enum fleet_input_state fleet_interim_take_response(struct skr_call *call, struct fleet_slot *s);

#endif
