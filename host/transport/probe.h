/* probe.h -- the first request to a device on a network: is it an MCP server, and which one? */
#ifndef TRANSPORT_PROBE_H
#define TRANSPORT_PROBE_H

#include "transport.h"

/* server/discover, to which a server of any era responds, if only with an error. Its id is TRANSPORT_PROBE_ID. */
#define TRANSPORT_PROBE_ID "\"probe\""
extern const char transport_probe[];

/* True if the n bytes in t->in are the response. Then the device's identity, under which the bridge stores its responses, is
 * derived from it. Another image or firmware may have the same identity, so validators decide (host/bridge/validator.h). */
bool transport_probe_responded(struct transport *t, size_t n);

#endif
