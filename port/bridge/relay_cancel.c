/* relay_cancel.c -- requests that nobody waits for any more. See relay.h. */
#include "clock.h"
#include "relay.h"
#include "requests.h"
#include "talk.h"

static bool owes_cancellation(const struct skr_relay *r)
{
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state == SKR_REQUEST_DROPPED && q->cancels) {
            return true;
        }
    }
    return false;
}

void skr_relay_send_cancellations(struct skr_relay *r)
{
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state != SKR_REQUEST_DROPPED || !q->cancels || !skr_way_cancel(r->way, q->wire_id)) {
            continue;
        }
        q->cancels = false;
        if (skr_way_is_checked(r->way)) { /* no answer follows; one already under way is ignored */
            r->in_flight--;
            skr_request_release(q);
        }
    }
}

void skr_relay_cancel(struct skr_relay *r, struct skr_request *q)
{
    skr_talk_end(q);
    if (q->state != SKR_REQUEST_SENT) {
        skr_request_release(q);
        return;
    }
    q->state = SKR_REQUEST_DROPPED;
    q->since_ms = skr_clock_ms();
    q->cancels = !q->repeatable; /* a read is over before this could arrive */
    skr_relay_send_cancellations(r);
}

void skr_relay_end(struct skr_relay *r)
{
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state == SKR_REQUEST_SENT) {
            skr_relay_cancel(r, q);
        }
    }
    do {
        skr_relay_send_cancellations(r);
    } while (skr_way_flush(r->way, SKR_BRIDGE_LEAVE_MS) && owes_cancellation(r));
    skr_way_end(r->way);
}
