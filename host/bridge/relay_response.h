/* relay_answer.h -- what comes back from a device, for relay.c. */
#ifndef SKR_RELAY_ANSWER_H
#define SKR_RELAY_ANSWER_H

#include "relay.h"

/* The cable's buffer holds a message of n bytes; 0: it was too long. */
void bridge_relay_message(void *owner, size_t n);

/* Takes the answer from the cache, where `find` (catalogue.h) looks it up. False when there is none, or no buffer for it. */
bool bridge_relay_recall(struct bridge_relay *r, struct bridge_request *q,
                         size_t (*find)(struct bridge_catalogue *k, const struct bridge_subject *s, char *to,
                                        size_t room));

/* q->value is the answer: turns it into what the client is to see. */
void bridge_relay_finish(struct bridge_relay *r, struct bridge_request *q);

/* Answers with an internal error of the bridge, -32603. */
void bridge_relay_fail(struct bridge_request *q, const char *why);

/* The answer was damaged or lost: asks again, or fails after TRANSPORT_TRIES attempts. */
void bridge_relay_retry(struct bridge_relay *r, struct bridge_request *q, const char *why);

#endif
