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
void skr_talk_begin(struct skr_request *q);

/* True when q has to wait for another request that receives log messages, too. */
bool skr_talk_waits(const struct skr_request *q);

/* Handles a message from the device that has a method. */
void skr_talk_message(struct skr_relay *r, struct skr_span message, struct skr_span method, struct skr_span id);

/* The client has replied to questions: stores the replies until they can be sent. */
void skr_talk_reply(struct skr_request *q, const struct skr_call *call);

/* Sends the next stored reply; false when there is none. */
bool skr_talk_send(struct skr_relay *r);

/* The answer has arrived: questions that another call of its client may have asked are now that one's. */
void skr_talk_pass_on(struct skr_request *q);

/* The request is over, or the device is gone: drops open questions and replies. */
void skr_talk_end(struct skr_request *q);

#endif
