/* tool_check.h -- checks tool calls against the device's list of tools: HTTP headers that repeat arguments (Mcp-Param-*, HDR-10
 * to HDR-14), and clients with a read-only token (AUTH-04).
 *
 * Headers do not cross a line, so they are compared here, using the tool's description; and for a device on HTTP they are
 * written here. The client's token does not cross it either: the device's readOnlyHint decides. If the bridge does not have the
 * list, it requests it, and the tool call is held until the list has arrived. */
#ifndef BRIDGE_TOOL_CHECK_H
#define BRIDGE_TOOL_CHECK_H

#include "relay.h"

/* True if the tool's description is needed first: headers may repeat arguments of this request, or its client may call only
 * read-only tools. The request is then held, with its headers. */
bool bridge_tool_check_hold(struct bridge_request *q, struct bridge_relay *r, const struct skr_call *call);

/* False if the client has a read-only token, and the tool is not known to be read-only. */
bool bridge_tool_check_allow(const struct bridge_request *q);

/* Checks a held request again: it stays held, goes on to its device, or ends with an error. */
void bridge_tool_check_go_on(struct bridge_request *q);

/* Writes the headers for a device on HTTP: those that repeat arguments of this message, if it is a tool call. */
size_t bridge_tool_check_write(void *owner, struct skr_span message, char *to, size_t room);

/* Handles the response to a tools/list of the bridge's own (q->own). */
void bridge_tool_check_listed(struct bridge_request *q);

#endif
