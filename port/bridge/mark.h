/* mark.h -- asking a device whether an answer that was kept is still its answer.
 *
 * The request goes out with a key in its _meta. A device that knows it (core/mark.c) answers with nothing but the hash of
 * what it would have said; any other says it in full. The key is new each time, so no device that answered before
 * can have answered something with the hash of another's answer. */
#ifndef SKR_BRIDGE_MARK_H
#define SKR_BRIDGE_MARK_H

#include "relay.h"

/* A request of a client: what it says about such things itself is not the device's to see. */
void skr_mark_disown(struct skr_request *q);

/* It is about to be sent: asks for the mark if there is an answer to compare; else for the answer, and for a file as it
 * is stored. */
void skr_mark_ready(struct skr_request *q);

/* The mark in a result; p is NULL when there is none, or none was asked for. */
struct skr_span skr_mark_in(const struct skr_request *q, struct skr_span result);

/* True when it is that of an answer to q with this result. */
bool skr_mark_fits(const struct skr_request *q, struct skr_span mark, struct skr_span result);

#endif
