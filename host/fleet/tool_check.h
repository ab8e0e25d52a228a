/* own_tools.h -- asks a device itself about one of its tools, before it is called. The list of its build is for searching: it may
 * come from another device, which may lie. */
#ifndef SKR_FLEET_OWN_TOOLS_H
#define SKR_FLEET_OWN_TOOLS_H

#include "requests.h"

enum fleet_tool_check_tool {
    FLEET_OWN_UNKNOWN, /* the device did not answer; the fate says why, and nothing was run */
    FLEET_OWN_MISSING, /* it has no such tool */
    FLEET_OWN_ACTS,
    FLEET_OWN_CALM, /* it only looks (readOnlyHint), and rights.h has been told */
};

typedef void fleet_tool_check_fn(uint32_t owner, uint32_t item, enum fleet_tool_check_tool what, enum fleet_fate fate);

struct fleet_tool_check_question {
    uint32_t device;
    struct skr_span tool; /* its name; must stay until the owner is told */
    uint32_t wait_ms;     /* for a device that is away */
    fleet_tool_check_fn *told;
    uint32_t owner, item;
};

/* Asks. False when there is no room: try again later. The owner may be told before this returns. */
bool fleet_tool_check_ask(const struct fleet_tool_check_question *question, uint64_t now_ms);

/* The owner does not want to be told any more. */
void fleet_tool_check_forget(fleet_tool_check_fn *told, uint32_t owner);

#endif
