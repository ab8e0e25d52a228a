/* call_result.h -- how a call of call_tool ended: for its client and for the record. */
#ifndef SKR_FLEET_CALL_RESULT_H
#define SKR_FLEET_CALL_RESULT_H

#include "audit_log.h"
#include "job_slots.h"

/* What clients and the record are told, and why in words. */
struct fleet_outcome {
    const char *name, *why;
};

struct fleet_outcome fleet_outcome_of(enum fleet_fate fate, struct skr_span value);

/* A device of the call is through with it: writes the result for the client. */
void fleet_result_put(struct fleet_slot *s, struct skr_span device, struct fleet_outcome how, enum fleet_fate fate,
                      struct skr_span value);

/* The same, and the line of the record; `promised`: there is room for it (record.h). */
void fleet_result_settle(struct fleet_slot *s, struct skr_span device, struct fleet_outcome how, enum fleet_fate fate,
                         struct skr_span value, uint32_t ms, bool promised);

/* The line of the record for a device of the call. */
struct fleet_audit_entry fleet_result_line(const struct fleet_slot *s, struct skr_span device, const char *outcome,
                                           uint32_t ms);

#endif
