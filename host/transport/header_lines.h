/* header_lines.h -- header lines of HTTP, and values of MCP in them. */
#ifndef TRANSPORT_HEADER_LINES_H
#define TRANSPORT_HEADER_LINES_H

#include "transport_config.h"

struct transport_header_lines {
    size_t n;
    char text[TRANSPORT_HEAD];
};

/* Room for lines: the empty line at the end always fits. */
#define TRANSPORT_HEAD_LINES (TRANSPORT_HEAD - 2)

/* Adds text; a text that does not fit is left out completely. */
void transport_header_lines_add(struct transport_header_lines *head, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds "NAME: VALUE" for a JSON string, number or boolean; nothing for null or no value. A text that a header cannot
 * hold as it is goes as =?base64?...?= (HDR-05). */
void transport_header_lines_json(struct transport_header_lines *head, const char *name, struct skr_span value);

/* Adds the empty line, for which there is always room. */
void transport_header_lines_end(struct transport_header_lines *head);

#endif
