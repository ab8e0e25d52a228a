/* call_result.h -- how a call of call_tool ended: for its client and for the record. */
#ifndef SKR_FLEET_CALL_RESULT_H
#define SKR_FLEET_CALL_RESULT_H

#include "record.h"
#include "slots.h"

/* What clients and the record are told, and why in words. */
struct skr_outcome {
    const char *name, *why;
};

struct skr_outcome skr_outcome_of(enum skr_fate fate, struct skr_span value);

/* A device of the call is through with it: writes the result for the client. */
void skr_result_put(struct skr_slot *s, struct skr_span device, struct skr_outcome how, enum skr_fate fate,
                    struct skr_span value);

/* The same, and the line of the record; `promised`: there is room for it (record.h). */
void skr_result_settle(struct skr_slot *s, struct skr_span device, struct skr_outcome how, enum skr_fate fate,
                       struct skr_span value, uint32_t ms, bool promised);

/* The line of the record for a device of the call. */
struct skr_recorded skr_result_line(const struct skr_slot *s, struct skr_span device, const char *outcome, uint32_t ms);

#endif
