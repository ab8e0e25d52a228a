/* relay_answer.h -- what comes back from a device, for relay.c. */
#ifndef SKR_RELAY_ANSWER_H
#define SKR_RELAY_ANSWER_H

#include "relay.h"

/* The cable's buffer holds a message of n bytes; 0: it was too long. */
void skr_relay_message(void *owner, size_t n);

/* Takes the answer from the cache, where `find` (know.h) looks it up. False when there is none, or no buffer for it. */
bool skr_relay_recall(struct skr_relay *r, struct skr_request *q,
                      size_t (*find)(struct skr_know *k, const struct skr_subject *s, char *to, size_t room));

/* q->value is the answer: turns it into what the client is to see. */
void skr_relay_finish(struct skr_relay *r, struct skr_request *q);

/* Answers with an internal error of the bridge, -32603. */
void skr_relay_fail(struct skr_request *q, const char *why);

/* The answer was damaged or lost: asks again, or fails after SKR_BRIDGE_TRIES attempts. */
void skr_relay_retry(struct skr_relay *r, struct skr_request *q, const char *why);

#endif
