/* scalar.h -- what YAML versions make of an unquoted value (SK-V-35, SK-V-40). */
#ifndef MKROMFS_SCALAR_H
#define MKROMFS_SCALAR_H

#include <stdbool.h>

#include "base/buf.h"

enum scalar_type { SCALAR_STRING, SCALAR_NULL, SCALAR_BOOL, SCALAR_INT, SCALAR_FLOAT };

/* What YAML 1.2's core schema takes an unquoted value for. */
enum scalar_type scalar_core_type(const char *text);

/* False when any YAML version takes the unquoted value for something other than text. */
bool scalar_always_string(const char *text);

/* Adds the JSON for a value that is not a string by the core schema. Returns NULL,
 * or why JSON has no exact counterpart. */
const char *scalar_core_json(struct buf *b, const char *text);

#endif
