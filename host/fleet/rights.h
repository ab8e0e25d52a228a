/* rights.h -- who asks, what they may do, and with which devices. Nothing else in the fleet decides that.
 *
 * A token of the file that `skillrom token NAME --devices PATTERNS` writes allows reading or everything, with devices whose
 * names match. Others do not exist for it. Without tokens, and on stdio, everything is allowed.
 *
 * A token that only allows reading may call tools that only look (readOnlyHint). Which those are says the called device itself,
 * since it was last announced: the list of its build may be another device's word. */
#ifndef SKR_FLEET_RIGHTS_H
#define SKR_FLEET_RIGHTS_H

#include "registry.h"

struct fleet_client {
    const char *name;     /* of the token; NULL: none was needed */
    const char *patterns; /* of names of devices, separated by commas; NULL: all */
    bool operate;         /* may run tools that do more than look */
};

struct fleet_client fleet_rights_of(const struct skr_conn *from);

/* Does this device exist for them? */
bool fleet_rights_see(const struct fleet_client *whom, const struct fleet_device *d);

/* May they call this tool of this device now? False may become true when the device is asked for its tools (own_tools.h). True may
 * become false when the device goes, comes or changes: look again when a call that waited is sent. */
bool fleet_rights_call(const struct fleet_client *whom, const struct fleet_device *d, struct skr_span tool);

/* The device itself has described the tool as one that only looks. */
void fleet_rights_heard(struct fleet_device *d, struct skr_span tool);

#endif
