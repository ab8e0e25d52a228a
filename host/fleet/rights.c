/* rights.c -- see rights.h. */
#include "rights.h"

#include <string.h>

#include "../../port/posix/tokens.h"
#include "response/rights.h"
#include "text/hash.h"
#include "text/span.h"

struct fleet_client fleet_rights_of(const struct skr_conn *from)
{
    const struct skr_grant *grant = from != NULL && from->wire == SKR_HTTP_1 ? from->http.who : NULL;

    if (grant == NULL) {
        return (struct fleet_client){.operate = true};
    }
    return (struct fleet_client){grant->name, posix_tokens_devices(grant), !skri_only_reads(from)};
}

bool fleet_rights_see(const struct fleet_client *client, const struct fleet_device *d)
{
    struct skr_span id = skr_span_of(d->id);

    if (client->patterns == NULL) {
        return true;
    }
    for (const char *p = client->patterns; *p != '\0';) {
        size_t n = strcspn(p, ",");
        if (fleet_glob((struct skr_span){p, n}, id)) {
            return true;
        }
        p += n + (p[n] == ',');
    }
    return false;
}

/* Never 0, which is an empty place. */
static uint64_t tool_hash(struct skr_span tool)
{
    return skr_hash(tool) | 1;
}

bool fleet_rights_call(const struct fleet_client *client, const struct fleet_device *d, struct skr_span tool)
{
    bool read_only = false;

    for (size_t i = 0; i < FLEET_READ_ONLY; i++) {
        read_only |= d->read_only[i] == tool_hash(tool);
    }
    return fleet_rights_see(client, d) && (client->operate || read_only);
}

void fleet_rights_add_read_only(struct fleet_device *d, struct skr_span tool)
{
    d->read_only[d->read_only_at++ % FLEET_READ_ONLY] = tool_hash(tool);
}
