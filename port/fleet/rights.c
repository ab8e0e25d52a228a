/* rights.c -- see rights.h. */
#include "rights.h"

#include <string.h>

#include "../posix/tokens.h"
#include "answer/rights.h"
#include "hash.h"
#include "text/span.h"

struct skr_whom skr_rights_of(const struct skr_conn *from)
{
    const struct skr_grant *who = from != NULL && from->wire == SKR_HTTP_1 ? from->http.who : NULL;
    if (who == NULL) {
        return (struct skr_whom){.operate = true};
    }
    return (struct skr_whom){who->name, skr_tokens_devices(who), !skri_only_reads(from)};
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

/* Never 0, which is no tool. */
static uint64_t hash_of(struct skr_span tool)
{
    return skr_hash(tool.p, tool.n) | 1;
}

bool skr_rights_call(const struct skr_whom *whom, const struct skr_fleet_device *d, struct skr_span tool)
{
    bool calm = false;
    for (size_t i = 0; i < SKR_FLEET_CALM; i++) {
        calm |= d->calm[i] == hash_of(tool);
    }
    return skr_rights_see(whom, d) && (whom->operate || calm);
}

void skr_rights_heard(struct skr_fleet_device *d, struct skr_span tool)
{
    d->calm[d->calm_at++ % SKR_FLEET_CALM] = hash_of(tool);
}
