/* interim.h -- messages of a device before its response: progress, log messages, and client requests such as elicitations.
 *
 * Over HTTP these come in the response to their request. On a line no member shows which request a client request or a log
 * message belongs to. So only one pending request receives log messages, and all requests that may receive client requests
 * belong to one client: the one whose session the device has (relay.c). Of several tool calls of that client the oldest gets
 * it; if that completes before its client has responded, another call was the origin, and the client request moves to that one.
 * Progress carries a token, and the device gets one of the bridge's own. */
#ifndef BRIDGE_INTERIM_H
#define BRIDGE_INTERIM_H

#include "relay.h"

/* Prepares a request, before it is queued, for messages that precede its response. */
void bridge_interim_begin(struct bridge_request *q);

/* True if q has to wait for another request that also receives log messages. */
bool bridge_interim_waits(const struct bridge_request *q);

/* Handles a message from the device that has a method. */
void bridge_interim_message(struct bridge_relay *r, struct skr_span message, struct skr_span method,
                            struct skr_span id);

/* Stores a client's responses to client requests until they can be sent. */
void bridge_interim_reply(struct bridge_request *q, const struct skr_call *call);

/* Sends the next stored response; false if there is none. */
bool bridge_interim_send(struct bridge_relay *r);

/* Moves client requests that may belong to another tool call of the same client, because the response to q has arrived. */
void bridge_interim_pass_on(struct bridge_request *q);

/* Drops open client requests and stored responses, because the request has ended or the device is gone. */
void bridge_interim_end(struct bridge_request *q);

#endif
