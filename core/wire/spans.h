/* spans.h -- the bytes that a connection is about to send (spans.c). */
#ifndef SKR_SPANS_H
#define SKR_SPANS_H

#include "skillrom.h"

/* Makes the next spans of c->response, as many as there is room for, after those in c->tx. Bytes that were put into the
 * scratch buffer before (an HTTP head) stay first. */
void skri_spans_make(struct skr_conn *c);

#endif
