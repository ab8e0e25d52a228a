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

/* The handlers of a kind; their context is set by the code that copies it. */
extern const struct skr_device swarm_pump, swarm_valve, swarm_meter;

enum { SWARM_PUMP, SWARM_PUMP_2, SWARM_VALVE, SWARM_METER, SWARM_KINDS };

extern struct swarm_kind {
    const char *file;
    const struct skr_device *device;
    void *image;
    size_t size;
} swarm_kinds[SWARM_KINDS];

/* Maps the images of all kinds; ends the program if one is missing. */
void swarm_load(const char *folder);

#endif
