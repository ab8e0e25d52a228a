/* relay_cancel.c -- cancels requests whose clients no longer wait. See relay.h. */
#include "clock.h"
#include "interim.h"
#include "relay.h"
#include "requests.h"

static bool owes_cancellation(const struct bridge_relay *r)
{
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state == BRIDGE_REQUEST_DROPPED && q->cancels) {
            return true;
        }
    }
    return false;
}

void bridge_relay_send_cancellations(struct bridge_relay *r)
{
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state != BRIDGE_REQUEST_DROPPED || !q->cancels || !transport_cancel(r->transport, q->wire_id)) {
            continue;
        }
        q->cancels = false;
        if (transport_is_checked(r->transport)) { /* no response follows; one already sent is ignored */
            r->in_flight--;
            bridge_request_release(q);
        }
    }
}

void bridge_relay_cancel(struct bridge_relay *r, struct bridge_request *q)
{
    bridge_interim_end(q);
    if (q->state != BRIDGE_REQUEST_SENT) {
        bridge_request_release(q);
        return;
    }
    q->state = BRIDGE_REQUEST_DROPPED;
    q->since_ms = host_clock_ms();
    q->cancels = !q->repeatable; /* a read is over before this could arrive */
    bridge_relay_send_cancellations(r);
}

void bridge_relay_end(struct bridge_relay *r)
{
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state == BRIDGE_REQUEST_SENT) {
            bridge_relay_cancel(r, q);
        }
    }
    do {
        bridge_relay_send_cancellations(r);
    } while (transport_flush(r->transport, TRANSPORT_LEAVE_MS) && owes_cancellation(r));
    transport_end(r->transport);
}
