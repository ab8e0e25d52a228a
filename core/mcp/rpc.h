/* rpc.h -- one message: its envelope, its era, and which handler gets it. */
#ifndef SKR_RPC_H
#define SKR_RPC_H

#include "response/request.h"

/* How a message was handled. */
enum skr_rpc_outcome {
    SKR_RPC_RESPOND,      /* the connection has its response */
    SKR_RPC_NOTIFICATION, /* needs no response */
    SKR_RPC_LATER,        /* a job will give the response */
    SKR_RPC_RESPONSE,     /* a response; dropped, unless a job has requested it */
    SKR_RPC_BATCH,        /* not handled: an array, which batch.c splits */
};

/* Handles one message, text[0..n) in conn's buffer, which it may decode in place. */
enum skr_rpc_outcome skri_rpc_handle(struct skr_conn *conn, char *text, size_t n);

#endif
