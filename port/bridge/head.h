/* head.h -- header lines of HTTP, and values of MCP in them. */
#ifndef SKR_HEAD_H
#define SKR_HEAD_H

#include "bridge_config.h"

struct skr_head {
    size_t n;
    char text[SKR_BRIDGE_HEAD];
};

/* What lines may take: without its end a head would go on in the body. */
#define SKR_HEAD_LINES (SKR_BRIDGE_HEAD - 2)

/* Adds text; what does not fit is left out, line and all. */
void skr_head_add(struct skr_head *head, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds "NAME: VALUE" for a JSON string, number or boolean; nothing for null or no value. A text that a header cannot
 * hold as it is goes as =?base64?...?= (HDR-05). */
void skr_head_json(struct skr_head *head, const char *name, struct skr_span value);

/* Adds the empty line, for which there is always room. */
void skr_head_end(struct skr_head *head);

#endif
