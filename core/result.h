/* result.h -- results of tools that are more than one text (result.c). */
#ifndef SKR_RESULT_H
#define SKR_RESULT_H

#include "rpc.h"

/* Readies what a handler has put to be sent: texts become valid UTF-8 without control
 * characters, the last block is closed. */
void skr_output_end(struct skr_output *out);

#endif
