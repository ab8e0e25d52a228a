/* dialogue.h -- what a device says before the result of a call to it alone: how far it is, and what it asks the agent.
 *
 * A device of 2026-07-28 asks by a result (input_required), and is then called once more, with the replies. An agent of the
 * same era gets that result, and brings the replies itself. One of the initialize era is asked here, by requests of the core. */
#ifndef SKR_FLEET_DIALOGUE_H
#define SKR_FLEET_DIALOGUE_H

#include "job_slots.h"

/* In the first call of a job: what its agent can be asked, and the replies that it brings, which belong to the request. False when
 * there is no room for them. */
bool fleet_interim_begin(struct skr_call *call, struct fleet_slot *s);

/* How far the device of a slot has got; fleet_progress_fn. */
void fleet_interim_progress(uint32_t owner, uint32_t item, struct skr_span params);

/* Is this result a question? */
bool fleet_interim_is_question(struct skr_span result);

/* Asks an agent of the initialize era what the result asks. False: that cannot be asked. */
bool fleet_interim_ask(struct fleet_slot *s, struct skr_span result);

/* What has become of the questions after a reply. */
enum fleet_interim_state {
    FLEET_DIALOGUE_OPEN,    /* there are more */
    FLEET_DIALOGUE_REPLIED, /* the replies are part of the request, which can be sent again */
    FLEET_DIALOGUE_FAILED,  /* the agent has answered with an error, or with too much */
};
enum fleet_interim_state fleet_interim_reply(struct skr_call *call, struct fleet_slot *s);

#endif
