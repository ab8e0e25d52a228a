/* headers.h -- HTTP headers that repeat parts of the message (headers.c). */
#ifndef SKR_MCP_HEADERS_H
#define SKR_MCP_HEADERS_H

#include "response/request.h"

/* True when the Mcp-Name header, decoded, equals the string `token` (HDR-04..07). */
bool skri_headers_name_matches(struct skr_call *call, int token);

/* True when the Mcp-Param-* headers repeat the arguments that this description of a tool
 * names (HDR-12). */
bool skri_headers_params_match(struct skr_call *call, struct skr_span json);

#endif
