/* own_tools.h -- asks a device itself about one of its tools, before it is called. The list of its build is for searching: it may
 * come from another device, which may lie. */
#ifndef SKR_FLEET_OWN_TOOLS_H
#define SKR_FLEET_OWN_TOOLS_H

#include "requests.h"

enum skr_own_tool {
    SKR_OWN_UNKNOWN, /* the device did not answer; the fate says why, and nothing was run */
    SKR_OWN_MISSING, /* it has no such tool */
    SKR_OWN_ACTS,
    SKR_OWN_CALM, /* it only looks (readOnlyHint), and rights.h has been told */
};

typedef void skr_own_told_fn(uint32_t owner, uint32_t item, enum skr_own_tool what, enum skr_fate fate);

struct skr_own_question {
    uint32_t device;
    struct skr_span tool; /* its name; must stay until the owner is told */
    uint32_t wait_ms;     /* for a device that is away */
    skr_own_told_fn *told;
    uint32_t owner, item;
};

/* Asks. False when there is no room: try again later. The owner may be told before this returns. */
bool skr_own_ask(const struct skr_own_question *question, uint64_t now_ms);

/* The owner does not want to be told any more. */
void skr_own_forget(skr_own_told_fn *told, uint32_t owner);

#endif
