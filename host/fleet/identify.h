/* identify.h -- finds the build of a device that does not announce one: the digest of its lists. */
#ifndef SKR_FLEET_IDENTIFY_H
#define SKR_FLEET_IDENTIFY_H

#include "registry.h"

/* Sets the function that is given the build of each device. */
void fleet_identify_open(void (*set_build)(uint32_t device, struct skr_span build));

/* The lists of this device will be read when its turn comes. */
void fleet_identify(uint32_t device);

void fleet_identify_turn(uint64_t now_ms);

#endif
