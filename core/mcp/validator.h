/* validator.h -- a hash instead of a response that the client has stored (validator.c). */
#ifndef SKR_VALIDATOR_H
#define SKR_VALIDATOR_H

#include "response/request.h"

/* Replaces the response with its validator, if the request has a key for one. */
void skri_validator(struct skr_call *call);

#endif
