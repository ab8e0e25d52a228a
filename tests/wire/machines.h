/* machines.h -- the machines of the devices that transcripts use, whose state the runner keeps and restores (machines.c). */
#ifndef WIRE_MACHINES_H
#define WIRE_MACHINES_H

#include "../../examples/dispenser/device.h"
#include "../../examples/pump/pump.h"
#include "skr_alarm.h"

#define MACHINES_BUDGETS 8 /* at least those of the dispenser */

struct machines {
    struct pump pump;
#if SKR_EVENTS
    struct skr_alarms alarms;
#endif
#if SKR_GUARD
    struct dispenser dispenser;
    struct skr_kept kept;
    struct skr_budget budgets[MACHINES_BUDGETS];
#endif
};

void machines_save(struct machines *to);
void machines_restore(const struct machines *from);

/* The firmware for an image of this name. */
const struct skr_device *machines_device(const char *name);

#endif
