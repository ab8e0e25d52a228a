/* batch.h -- JSON-RPC batches, which only 2025-03-26 has (RPC-20). */
#ifndef SKR_BATCH_H
#define SKR_BATCH_H

#include "mcp/rpc.h"

/* Starts a checked array and handles its first elements. c->responding tells whether there is one to send. */
void skri_batch_start(struct skr_conn *c, char *text, size_t n);

/* Sends c->response, the response to one element. */
void skri_batch_send(struct skr_conn *c);

/* The response to one element has been sent: handles the next. */
void skri_batch_next(struct skr_conn *c);

#endif
