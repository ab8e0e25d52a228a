/* rights.c -- see rights.h. */
#include "rights.h"

#include <string.h>

#include "../../port/posix/tokens.h"
#include "response/rights.h"
#include "hash.h"
#include "text/span.h"

struct fleet_client fleet_rights_of(const struct skr_conn *from)
{
    const struct skr_grant *who = from != NULL && from->wire == SKR_HTTP_1 ? from->http.who : NULL;
    if (who == NULL) {
        return (struct fleet_client){.operate = true};
    }
    return (struct fleet_client){who->name, posix_tokens_devices(who), !skri_only_reads(from)};
}

bool fleet_rights_see(const struct fleet_client *whom, const struct fleet_device *d)
{
    struct skr_span id = skr_span_of(d->id);
    if (whom->patterns == NULL) {
        return true;
    }
    for (const char *p = whom->patterns; *p != '\0';) {
        size_t n = strcspn(p, ",");
        if (fleet_glob((struct skr_span){p, n}, id)) {
            return true;
        }
        p += n + (p[n] == ',');
    }
    return false;
}

/* Never 0, which is no tool. */
static uint64_t hash_of(struct skr_span tool)
{
    return host_hash(tool.p, tool.n) | 1;
}

bool fleet_rights_call(const struct fleet_client *whom, const struct fleet_device *d, struct skr_span tool)
{
    bool calm = false;
    for (size_t i = 0; i < FLEET_CALM; i++) {
        calm |= d->calm[i] == hash_of(tool);
    }
    return fleet_rights_see(whom, d) && (whom->operate || calm);
}

void fleet_rights_heard(struct fleet_device *d, struct skr_span tool)
{
    d->calm[d->calm_at++ % FLEET_CALM] = hash_of(tool);
}
