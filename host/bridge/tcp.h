/* lines.h -- a TCP connection with a message on each line, as `skillromd --tcp` serves it, as the way to a device. */
#ifndef SKR_LINES_H
#define SKR_LINES_H

#include "connection.h"
#include "transport.h"

struct bridge_tcp {
    struct bridge_transport way;
    struct bridge_target target; /* set by the owner */
    struct bridge_connection dial;
    struct bridge_outage absence;
    uint64_t asked_ms; /* when the probe was sent */
    char text[BRIDGE_TRANSPORT_TEXT + 1];
    size_t text_at, text_n;
    char got[16384];
    size_t got_at, got_n;
};

/* Initialises l, whose owner's fields are set. */
void bridge_tcp_init(struct bridge_tcp *l);

#endif
