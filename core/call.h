/* call.h -- running a handler of the firmware: what it reads and writes (call.c). */
#ifndef SKR_CALL_H
#define SKR_CALL_H

#include "rpc.h"

/* Runs a tool's handler over call->arguments. Afterwards the answer holds its
 * output, or is already an error (skr_need). False in the latter case. */
bool skr_run_tool(struct skr_call *call, const struct skr_tool *tool);

#endif
