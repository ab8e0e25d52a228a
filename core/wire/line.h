/* line.h -- one JSON-RPC message per line (STD-01). */
#ifndef SKR_LINE_H
#define SKR_LINE_H

#include "skillrom.h"

/* Handles the lines that are complete, until one has a response. */
void skri_line_advance(struct skr_conn *c);

extern const struct skr_transport skri_line_transport; /* SKR_JOBS */

#endif
