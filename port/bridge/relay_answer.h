/* relay_answer.h -- what comes back from a device, for relay.c. */
#ifndef SKR_RELAY_ANSWER_H
#define SKR_RELAY_ANSWER_H

#include "relay.h"

/* A message of n bytes lies in the cable's buffer; 0: one that was too long. */
void skr_relay_message(void *owner, size_t n);

/* Makes what `find` (know.h) has in the cache the answer. False when there is nothing, or no place for it. */
bool skr_relay_recall(struct skr_relay *r, struct skr_request *q,
                      size_t (*find)(struct skr_know *k, const struct skr_subject *s, char *to, size_t room));

/* q->value is the answer: what the client is to see of it. */
void skr_relay_finish(struct skr_relay *r, struct skr_request *q);

/* Makes the answer an error of the bridge's own. */
void skr_relay_fail(struct skr_request *q, const char *why);

/* Makes it another error: its code, and a message that ends with `what`, the inside of a JSON string. */
void skr_relay_refuse(struct skr_request *q, int code, const char *why, struct skr_span what);

/* The answer was damaged or lost: asks again, or fails when that has been tried often. */
void skr_relay_retry(struct skr_relay *r, struct skr_request *q, const char *why);

#endif
