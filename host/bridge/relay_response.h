/* relay_response.h -- messages from a device, for relay.c. */
#ifndef BRIDGE_RELAY_RESPONSE_H
#define BRIDGE_RELAY_RESPONSE_H

#include "relay.h"

/* Handles the message of n bytes in the transport's buffer; 0 if it was too long. */
void bridge_relay_message(void *owner, size_t n);

/* Takes the response from the cache, where `find` (catalogue.h) looks it up. False if there is none, or no buffer for it. */
bool bridge_relay_recall(struct bridge_relay *r, struct bridge_request *q,
                         size_t (*find)(struct bridge_catalogue *k, const struct bridge_subject *s, char *to,
                                        size_t room));

/* Completes the request, whose response is q->value: edits it for the client. */
void bridge_relay_finish(struct bridge_relay *r, struct bridge_request *q);

/* Completes the request with an internal error, -32603. */
void bridge_relay_fail(struct bridge_request *q, const char *why);

/* Likewise for a request that was sent, unless its client no longer waits. */
void bridge_relay_give_up(struct bridge_relay *r, struct bridge_request *q, const char *why);

/* Sends the request again, because its response was damaged or lost; fails it after TRANSPORT_TRIES attempts. */
void bridge_relay_retry(struct bridge_relay *r, struct bridge_request *q, const char *why);

#endif
