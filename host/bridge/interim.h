/* talk.h -- what a device sends before its answer: progress, log messages, and questions to the client.
 *
 * Over HTTP these come in the response to their request. On a line nothing says which request a question or a log
 * message belongs to. So only one of the requests under way receives log messages, and all requests that may be asked
 * a question belong to one client: the one whose handshake the device has seen last (relay.c). Of several calls of that
 * client the oldest is asked; if it is answered before its client has replied, another one has asked, and the question
 * stays open for that. Progress carries a token, and the one on the line is the bridge's own. */
#ifndef SKR_TALK_H
#define SKR_TALK_H

#include "relay.h"

/* A request is about to be queued for its device: prepares what it may receive before its answer. */
void bridge_interim_begin(struct bridge_request *q);

/* True when q has to wait for another request that receives log messages, too. */
bool bridge_interim_waits(const struct bridge_request *q);

/* Handles a message from the device that has a method. */
void bridge_interim_message(struct bridge_relay *r, struct skr_span message, struct skr_span method,
                            struct skr_span id);

/* The client has replied to questions: stores the replies until they can be sent. */
void bridge_interim_reply(struct bridge_request *q, const struct skr_call *call);

/* Sends the next stored reply; false when there is none. */
bool bridge_interim_send(struct bridge_relay *r);

/* The answer has arrived: questions that another call of its client may have asked are now that one's. */
void bridge_interim_pass_on(struct bridge_request *q);

/* The request is over, or the device is gone: drops open questions and replies. */
void bridge_interim_end(struct bridge_request *q);

#endif
