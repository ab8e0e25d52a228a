/* mark.h -- an answer's mark in the answer's place (mark.c). */
#ifndef SKR_MARK_H
#define SKR_MARK_H

#include "rpc.h"

/* If the request asks for it, makes the answer the mark of what it would have been. */
void skr_mark(struct skr_call *call);

#endif
