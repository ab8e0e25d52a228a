/* headers.h -- calls of tools that are checked against the device's list of tools: HTTP headers that repeat arguments
 * (Mcp-Param-*, HDR-10 to HDR-14), and clients whose token only allows reading (AUTH-04).
 *
 * Headers do not cross a line, so they are compared here, using the tool's description; and for a device on HTTP they
 * are written here. Nor does the client's token: whether a tool only reads is what the device says of it. If the bridge
 * has not seen the list, it requests it, and the call is held until the list has arrived. */
#ifndef SKR_HEADERS_H
#define SKR_HEADERS_H

#include "relay.h"

/* True when the tool's description is needed first: headers may repeat arguments of this request, or its client may
 * only call tools that read. It is then held, and its headers are stored with it. */
bool bridge_tool_check_hold(struct bridge_request *q, struct bridge_relay *r, const struct skr_call *call);

/* False when the client of this tool call may only read, and it is not known that the tool does. */
bool bridge_tool_check_allow(const struct bridge_request *q);

/* Checks a held request again: it stays held, goes on to its device, or ends with an error. */
void bridge_tool_check_go_on(struct bridge_request *q);

/* Writes the headers for a device on HTTP: those that repeat arguments of this message, if it is a call of a tool. */
size_t bridge_tool_check_write(void *owner, struct skr_span message, char *to, size_t room);

/* The answer to a request of the bridge's own (q->own) has arrived. */
void bridge_tool_check_listed(struct bridge_request *q);

#endif
