/* replay_plan.h -- proves that planning a tool call moves nothing, by what the device says of itself before and after
 * it. */
#ifndef CLI_REPLAY_PLAN_H
#define CLI_REPLAY_PLAN_H

#include "replay_step.h"

/* The readings that are compared, and their last values; zeros before the first plan of a server. */
struct plan_readings {
    struct plan_reading *all;
    size_t count;
};

enum plan_result {
    PLAN_NONE, /* the step's tool cannot plan */
    PLAN_HOLDS,
    PLAN_FAILS, /* after a message (SK-T-05) */
};

/* Plans the tool call of this step, which has yet to be made. Everything that can be read without arguments must be as
 * it was: the results of tools with readOnlyHint, and resources. What changes by itself within a second is left out. */
enum plan_result replay_plan(const struct check *c, struct client *client, const struct device *device,
                             const struct step *step, struct plan_readings *readings);

/* Reports the tools that can plan and that no transcript calls, unless `called` says so of the tool with its index. */
void replay_plans_missing(const struct check *c, const struct device *device, const bool *called);

#endif
