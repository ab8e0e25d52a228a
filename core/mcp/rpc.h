/* rpc.h -- one message: its envelope, its era, and which handler gets it. */
#ifndef SKR_RPC_H
#define SKR_RPC_H

#include "response/request.h"

/* What came of a message. */
enum skr_rpc_outcome {
    SKR_RPC_ANSWER,       /* conn->answer holds the answer */
    SKR_RPC_NOTIFICATION, /* taken, nothing to answer */
    SKR_RPC_LATER,        /* taken, to be answered when a job is done */
    SKR_RPC_RESPONSE,     /* a response; dropped, unless a job has asked for it */
    SKR_RPC_BATCH,        /* not handled: an array that batch.c takes apart */
};

/* Handles one message, text[0..n) in conn's buffer, which it may decode in place. */
enum skr_rpc_outcome skri_rpc_handle(struct skr_conn *conn, char *text, size_t n);

#endif
