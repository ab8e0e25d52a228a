/* learn.h -- which build a device is that does not say so: the digest of its lists. */
#ifndef SKR_FLEET_LEARN_H
#define SKR_FLEET_LEARN_H

#include "registry.h"

/* Whom to tell which build a device is. */
void fleet_identify_open(void (*tell)(uint32_t device, struct skr_span build));

/* The device will be asked, when its turn comes. */
void fleet_identify(uint32_t device);

/* What is due. */
void fleet_identify_turn(uint64_t now_ms);

#endif
