/* tool_check.h -- reads a device's own description of a tool, before the tool is called. The list of its build is for searching: it
 * may come from another device, which may lie. */
#ifndef SKR_FLEET_TOOL_CHECK_H
#define SKR_FLEET_TOOL_CHECK_H

#include "requests.h"

enum fleet_tool_kind {
    FLEET_TOOL_UNKNOWN, /* the device did not respond; the outcome says why, and nothing was run */
    FLEET_TOOL_MISSING,
    FLEET_TOOL_ACTS,
    FLEET_TOOL_READ_ONLY, /* readOnlyHint; rights.h has recorded it */
};

struct fleet_tool_check {
    uint32_t device;
    struct skr_span tool; /* its name; must stay until the owner is notified */
    bool versions;        /* also finds out the era of the device */
    uint32_t wait_ms;     /* for a device that is away */
    void (*done)(void *owner, enum fleet_tool_kind kind, enum fleet_outcome outcome);
    void *owner; /* identifies the check to fleet_tool_check_forget */
};

/* Begins a check. False when there is no room: try again later. The owner may be notified before this returns. */
bool fleet_tool_check_begin(const struct fleet_tool_check *check, uint64_t now_ms);

/* The owner is not notified any more. */
void fleet_tool_check_forget(const void *owner);

#endif
