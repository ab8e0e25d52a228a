/* rights.h -- who asks, what they may do, and with which devices.
 *
 * A token of the file that `skillrom token NAME --devices PATTERNS` writes allows reading or everything, with devices whose
 * names match. Others do not exist for it. Without tokens, and on stdio, everything is allowed. */
#ifndef SKR_FLEET_RIGHTS_H
#define SKR_FLEET_RIGHTS_H

#include "registry.h"

struct skr_whom {
    const char *name;     /* of the token; NULL: none was needed */
    const char *patterns; /* of names of devices, separated by commas; NULL: all */
    bool operate;         /* may run tools that do more than look */
};

struct skr_whom skr_rights_of(const struct skr_conn *from);

/* Does this device exist for them? */
bool skr_rights_see(const struct skr_whom *whom, const struct skr_fleet_device *d);

#endif
