/* rights.c -- see rights.h. */
#include "rights.h"

#include <string.h>

#include "../posix/tokens.h"
#include "text/span.h"

struct skr_whom skr_rights_of(const struct skr_conn *from)
{
    const struct skr_grant *who = from != NULL && from->wire == SKR_HTTP_1 ? from->http.who : NULL;
    if (who == NULL) {
        return (struct skr_whom){.operate = true};
    }
    return (struct skr_whom){who->name, skr_tokens_devices(who), who->rights >= SKR_MAY_OPERATE};
}

bool skr_rights_see(const struct skr_whom *whom, const struct skr_fleet_device *d)
{
    struct skr_span id = skri_span_of(d->id);
    if (whom->patterns == NULL) {
        return true;
    }
    for (const char *p = whom->patterns; *p != '\0';) {
        size_t n = strcspn(p, ",");
        if (skr_glob((struct skr_span){p, n}, id)) {
            return true;
        }
        p += n + (p[n] == ',');
    }
    return false;
}
