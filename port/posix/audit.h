/* audit.h -- every tool call and refusal of a device whose tools have rules, appended to a file (--audit-log). */
#ifndef SKR_AUDIT_H
#define SKR_AUDIT_H

#include <stdbool.h>

#include "skillrom.h"

/* Makes `*recorded` the device as it is to be served: its `tool_called` appends a line to the file, then calls that of
 * `device`. False, after a message, if the file cannot be written, or no tool has rules. */
bool posix_audit_start(const char *path, const struct skr_device *device, struct skr_device *recorded);

#endif
