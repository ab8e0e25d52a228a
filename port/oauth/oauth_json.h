/* oauth_json.h -- members of the JSON that others have signed. */
#ifndef SKR_OAUTH_JSON_H
#define SKR_OAUTH_JSON_H

#include "oauth.h"

/* The value of a member that may be there once; its p is NULL when it is not there. False when it is there twice. The
 * object must have been checked. */
bool skr_oauth_member(struct skr_span object, const char *name, struct skr_span *value);

/* Decodes a string and terminates it with NUL. False when the value is not a string, does not fit or has control characters. */
bool skr_oauth_text(struct skr_span value, char *out, size_t room);

#endif
