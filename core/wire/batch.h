/* batch.h -- JSON-RPC batches, which only 2025-03-26 has (RPC-20). */
#ifndef SKR_BATCH_H
#define SKR_BATCH_H

#include "mcp/rpc.h"

/* Starts a checked array and handles its first elements. c->answering tells whether an answer is on its way. */
void skri_batch_start(struct skr_conn *c, char *text, size_t n);

/* Sends c->answer, the answer to one element. */
void skri_batch_send(struct skr_conn *c);

/* The answer to one element has left: handles the next. */
void skri_batch_next(struct skr_conn *c);

#endif
