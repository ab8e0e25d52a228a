/* validator.h -- confirms with a device that a stored response is still current.
 *
 * The request has a key in its _meta. A device that supports it (core/mcp/validator.c) responds with only the validator, a hash
 * of its response; any other device sends the response in full. The key is new each time, so a device cannot have prepared the
 * validator of another device's response. */
#ifndef BRIDGE_VALIDATOR_H
#define BRIDGE_VALIDATOR_H

#include "relay.h"

/* Hides such members of a client's own request from the device. */
void bridge_validator_disown(struct bridge_request *q);

/* Prepares the request, before it is sent: requests the validator if a response is stored; otherwise the response, and for a
 * file its compressed form. */
void bridge_validator_ready(struct bridge_request *q);

/* The validator in a result; p is NULL if there is none, or none was requested. */
struct skr_span bridge_validator_in(const struct bridge_request *q, struct skr_span result);

/* True if this is the validator of a response to q with this result. */
bool bridge_validator_fits(const struct bridge_request *q, struct skr_span validator, struct skr_span result);

#endif
