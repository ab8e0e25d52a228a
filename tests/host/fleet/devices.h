/* devices.h -- the kinds of devices that the swarm runs: pump, valve and meter, each with an image and handlers of its own. */
#ifndef SWARM_DEVICES_H
#define SWARM_DEVICES_H

#include "skillrom.h"

/* What every device of the swarm has, whatever its kind: its struct skr_device's context. */
struct swarm_state {
    const char *id;
    uint32_t number;
    uint32_t hours;   /* of a pump */
    uint32_t percent; /* of a valve */
    uint32_t calls;   /* tools that have run */
};

/* The handlers of a kind; their context is set by whoever copies it. */
extern const struct skr_device swarm_pump, swarm_valve, swarm_meter;

#endif
