/* transport.h -- how the messages of a job are sent to its client: on a line, or over HTTP.
 *
 * Jobs are a layer below the transports and know none of them: conn.c gives each connection its own. */
#ifndef SKR_TRANSPORT_H
#define SKR_TRANSPORT_H

#include "skillrom.h"

struct skr_transport {
    /* c->response is the response of the job that c waited for: sends it. */
    void (*respond)(struct skr_conn *c, struct skr_job *job);

    /* c->response is a notification or client request of the job, not the response; without `message` it is empty, and
     * only ends the stream. Puts the bytes that precede it. Returns its event number in the stream. */
    uint16_t (*event)(struct skr_conn *c, struct skr_job *job, bool message); /* SKR_INTERACTIVE */

    /* The job that c waited for has been cancelled: there will be no response. */
    void (*give_up)(struct skr_conn *c);
};

#endif
