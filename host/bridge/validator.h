/* mark.h -- asking a device whether a stored answer is still its answer.
 *
 * The request goes out with a key in its _meta. A device that knows it (core/mcp/validator.c) answers with just the hash of
 * what it would have sent; any other device sends it in full. The key is new each time, so a device cannot have
 * prepared an answer with the hash of another device's answer. */
#ifndef SKR_BRIDGE_MARK_H
#define SKR_BRIDGE_MARK_H

#include "relay.h"

/* Hides from the device any such members in a client's own request. */
void bridge_validator_disown(struct bridge_request *q);

/* The request is about to be sent: asks for the mark if there is an answer to compare it with; otherwise for the
 * answer, and, if it is a file, for its compressed form. */
void bridge_validator_ready(struct bridge_request *q);

/* The mark in a result; p is NULL if there is none, or none was requested. */
struct skr_span bridge_validator_in(const struct bridge_request *q, struct skr_span result);

/* True if the mark is that of an answer to q with this result. */
bool bridge_validator_fits(const struct bridge_request *q, struct skr_span mark, struct skr_span result);

#endif
