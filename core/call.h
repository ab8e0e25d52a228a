/* call.h -- running a handler of the firmware: what it reads and writes (call.c). */
#ifndef SKR_CALL_H
#define SKR_CALL_H

#include "rpc.h"

/* Looks at what a handler has left behind: makes its text UTF-8, and too much of it a
 * failure. False when the answer is already an error (skr_need). */
bool skr_call_ended(struct skr_call *call);

#endif
