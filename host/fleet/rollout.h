/* rollout.h -- sends a release to many devices on a broker, in stages: `skillrom update mqtt://...` (rollout.c).
 *
 * All devices that match are asked whether they can take the release. Then they are updated in the order of their ids,
 * some at a time, until a share of them has it, or too many have failed. Nothing is remembered between two runs:
 * each device reports what it has, and an upload that was interrupted goes on. */
#ifndef SKR_FLEET_ROLLOUT_H
#define SKR_FLEET_ROLLOUT_H

#include "../client/update_steps.h"
#include "../mqtt/broker.h"
#include "fleet_config.h"

struct fleet_rollout {
    struct mqtt_broker broker;
    struct client_update_goal goal;
    const char *patterns;  /* of ids, separated by commas */
    const char *audit_log; /* NULL disables it */
    uint32_t share;        /* percent of the devices that have it at the end */
    uint32_t failures;     /* after so many no further device is begun */
    uint32_t parallel;
    uint32_t wait_ms; /* for the broker, and for a device that goes away meanwhile */
    uint32_t response_ms;
};

/* Sets the defaults. */
void fleet_rollout_init(struct fleet_rollout *rollout);

/* Runs to the end. True when the share of the devices has the release; otherwise after messages. */
bool fleet_rollout_run(struct fleet_rollout *rollout, const struct client_release *release);

#endif
