/* probe.h -- the first question to a device on a network: is it an MCP server, and which? */
#ifndef SKR_PROBE_H
#define SKR_PROBE_H

#include "transport.h"

/* server/discover, which a server of any era answers, if only by an error. Its id is BRIDGE_PROBE_ID. */
#define BRIDGE_PROBE_ID "\"probe\""
extern const char bridge_probe[];

/* w->in holds n bytes, perhaps the answer. True if it is one; then the device's identity, which says where its answers
 * are stored, is made of it. Another image or firmware may have the same, so marks decide (mark.h). */
bool bridge_probe_answered(struct bridge_transport *w, size_t n);

#endif
