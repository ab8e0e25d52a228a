/* validator.h -- an answer's mark in the answer's place (validator.c). */
#ifndef SKR_MCP_MARK_H
#define SKR_MCP_MARK_H

#include "response/request.h"

/* If the request asks for it, replaces the answer with its mark. */
void skri_validator(struct skr_call *call);

#endif
