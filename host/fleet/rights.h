/* rights.h -- which tools a client may call, and of which devices. Only this file decides.
 *
 * A token of the file that `skillrom token NAME --devices PATTERNS` writes allows reading or everything, on devices whose
 * names match. Others do not exist for it. Without tokens, and on stdio, everything is allowed.
 *
 * A read-only token may call read-only tools (readOnlyHint). The called device itself must have described them so since it was last
 * announced: the list of its build may come from another device. */
#ifndef SKR_FLEET_RIGHTS_H
#define SKR_FLEET_RIGHTS_H

#include "registry.h"

struct fleet_client {
    const char *name;     /* of the token; NULL: no token was required */
    const char *patterns; /* of names of devices, separated by commas; NULL: all devices */
    bool operate;         /* may call tools that are not read-only */
};

struct fleet_client fleet_rights_of(const struct skr_conn *from);

/* Whether this device exists for the client. */
bool fleet_rights_see(const struct fleet_client *client, const struct fleet_device *d);

/* Whether the client may call this tool of this device now. False may become true after a check (tool_check.h). True may
 * become false when the device goes, comes or changes: check again when a call that waited is sent. */
bool fleet_rights_call(const struct fleet_client *client, const struct fleet_device *d, struct skr_span tool);

/* The device itself has described the tool as read-only. */
void fleet_rights_add_read_only(struct fleet_device *d, struct skr_span tool);

#endif
