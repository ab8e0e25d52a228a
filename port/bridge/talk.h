/* talk.h -- what a device says before its answer: progress, log messages, and questions to the client.
 *
 * On the line nothing tells whose a question or a log message is. So of the requests under way
 * only one at a time hears log messages, and all that may be asked something are one client's:
 * that of the handshake which the device remembers (relay.c). Progress names a token, and the
 * one on the line is the bridge's own. */
#ifndef SKR_TALK_H
#define SKR_TALK_H

#include "relay.h"

/* A request is about to go to its device: readies what it may hear. */
void skr_talk_begin(struct skr_request *q);

/* True when q has to wait for another one to end, which hears log messages, too. */
bool skr_talk_waits(const struct skr_request *q);

/* A message of the device that has a method. */
void skr_talk_message(struct skr_relay *r, struct skr_span message, struct skr_span method, struct skr_span id);

/* The client has replied to questions: keeps what it said until the line takes it. */
void skr_talk_reply(struct skr_request *q, const struct skr_call *call);

/* Sends the next reply that waits; false when there is none. */
bool skr_talk_send(struct skr_relay *r);

/* The answer is there, or the device is gone: nothing is asked any more. */
void skr_talk_end(struct skr_request *q);

#endif
