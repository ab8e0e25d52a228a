/* schema.h -- do the arguments of a tool fit its inputSchema, and its structured content its outputSchema? (schema.c) */
#ifndef SKR_POSIX_SCHEMA_H
#define SKR_POSIX_SCHEMA_H

#include "skillrom.h"

/* The error in the JSON object `arguments`, as the rest of a sentence that begins
 * with the argument; NULL: it fits. *argument gets the name, decoded in place.
 * A schema without p takes no arguments at all. An object with more values than SKR_TOKENS fits.
 *
 * Looked at are one type, required, additionalProperties: false, an enum of strings, minimum
 * and maximum of whole numbers, minLength and maxLength; of the arguments themselves, not of
 * what lies inside them. An escape in a name or value of the schema matches nothing. The rest
 * is for the script to judge. */
const char *posix_schema_mismatch(struct skr_span arguments, struct skr_span schema, struct skr_span *argument);

#endif
