/* http.h -- the HTTP framing, as conn.c calls it. */
#ifndef SKR_HTTP_H
#define SKR_HTTP_H

#include "skillrom.h"

void skri_http_advance(struct skr_conn *c);
void skri_http_response_sent(struct skr_conn *c);
void skri_http_timed_out(struct skr_conn *c, bool idle); /* idle: between requests */

#endif
