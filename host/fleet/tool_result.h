/* tool_result.h -- the outcome of a call of call_tool: the result for its client, and the entry of the audit log. */
#ifndef SKR_FLEET_TOOL_RESULT_H
#define SKR_FLEET_TOOL_RESULT_H

#include "audit_log.h"
#include "job_slots.h"

/* An outcome as clients and the audit log see it. */
struct fleet_summary {
    const char *name, *why;
};

struct fleet_summary fleet_summary_of(enum fleet_outcome outcome, struct skr_span value);

/* Writes the result of a device for the client. */
void fleet_result_put(struct fleet_slot *s, struct skr_span device, struct fleet_summary summary,
                      enum fleet_outcome outcome, struct skr_span value);

/* Likewise with a line of the audit log; `promised`: there is room for it (audit_log.h). */
void fleet_result_settle(struct fleet_slot *s, struct skr_span device, struct fleet_summary summary,
                         enum fleet_outcome outcome, struct skr_span value, uint32_t ms, bool promised);

/* The entry of the audit log for a device of the call. */
struct fleet_audit_entry fleet_result_entry(const struct fleet_slot *s, struct skr_span device, const char *outcome,
                                            uint32_t ms);

#endif
