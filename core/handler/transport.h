/* transport.h -- how the messages of a run are sent on the wire of its client.
 *
 * Runs are a layer below the wires and know none of them: conn.c gives each connection the outlet of its wire. */
#ifndef SKR_OUTLET_H
#define SKR_OUTLET_H

#include "skillrom.h"

struct skr_transport {
    /* c->answer is the answer of the job that c waited for: sends it. */
    void (*answer)(struct skr_conn *c, struct skr_job *job);

#if SKR_INTERACTIVE
    /* c->answer is a notification or question of the job, not the response; without `message` it is empty, and only
     * ends the stream. Puts what must precede it. Returns its event number in the stream. */
    uint16_t (*event)(struct skr_conn *c, struct skr_job *job, bool message);
#endif

    /* The job that c waited for has been cancelled: there will be no answer. */
    void (*give_up)(struct skr_conn *c);
};

#endif
