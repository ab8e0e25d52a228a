/* head.h -- header lines of HTTP, and values of MCP in them. */
#ifndef SKR_HEAD_H
#define SKR_HEAD_H

#include "bridge_config.h"

struct bridge_header_lines {
    size_t n;
    char text[BRIDGE_HEAD];
};

/* What lines may take: without its end a head would go on in the body. */
#define BRIDGE_HEAD_LINES (BRIDGE_HEAD - 2)

/* Adds text; what does not fit is left out, line and all. */
void bridge_header_lines_add(struct bridge_header_lines *head, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds "NAME: VALUE" for a JSON string, number or boolean; nothing for null or no value. A text that a header cannot
 * hold as it is goes as =?base64?...?= (HDR-05). */
void bridge_header_lines_json(struct bridge_header_lines *head, const char *name, struct skr_span value);

/* Adds the empty line, for which there is always room. */
void bridge_header_lines_end(struct bridge_header_lines *head);

#endif
