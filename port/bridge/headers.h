/* headers.h -- HTTP headers that repeat arguments of a device's tool (Mcp-Param-*, HDR-10 to HDR-14).
 *
 * Headers do not cross the line, so they are compared here, with the description that the device's
 * list of tools has of the tool. While that list is not known, the bridge asks for it itself, and
 * the call is held until it is there. */
#ifndef SKR_HEADERS_H
#define SKR_HEADERS_H

#include "relay.h"

/* True when headers may repeat arguments of this request. Keeps them with it then: it is held. */
bool skr_headers_hold(struct skr_request *q, struct skr_relay *r, const struct skr_call *call);

/* Looks at a held request: it stays held, goes on to its device, or is done, with an error. */
void skr_headers_go_on(struct skr_request *q);

/* The answer to a request of the bridge's own (q->own) has come. */
void skr_headers_listed(struct skr_request *q);

#endif
